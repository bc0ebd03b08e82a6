//! Min-max: sources and targets of all blocks chosen together, so that no node has much to do.
//!
//! # What it decides
//! When a loss becomes known, source and target of a copy of each block that it made short: over
//! all assignments of sources (holders) and targets (all nodes that may receive the block; of
//! survivors in one rack those of other racks) the largest load is least. A node's load is what it
//! sends and what it receives, added up, since reads and writes share its disks; copies under way,
//! and those planned by earlier losses, count. The same assignment has the fewest nodes with the
//! largest load, and the least sum of squares.
//!
//! Then each block waits for its source.
//!
//! Edge rules. The source has gone by the block's turn: source and target as `least-loaded`
//! (`tenbin explain least-loaded`). The target has gone, is full or loaded, or in the rack that the
//! copy must leave: the target as `least-loaded`. The same for what was not planned: the second and
//! third copy of a block that lacks several, blocks without a target in another rack, and copies
//! that failed. Room: targets are the nodes with room for the largest block of the loss; how many
//! blocks a node has room for is not part of the plan.
//!
//! # When it helps
//! On one rack, or where the network is wide: no assignment of copies is more even, so it is the
//! bound for every other policy when disks are the limit. Unlike the rings it evens out the sum of
//! both directions and uses nodes that hold none of the blocks: a small loss on a large cluster is
//! spread over all of it.
//!
//! # What it costs
//! Where the copies go, by racks, is left to chance: of k racks' copies (k−1)/k cross the uplinks,
//! so that narrow ones are what is waited for. It evens out counts, not time: a slow node gets as
//! many copies as others, and one may send all of its copies before it receives any, while its
//! partners wait (the rings keep both directions busy). 40 000 blocks on 10 000 nodes take a
//! fraction of a second. Two rows of memory for each block until it is repaired.
//!
//! # Reference
//! Harvey, Ladner, Lovász, Tamir: "Semi-matchings for bipartite graphs and load balancing", Journal
//! of Algorithms 59, 2006; the search without written-down neighbours is that of Ito, Yokoyama:
//! "Linear time algorithms for graph search and connectivity on complement graphs", Information
//! Processing Letters 66, 1998.
use super::both_ends::{Ends, even_out};
use super::{Copy, LostBlock, Memory, Refused, Rereplication, Survivors, least_loaded, scopes};
use crate::doc::own_doc;
use crate::{Dice, Fitness, View};
use cluster::{BlockIndex, NodeId};
use std::collections::BTreeSet;
use units::{Bytes, u32_of};

/// See the module's doc.
#[derive(Clone, Copy, Debug)]
pub struct MinMax;

impl Rereplication for MinMax {
    fn name(&self) -> &'static str {
        "min-max"
    }
    fn doc(&self) -> &'static str {
        own_doc!("min_max.rs")
    }
    fn plan(&self, lost: &[LostBlock<'_>], view: View<'_>, memory: &mut Memory) {
        let largest = lost.iter().map(|lost| lost.bytes).max().unwrap_or(Bytes(0));
        let racks = open_nodes(largest, view);
        let planned = lost.iter().filter_map(|lost| Some((lost.block, ends(lost, &racks, view)?)));
        let (blocks, copies): (Vec<BlockIndex>, Vec<Ends>) = planned.unzip();
        let mut load = promised(lost, view, memory);
        for (block, (source, target)) in blocks.iter().zip(even_out(&copies, &racks, &mut load)) {
            memory.plan.insert(*block, NodeId(source));
            memory.planned_target.insert(*block, NodeId(target));
        }
    }
    fn repair(
        &self,
        lost: &LostBlock<'_>,
        view: View<'_>,
        memory: &mut Memory,
        dice: &mut dyn Dice,
    ) -> Result<Copy, Refused> {
        let planned = memory.plan.get(&lost.block).copied();
        let copy = match lost.sources.iter().find(|s| Some(s.node) == planned) {
            None => least_loaded::repair(lost, view, memory, dice)?,
            Some(source) if !source.ready => return Err(Refused::SourceBusy(source.node)),
            Some(source) => {
                let target = memory.planned_target.get(&lost.block).copied();
                let target = match target.filter(|&id| still_fits(id, lost, view)) {
                    Some(target) => target,
                    None => least_loaded::target(source.node, lost, view, dice)?,
                };
                least_loaded::decided(source.node, target, memory)
            }
        };
        memory.plan.discard(&lost.block);
        memory.planned_target.discard(&lost.block);
        Ok(copy)
    }
}

/// By rack: the nodes that may receive a block of this length; load passes.
fn open_nodes(bytes: Bytes, view: View<'_>) -> Vec<Vec<u32>> {
    let open = |id: &&NodeId| view.fitness(**id, bytes) != Fitness::Unfit;
    view.racks.iter().map(|rack| rack.iter().filter(open).map(|id| id.0).collect()).collect()
}

/// `None`: no source, or nowhere to go by the rack rule.
fn ends(lost: &LostBlock<'_>, racks: &[Vec<u32>], view: View<'_>) -> Option<Ends> {
    let barred = match Survivors::of(lost, view) {
        Survivors::OneRack(home) => Some(home.0),
        Survivors::Spread => None,
    };
    let sources = lost.sources.iter().map(|source| source.node.0).collect::<Vec<_>>();
    let taken: Vec<u32> = lost.taken.iter().map(|id| id.0).collect();
    let elsewhere = (0..).zip(racks).filter(|(rack, _)| Some(*rack) != barred);
    let somewhere = elsewhere.flat_map(|(_, nodes)| nodes).any(|node| !taken.contains(node));
    (somewhere && !sources.is_empty()).then_some(Ends { sources, taken, barred })
}

/// What each node has to do when what was decided and planned before is done.
fn promised(lost: &[LostBlock<'_>], view: View<'_>, memory: &Memory) -> Vec<u32> {
    let again: BTreeSet<BlockIndex> = lost.iter().map(|lost| lost.block).collect();
    let mut load: Vec<u32> =
        (0..u32_of(view.nodes.len())).map(|id| least_loaded::load(NodeId(id), view)).collect();
    let before = memory.plan.iter().chain(memory.planned_target.iter());
    for (_, node) in before.filter(|(block, _)| !again.contains(block)) {
        load[node.at()] += 1;
    }
    load
}

/// May the planned target still receive the block?
fn still_fits(id: NodeId, lost: &LostBlock<'_>, view: View<'_>) -> bool {
    let home = match Survivors::of(lost, view) {
        Survivors::OneRack(home) => Some(home),
        Survivors::Spread => None,
    };
    scopes::fitness(id, lost, view) == Fitness::Fit && Some(view.rack(id)) != home
}
