//! The default of Hadoop 3: a coin decides among the holders, placement finds the target.
//!
//! # What it decides
//! Source: holders below their stream limit, in storage order; the first is kept until a coin
//! replaces it by the next, so two holders have ½ each, three ¼, ¼, ½, and four ⅛, ⅛, ¼, ½. Leaving
//! nodes have no preference. A decommissioned holder sends only where there is no live replica and
//! no other source.
//!
//! Target: as `BlockPlacementPolicyDefault` with the live replicas as those chosen already.
//! Survivors all on one rack: a random node of another rack; two on two racks: a random node of the
//! *source's* rack, else of the other's, else anywhere; three and more: anywhere. Never more than
//! ⌊(r−1)/racks⌋ + 2 replicas in a rack, and with r = 2 or 3 never all of them, so that a block
//! whose other racks are full stays under-replicated.
//!
//! # When it helps
//! It needs no memory and no coordination, and on large clusters with few copies a node chance
//! evens out well enough.
//!
//! # What it costs
//! Some nodes send or receive much more than others and finish last, and the lost node's rack mates
//! receive about twice what the others do. O(holders) and expected O(1) draws for a decision.
//!
//! # Reference
//! Apache Hadoop 3.4 `BlockManager.chooseSourceDatanodes`,
//! `BlockPlacementPolicyDefault.chooseTargetInOrder`, `BlockManager.validateReconstructionWork`.
use super::{Copy, LostBlock, Memory, Refused, Rereplication, Source};
use crate::doc::own_doc;
use crate::placement::{Generation, Repair, choose_target_for_repair};
use crate::{Dice, View};
use cluster::{Admin, NodeId};

/// See the module's doc.
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

/// The first, replaced by each next one where a coin says so.
pub(super) fn by_coins(
    mut holders: impl Iterator<Item = NodeId>,
    dice: &mut dyn Dice,
) -> Option<NodeId> {
    let first = holders.next()?;
    Some(holders.fold(first, |kept, next| if dice.coin() { next } else { kept }))
}

/// Placement's target, refused where a new rack is the point and it is in the source's (as HDFS has
/// it, even if that would be a new one) or in a live replica's (HDFS would make that useless copy).
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
