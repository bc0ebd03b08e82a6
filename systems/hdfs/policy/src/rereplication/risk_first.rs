//! Risk first: the blocks nearest to their loss are copied first, between the least loaded nodes.
//!
//! # What it decides
//! Order, inside one of HDFS's priorities: the fewest live replicas; of those with as many, first
//! the blocks whose survivors all stand in one rack although there are others, since one switch or
//! one power feed would take them all; of these the *weakest* rack first, which is the one with the
//! smallest share of its nodes in service (what has lost most is likeliest to lose more).
//!
//! Source and target: as `least-loaded` (`tenbin explain least-loaded`). A random source, as HDFS
//! has it, would leave the endangered blocks in line behind one busy node while another one that
//! holds them idles; what shall be short is the time until the last of them is safe.
//!
//! Edge rules. The share of a rack in service is told apart in 31 steps, replicas up to seven. HDFS
//! takes blocks with one replica left before all others anyway, beyond the limit of streams; with
//! three replicas wished for, the order by racks is what this policy adds. An order once given is
//! changed only when the block's number of replicas changes.
//!
//! # When it helps
//! On several racks, and where the loss of a rack is what is feared: the time is shortest in which
//! one more rack takes the last replica of a block. The metric to read is the longest time that a
//! block was short of a second rack.
//!
//! # What it costs
//! Copies between racks come first and fill the uplinks while disks idle (`tenbin explain
//! inter-rack` limits that), so that the whole recovery is slower where uplinks are narrow. A
//! second loss finds the uplinks full: the blocks that it leaves with one replica, all of which
//! must cross them, are taken first, and yet are slower than among mixed copies. O(nodes of a rack)
//! for the urgency of a block, once a loss.
//!
//! # Reference
//! Higai, Takefusa, Nakada, Oguchi: simulation of HDFS replica re-replication, 2014, for the
//! priority of blocks in one rack; Apache Hadoop 3.4 `LowRedundancyBlocks.getPriority` for that by
//! replicas. The order of weak racks is this program's.
use super::{Copy, LostBlock, Memory, Refused, Rereplication, Survivors, least_loaded};
use crate::doc::own_doc;
use crate::{Dice, View};
use cluster::RackId;

/// See the module's doc.
#[derive(Clone, Copy, Debug)]
pub struct RiskFirst;

/// What `urgency` says of survivors in several racks; below it, of those in one.
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

/// The share of a rack's nodes that are in service, in steps below [`SPREAD`].
fn strength(rack: RackId, view: View<'_>) -> u8 {
    let nodes = &view.racks[rack.at()];
    let serving = nodes.iter().filter(|&&id| view.node(id).in_service()).count();
    let step = serving * usize::from(SPREAD - 1) / nodes.len().max(1);
    u8::try_from(step).expect("a part of them is no more than all")
}
