//! Risk first: copies the most endangered blocks first, between the least loaded nodes.
//!
//! # What it decides
//! Order, inside one of HDFS's priorities: the fewest live replicas first. Ties: blocks whose
//! survivors are all in one rack although there are others, since one switch or power feed would
//! take them all. Of these the *weakest* rack first: the one with the smallest share of its nodes
//! in service (the rack that lost most is likeliest to lose more).
//!
//! Source and target: as `least-loaded` (`tenbin explain least-loaded`). A random source, as in
//! HDFS, would queue endangered blocks behind one busy node while another holder idles. The aim is
//! a short time until the last of them is safe.
//!
//! Edge rules. The share of a rack in service has 31 steps, replicas count up to seven. HDFS takes
//! blocks with one replica left before all others anyway, beyond the limit of streams. With three
//! expected replicas the order by racks is what this policy adds. A block's order changes only when
//! its number of replicas changes.
//!
//! # When it helps
//! On several racks, and if the loss of a rack is the concern. It minimises the time in which one
//! more rack takes the last replica of a block. The metric to read is the longest time that a block
//! lacked a second rack.
//!
//! # What it costs
//! Copies between racks come first and fill the uplinks while disks idle (`tenbin explain
//! inter-rack` limits that), so the whole recovery is slower if uplinks are narrow. A second loss
//! finds the uplinks full. Its blocks with one replica left must all cross them: they come first,
//! yet are slower than among mixed copies. O(nodes of a rack) for the urgency of a block, once per
//! loss.
//!
//! # Reference
//! Higai, Takefusa, Nakada, Oguchi: simulation of HDFS replica re-replication, 2014, for the
//! priority of blocks in one rack; Apache Hadoop 3.4 `LowRedundancyBlocks.getPriority` for that by
//! replicas. The order of weak racks is Tenbin's.
use super::{Copy, LostBlock, Memory, Refused, Rereplication, Survivors, least_loaded};
use crate::doc::own_doc;
use crate::{Dice, View};
use cluster::RackId;

#[derive(Clone, Copy, Debug)]
pub struct RiskFirst;

/// `urgency` of survivors in several racks; those in one rack have less.
const SPREAD: u8 = 31;

impl Rereplication for RiskFirst {
    fn name(&self) -> &'static str {
        "risk-first"
    }
    fn doc(&self) -> &'static str {
        own_doc!("risk_first.rs")
    }
    fn urgency(&self, lost: &LostBlock<'_>, view: View<'_>) -> u8 {
        let replicas = u8::try_from(lost.live.len().min(7)).expect("at most 7");
        let rack = match Survivors::of(lost, view) {
            Survivors::OneRack(home) => strength(home, view),
            Survivors::Spread => SPREAD,
        };
        replicas * (SPREAD + 1) + rack
    }
    fn repair(
        &self,
        lost: &LostBlock<'_>,
        view: View<'_>,
        memory: &mut Memory,
        dice: &mut dyn Dice,
    ) -> Result<Copy, Refused> {
        least_loaded::repair(lost, view, memory, dice)
    }
}

/// Share of a rack's nodes in service, in steps below [`SPREAD`].
fn strength(rack: RackId, view: View<'_>) -> u8 {
    let nodes = &view.racks[rack.at()];
    let serving = nodes.iter().filter(|&&id| view.node(id).in_service()).count();
    let step = serving * usize::from(SPREAD - 1) / nodes.len().max(1);
    u8::try_from(step).expect("a part of them is no more than all")
}
