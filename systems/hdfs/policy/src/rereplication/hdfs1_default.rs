//! Default of Hadoop 1: a decommissioning holder sends if there is one, else a coin decides.
//!
//! # What it decides
//! Source: holders below their stream limit, in storage order. The last decommissioning one is
//! preferred, since it serves no clients. If there is none, the first is kept until a coin replaces
//! it by the next: three holders have ¼, ¼, ½. A decommissioned holder never sends.
//!
//! Target, survivors all in one rack: a random node of another rack; else a random node of the
//! source's rack. If that rack has none, the fallbacks of placement hold: with two racks, even a
//! third replica in one rack.
//!
//! # When it helps
//! It needs no memory. Decommissioning holders drain first, at their full stream limit.
//!
//! # What it costs
//! Some nodes send or receive much more than others and finish last. A block with a decommissioning
//! holder waits for no other holder, so a decommission is as slow as that node. O(holders) and
//! expected O(1) draws per decision.
//!
//! # Reference
//! Apache Hadoop 1.x `FSNamesystem.chooseSourceDatanode`,
//! `BlockPlacementPolicyDefault.chooseTarget`.
use super::hdfs3_default::{by_coins, target};
use super::{Copy, LostBlock, Memory, Refused, Rereplication, Source};
use crate::doc::own_doc;
use crate::placement::Generation;
use crate::{Dice, View};
use cluster::{Admin, NodeId};

#[derive(Clone, Copy, Debug)]
pub struct Hdfs1Default;

impl Rereplication for Hdfs1Default {
    fn name(&self) -> &'static str {
        "hdfs1-default"
    }
    fn doc(&self) -> &'static str {
        own_doc!("hdfs1_default.rs")
    }
    fn repair(
        &self,
        lost: &LostBlock<'_>,
        view: View<'_>,
        _memory: &mut Memory,
        dice: &mut dyn Dice,
    ) -> Result<Copy, Refused> {
        let source = source(lost, view, dice)?;
        let target = target(source, lost, Generation::Hdfs1, view, dice)?;
        Ok(Copy { source, target })
    }
}

fn source(lost: &LostBlock<'_>, view: View<'_>, dice: &mut dyn Dice) -> Result<NodeId, Refused> {
    let is = |s: &&Source, admin: Admin| view.node(s.node).admin == admin as u8;
    let serving = || lost.sources.iter().filter(|s| !is(s, Admin::Decommissioned));
    let ready = || serving().filter(|s| s.ready);
    if let Some(draining) = ready().rfind(|s| is(s, Admin::Decommissioning)) {
        return Ok(draining.node);
    }
    match by_coins(ready().map(|s| s.node), dice) {
        Some(node) => Ok(node),
        None => Err(serving().next().map_or(Refused::NoSource, |s| Refused::SourceBusy(s.node))),
    }
}
