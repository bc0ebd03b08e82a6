//! Multi-rack ring: a ring in each rack; copies between racks go round-robin.
//!
//! # What it decides
//! Every node counts the copies it sent by the ring inside its rack (I) and by the rule between
//! racks (O). O includes copies of a leaving holder in the target rack. Every rack has a cursor
//! (R).
//!
//! *State 1*, survivors in several racks: the ring inside a rack (`tenbin explain ring`) with I as
//! the count.
//!
//! *State 2*, survivors all in one rack. Source: the holder with the least O; ties: one with a free
//! stream, then the lowest id. If it is busy, the block waits. Target rack: of the other racks the
//! one to which this rule has assigned the fewest blocks per node in service; ties: the next id
//! after the survivors' rack. With two racks that is the other one. Target node: the next one after
//! the rack's cursor that may receive the block; the cursor moves behind it. `ring-priority` takes
//! all blocks in state 2 first, `ring` takes them in HDFS's order.
//!
//! Edge rules. The target rack has no fit node: the next best rack. No other rack has one: the
//! block waits if some nodes are only loaded. Otherwise it stays in its rack by the ring, unless a
//! new rack is all it lacks. A state-1 block whose holders' racks have no fit node goes to another
//! rack as in state 2.
//!
//! One replica left: state 2 on several racks; with one rack the ring.
//!
//! # When it helps
//! If racks are joined by enough bandwidth. Priority shortens the time during which the loss of one
//! more rack would lose a block.
//!
//! # What it costs
//! Two counters per node and two per rack. With priority all copies between racks come first: a
//! narrow link between racks is busy while disks wait, and later the reverse. Higai et al. 2014
//! find less throughput than without. O(holders + racks) per decision, plus an occasional count of
//! the target rack's nodes; no random numbers.
//!
//! # Reference
//! Higai, Takefusa, Nakada, Oguchi: simulation of HDFS replica re-replication, 2014, "multi-rack
//! heuristic", for two racks. The rule for the target rack is Tenbin's, since the paper leaves more
//! racks to future work.
use super::scopes::fitness;
use super::{Copy, LostBlock, Memory, Refused, Rereplication, Source, Survivors, rack_ring};
use crate::doc::own_doc;
use crate::{Dice, Fitness, View};
use cluster::{NodeId, RackId};
use units::u32_of;

/// [`Ring`](super::Ring) with priority for blocks in one rack.
#[derive(Clone, Copy, Debug)]
pub struct RingPriority;

impl Rereplication for RingPriority {
    fn name(&self) -> &'static str {
        "ring-priority"
    }
    fn doc(&self) -> &'static str {
        own_doc!("multi_rack_ring.rs")
    }
    fn urgency(&self, lost: &LostBlock<'_>, view: View<'_>) -> u8 {
        match Survivors::of(lost, view) {
            Survivors::OneRack(_) => 0,
            Survivors::Spread => 1,
        }
    }
    fn repair(
        &self,
        lost: &LostBlock<'_>,
        view: View<'_>,
        memory: &mut Memory,
        _dice: &mut dyn Dice,
    ) -> Result<Copy, Refused> {
        repair(lost, view, memory, None)
    }
}

/// The multi-rack rule; sends from `planned` if possible.
pub(super) fn repair(
    lost: &LostBlock<'_>,
    view: View<'_>,
    memory: &mut Memory,
    planned: Option<NodeId>,
) -> Result<Copy, Refused> {
    match Survivors::of(lost, view) {
        Survivors::Spread => match rack_ring::copy_within_rack(lost, view, memory, planned) {
            Err(Refused::NoTarget) => {
                let home = view.rack(lost.sources[0].node);
                across(lost, view, memory, None, home)
            }
            decided => decided,
        },
        Survivors::OneRack(home) => match across(lost, view, memory, planned, home) {
            Err(Refused::NoTarget) if !lost.only_rack => {
                rack_ring::copy_within_rack(lost, view, memory, None)
            }
            decided => decided,
        },
    }
}

fn across(
    lost: &LostBlock<'_>,
    view: View<'_>,
    memory: &mut Memory,
    planned: Option<NodeId>,
    home: RackId,
) -> Result<Copy, Refused> {
    let turn =
        |s: &&Source| (Some(s.node) != planned, memory.outside[s.node.at()], !s.ready, s.node);
    let source = *lost.sources.iter().min_by_key(turn).ok_or(Refused::NoSource)?;
    if !source.ready {
        return Err(Refused::SourceBusy(source.node));
    }
    let (target, cursor) = target(lost, view, memory, home)?;
    let rack = view.rack(target).at();
    memory.cursor.set(rack, cursor);
    memory.to_rack.update(rack, |promised| *promised += 1);
    memory.outside.update(source.node.at(), |sent| *sent += 1);
    Ok(Copy { source: source.node, target })
}

/// Target, and the next cursor of its rack.
fn target(
    lost: &LostBlock<'_>,
    view: View<'_>,
    memory: &Memory,
    home: RackId,
) -> Result<(NodeId, u32), Refused> {
    let mut barred = Vec::new();
    let mut refused = Refused::NoTarget;
    while let Some(rack) = quietest(view, memory, home, &barred) {
        let nodes = &view.racks[rack.at()];
        let start = memory.cursor[rack.at()] as usize % nodes.len();
        let mut turns = (start..nodes.len()).chain(0..start);
        let fitness = |at: usize| fitness(nodes[at], lost, view);
        if let Some(at) = turns.find(|&at| fitness(at) == Fitness::Fit) {
            return Ok((nodes[at], u32_of((at + 1) % nodes.len())));
        }
        if (0..nodes.len()).any(|at| fitness(at) == Fitness::Loaded) {
            refused = Refused::TargetsLoaded;
        }
        barred.push(rack);
    }
    Err(refused)
}

/// The rack, except `home` and `barred`, with the fewest blocks assigned per node in
/// service.
fn quietest(view: View<'_>, memory: &Memory, home: RackId, barred: &[RackId]) -> Option<RackId> {
    let mut best: Option<(u64, u64, RackId)> = None;
    let racks = u32_of(view.racks.len());
    for rack in (home.0 + 1..racks).chain(0..home.0).map(RackId) {
        let promised = u64::from(memory.to_rack[rack.at()]);
        let nodes = &view.racks[rack.at()];
        // A rack can only be better with all its nodes counted. Counting those in service is slow.
        let quieter = |nodes: u64| best.is_none_or(|(p, n, _)| promised * n < p * nodes);
        if barred.contains(&rack) || !quieter(nodes.len() as u64) {
            continue;
        }
        let serving = nodes.iter().filter(|&&id| view.node(id).in_service()).count() as u64;
        if serving > 0 && quieter(serving) {
            best = Some((promised, serving, rack));
        }
    }
    best.map(|(_, _, rack)| rack)
}
