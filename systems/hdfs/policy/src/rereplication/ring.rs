//! Ring: the holder that has sent least sends to its neighbour on a ring of nodes.
//!
//! # What it decides
//! The nodes in service of a rack form a ring in the order of their ids; dead and leaving nodes are
//! not on it (a leaving holder's successor is the next node that is). Target: strictly the source's
//! successor. Source: a holder is *eligible* if its successor neither holds nor awaits the block
//! and may receive it (room, fresh heartbeat, load); among the eligible the one with the fewest
//! transfers so far, of equal ones one with a free stream, then the lowest id. Is that holder busy,
//! the block waits for it: the second best is never taken.
//!
//! Edge rules. No holder is eligible and some successor is only loaded: the block waits. None is
//! eligible at all: the holder with the fewest transfers that has one sends to the next fitting
//! node behind its successor, so that no block is forgotten; done for every block this skipping
//! unbalances, so it is done for these only. On a cluster of several racks: the multi-rack ring
//! without priority (`tenbin explain ring-priority`), to which this is the rule inside a rack.
//!
//! # When it helps
//! When disks are the limit and every source may run few streams: who sends evenly also receives
//! evenly, since each node has one predecessor, so no node finishes last. The document shows 20–25
//! % more throughput than the default.
//!
//! # What it costs
//! One counter a node. Blocks wait for the right source, so a slow node delays more than under
//! chance. O(holders · log nodes) for a decision, no random numbers.
//!
//! # Reference
//! Higai, Takefusa, Nakada, Oguchi: simulation of HDFS replica re-replication, 2014, "heuristic".
use super::scopes::fitness;
use super::{Copy, LostBlock, Memory, Refused, Rereplication, Source, multi_rack_ring};
use crate::doc::own_doc;
use crate::{Dice, Fitness, View};
use cluster::NodeId;

/// See the module's doc.
#[derive(Clone, Copy, Debug)]
pub struct Ring;

impl Rereplication for Ring {
    fn name(&self) -> &'static str {
        "ring"
    }
    fn doc(&self) -> &'static str {
        own_doc!("ring.rs")
    }
    fn repair(
        &self,
        lost: &LostBlock<'_>,
        view: View<'_>,
        memory: &mut Memory,
        _dice: &mut dyn Dice,
    ) -> Result<Copy, Refused> {
        multi_rack_ring::repair(lost, view, memory, None)
    }
}

/// A repair inside the rack of one of the holders: of `planned`, if it is eligible, else of the one
/// that sent least.
pub(super) fn within(
    lost: &LostBlock<'_>,
    view: View<'_>,
    memory: &mut Memory,
    planned: Option<NodeId>,
) -> Result<Copy, Refused> {
    let (source, target) = match choose(lost, view, memory, planned) {
        Some(pair) => pair,
        None => beyond(lost, view, memory)?,
    };
    if !source.ready {
        return Err(Refused::SourceBusy(source.node));
    }
    memory.inside.update(source.node.at(), |sent| *sent += 1);
    Ok(Copy { source: source.node, target })
}

/// The eligible holder whose turn it is, and its successor.
fn choose(
    lost: &LostBlock<'_>,
    view: View<'_>,
    memory: &Memory,
    planned: Option<NodeId>,
) -> Option<(Source, NodeId)> {
    let eligible = lost.sources.iter().filter_map(|&source| {
        let target = next_on_ring(source.node, view)?;
        (fitness(target, lost, view) == Fitness::Fit).then_some((source, target))
    });
    eligible.min_by_key(|(source, _)| (Some(source.node) != planned, turn(*source, memory)))
}

/// Whose turn it is: fewest transfers inside its rack, then a free stream, then the id.
fn turn(source: Source, memory: &Memory) -> (u32, bool, NodeId) {
    (memory.inside[source.node.at()], !source.ready, source.node)
}

/// The edge rule, where no holder is eligible: further along the ring.
fn beyond(
    lost: &LostBlock<'_>,
    view: View<'_>,
    memory: &Memory,
) -> Result<(Source, NodeId), Refused> {
    if lost.sources.is_empty() {
        return Err(Refused::NoSource);
    }
    let only_loaded = |source: &Source| {
        next_on_ring(source.node, view)
            .is_some_and(|next| fitness(next, lost, view) == Fitness::Loaded)
    };
    if lost.sources.iter().any(only_loaded) {
        return Err(Refused::TargetsLoaded);
    }
    let mut sources = lost.sources.to_vec();
    sources.sort_by_key(|&source| turn(source, memory));
    let found = sources.iter().find_map(|&source| {
        let mut ring = ring_after(source.node, view);
        ring.find(|&id| fitness(id, lost, view) == Fitness::Fit).map(|target| (source, target))
    });
    found.ok_or_else(|| {
        let mut ring = sources.iter().flat_map(|source| ring_after(source.node, view));
        match ring.any(|id| fitness(id, lost, view) == Fitness::Loaded) {
            true => Refused::TargetsLoaded,
            false => Refused::NoTarget,
        }
    })
}

/// The nodes in service of a node's rack in the order of the ring, from its successor on, without
/// itself.
pub(super) fn ring_after<'a>(id: NodeId, view: View<'a>) -> impl Iterator<Item = NodeId> + 'a {
    let rack = &view.racks[view.rack(id).at()];
    let at = rack.binary_search(&id).expect("a rack lists its nodes in the order of ids");
    let along = rack[at + 1..].iter().chain(&rack[..at]).copied();
    along.filter(move |&other| view.node(other).in_service())
}

/// The successor; `None` in a rack without another node in service.
pub(super) fn next_on_ring(id: NodeId, view: View<'_>) -> Option<NodeId> {
    ring_after(id, view).next()
}
