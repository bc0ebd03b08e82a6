//! Least loaded: the holder with the least work sends to the less loaded of two random nodes.
//!
//! # What it decides
//! Source: of the holders with a free stream, the one with the fewest copies to send, under way and
//! queued. Ties: the one that receives the fewest, then the one that sent the fewest since the
//! start, then the lowest id. If no holder has a free stream, the block waits for the one with the
//! least work. Decommissioned holders send like any other.
//!
//! Target: two fit nodes are drawn with replacement, and the one with fewer copies receives the
//! block. Copies under way in both directions and queued to be sent count, since all use the same
//! disks. Ties: the first drawn. Survivors in several racks (state 1): drawn from the source's
//! rack. Survivors all in one rack (state 2): drawn from the other racks.
//!
//! Why the source's rack and not anywhere: two draws even out a rack of forty nodes as well as a
//! cluster of thousands. The choice of the source evens out the racks. The uplinks, the narrowest
//! part of most clusters, stay free for the copies of state 2.
//!
//! Edge rules. The source's rack has no fit node (state 1): anywhere. No other rack has one (state
//! 2): the same rack, unless a new rack is all that the block lacks. If nodes are merely loaded,
//! the block waits.
//!
//! # When it helps
//! If nodes are unequally busy: slow nodes, few blocks per node, several losses at once, or other
//! work. It needs no ring, so a full or dead target does not unbalance it. It uses the present
//! load, not the past: nodes that finish early get more.
//!
//! # What it costs
//! With n nodes and n copies under way the fullest node has about log log n more than the mean; one
//! random draw gives log n / log log n. A ring and an optimum are more even over a whole recovery.
//! One counter per node. Under rounds the loads are as old as the last heartbeat. O(holders) and
//! expected O(1) draws.
//!
//! # Reference
//! Azar, Broder, Karlin, Upfal: "Balanced allocations", SIAM Journal on Computing 29, 1999;
//! Mitzenmacher: "The power of two choices in randomized load balancing", IEEE Transactions on
//! Parallel and Distributed Systems 12, 2001.
use super::{Copy, LostBlock, Memory, Refused, Rereplication, Source, scopes};
use crate::doc::own_doc;
use crate::placement::{Scope, draw_from};
use crate::{Dice, Fitness, View};
use cluster::NodeId;

#[derive(Clone, Copy, Debug)]
pub struct LeastLoaded;

impl Rereplication for LeastLoaded {
    fn name(&self) -> &'static str {
        "least-loaded"
    }
    fn doc(&self) -> &'static str {
        own_doc!("least_loaded.rs")
    }
    fn repair(
        &self,
        lost: &LostBlock<'_>,
        view: View<'_>,
        memory: &mut Memory,
        dice: &mut dyn Dice,
    ) -> Result<Copy, Refused> {
        repair(lost, view, memory, dice)
    }
}

pub(super) fn repair(
    lost: &LostBlock<'_>,
    view: View<'_>,
    memory: &mut Memory,
    dice: &mut dyn Dice,
) -> Result<Copy, Refused> {
    let source = source(lost, |s| source_load(s.node, view, memory))?;
    let target = target(source, lost, view, dice)?;
    Ok(record_copy(source, target, memory))
}

pub(super) fn record_copy(source: NodeId, target: NodeId, memory: &mut Memory) -> Copy {
    memory.inside.update(source.at(), |sent| *sent += 1);
    Copy { source, target }
}

/// The holder with a free stream and the least `order`, then the lowest id. If none
/// has one, the block waits for the least of all holders.
pub(super) fn source<K: Ord>(
    lost: &LostBlock<'_>,
    order: impl Fn(&Source) -> K,
) -> Result<NodeId, Refused> {
    let first = lost.sources.iter().min_by_key(|s| (!s.ready, order(s), s.node));
    match first.ok_or(Refused::NoSource)? {
        Source { node, ready: true, .. } => Ok(*node),
        busy => Err(Refused::SourceBusy(busy.node)),
    }
}

/// The less loaded of two fit nodes, within the racks that the block's state allows.
pub(super) fn target(
    source: NodeId,
    lost: &LostBlock<'_>,
    view: View<'_>,
    dice: &mut dyn Dice,
) -> Result<NodeId, Refused> {
    let fitness = |id| scopes::fitness(id, lost, view);
    scopes::first_of(source, lost, view, |scope| two_choices(scope, view, dice, fitness))
}

/// The less loaded of two fit nodes drawn from `scope`.
pub(super) fn two_choices(
    scope: Scope,
    view: View<'_>,
    dice: &mut dyn Dice,
    fitness: impl Fn(NodeId) -> Fitness,
) -> Result<NodeId, Refused> {
    let first = draw_from(scope, view, dice, &fitness)?;
    let second = draw_from(scope, view, dice, &fitness)?;
    Ok(if load(second, view) < load(first, view) { second } else { first })
}

/// Load of a source: copies to send, copies to receive, copies sent since the start.
pub(super) fn source_load(id: NodeId, view: View<'_>, memory: &Memory) -> (u32, u32, u32) {
    let node = view.node(id);
    (node.sending.saturating_add(node.queued), node.receiving, memory.inside[id.at()])
}

/// Load of a target: copies under way in both directions and queued.
pub(super) fn load(id: NodeId, view: View<'_>) -> u32 {
    let node = view.node(id);
    node.sending.saturating_add(node.queued).saturating_add(node.receiving)
}
