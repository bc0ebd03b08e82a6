//! Default of Hadoop 3: a coin chooses among the holders, placement chooses the target.
//!
//! # What it decides
//! Source: holders below their stream limit, in storage order. The first is kept until a coin
//! replaces it by the next: two holders have ½ each, three ¼, ¼, ½, four ⅛, ⅛, ¼, ½. Leaving nodes
//! have no preference. A decommissioned holder sends only if there is no live replica and no other
//! source.
//!
//! Target: as `BlockPlacementPolicyDefault` with the live replicas as those chosen already.
//! Survivors all in one rack: a random node of another rack. Two in two racks: a random node of the
//! *source's* rack, else of the other's, else anywhere. Three and more: anywhere. Never more than
//! ⌊(r−1)/racks⌋ + 2 replicas in a rack, and with r = 2 or 3 never all of them. So a block whose
//! other racks are full stays under-replicated.
//!
//! # When it helps
//! It needs no memory and no coordination. On large clusters with few copies per node chance evens
//! out well enough.
//!
//! # What it costs
//! Some nodes send or receive much more than others and finish last. The lost node's rack mates
//! receive about twice what the others do. O(holders) and expected O(1) draws per decision.
//!
//! # Reference
//! Apache Hadoop 3.4 `BlockManager.chooseSourceDatanodes`,
//! `BlockPlacementPolicyDefault.chooseTargetInOrder`, `BlockManager.validateReconstructionWork`.
use super::{Copy, LostBlock, Memory, Refused, Rereplication, Source};
use crate::doc::own_doc;
use crate::placement::{Generation, Repair, choose_target_for_repair};
use crate::{Dice, View};
use cluster::{Admin, NodeId};

#[derive(Clone, Copy, Debug)]
pub struct Hdfs3Default;

impl Rereplication for Hdfs3Default {
    fn name(&self) -> &'static str {
        "hdfs3-default"
    }
    fn doc(&self) -> &'static str {
        own_doc!("hdfs3_default.rs")
    }
    fn repair(
        &self,
        lost: &LostBlock<'_>,
        view: View<'_>,
        _memory: &mut Memory,
        dice: &mut dyn Dice,
    ) -> Result<Copy, Refused> {
        let source = source(lost, view, dice)?;
        let target = target(source, lost, Generation::Hdfs3, view, dice)?;
        Ok(Copy { source, target })
    }
}

pub(super) fn source(
    lost: &LostBlock<'_>,
    view: View<'_>,
    dice: &mut dyn Dice,
) -> Result<NodeId, Refused> {
    let gone = |s: &&Source| view.node(s.node).admin == Admin::Decommissioned as u8;
    let serving = || lost.sources.iter().filter(|s| !gone(s));
    let drawn = by_coins(serving().filter(|s| s.ready).map(|s| s.node), dice);
    if let Some(node) = drawn {
        return Ok(node);
    }
    if let Some(busy) = serving().next() {
        return Err(Refused::SourceBusy(busy.node));
    }
    if !lost.live.is_empty() {
        return Err(Refused::NoSource);
    }
    by_coins(lost.sources.iter().map(|s| s.node), dice).ok_or(Refused::NoSource)
}

/// The first holder, replaced by each next one with probability ½.
pub(super) fn by_coins(
    mut holders: impl Iterator<Item = NodeId>,
    dice: &mut dyn Dice,
) -> Option<NodeId> {
    let first = holders.next()?;
    Some(holders.fold(first, |kept, next| if dice.coin() { next } else { kept }))
}

/// Placement's target. If the block lacks only a rack, a target in the source's rack is refused (as
/// in HDFS, even if that rack is new). So is one in a live replica's rack (HDFS would make a
/// useless copy).
pub(super) fn target(
    source: NodeId,
    lost: &LostBlock<'_>,
    generation: Generation,
    view: View<'_>,
    dice: &mut dyn Dice,
) -> Result<NodeId, Refused> {
    let LostBlock { live, taken, bytes, expected, .. } = *lost;
    let repair = Repair { writer: source, live, taken, bytes, expected };
    let target = choose_target_for_repair(repair, generation, view, dice)?;
    let mut old = lost.live.iter().copied().chain([source]).map(|id| view.rack(id));
    if lost.only_rack && old.any(|rack| rack == view.rack(target)) {
        return Err(Refused::NoTarget);
    }
    Ok(target)
}
