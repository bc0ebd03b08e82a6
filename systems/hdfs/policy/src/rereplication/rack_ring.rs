//! Ring of the nodes of one rack: each holder may send to its successor.
use super::scopes::fitness;
use super::{Copy, LostBlock, Memory, Refused, Source};
use crate::{Fitness, View};
use cluster::NodeId;

/// A copy inside the rack of a holder: of `planned` if it is eligible, else of the one that sent
/// least.
pub(super) fn copy_within_rack(
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

/// The eligible holder with the lowest [`turn`], and its successor.
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

/// Order of sources: fewest copies inside its rack, then a free stream, then the id.
fn turn(source: Source, memory: &Memory) -> (u32, bool, NodeId) {
    (memory.inside[source.node.at()], !source.ready, source.node)
}

/// Edge rule if no holder is eligible: the target is further along the ring.
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

/// Nodes in service of the rack of `id` in ring order, from its successor on, without itself.
fn ring_after<'a>(id: NodeId, view: View<'a>) -> impl Iterator<Item = NodeId> + 'a {
    let rack = &view.racks[view.rack(id).at()];
    let at = rack.binary_search(&id).expect("a rack lists its nodes in the order of ids");
    let along = rack[at + 1..].iter().chain(&rack[..at]).copied();
    along.filter(move |&other| view.node(other).in_service())
}

/// `None` if the rack has no other node in service.
pub(super) fn next_on_ring(id: NodeId, view: View<'_>) -> Option<NodeId> {
    ring_after(id, view).next()
}
