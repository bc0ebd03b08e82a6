//! Min-max: chooses sources and targets of all blocks together to minimise the largest load.
//!
//! # What it decides
//! When a loss is detected, the source and target of one copy of each block that it left short.
//! Sources are holders; targets are all nodes that may receive the block, for survivors in one rack
//! those of other racks. The largest load is the least over all assignments. A node's load is what
//! it sends plus what it receives, since reads and writes share its disks. Copies under way and
//! those planned by earlier losses count. The assignment also has the fewest nodes with the largest
//! load and the least sum of squares.
//!
//! Then each block waits for its source.
//!
//! Edge rules. If the source is gone by the block's turn: source and target as `least-loaded`
//! (`tenbin explain least-loaded`). If the target is gone, full, loaded, or in the rack that the
//! copy must leave: the target as `least-loaded`. The same holds for what was not planned: the
//! second and third copy of a block that lacks several, blocks without a target in another rack,
//! and failed copies. Space: targets have space for the largest block of the loss; the plan does
//! not count how many blocks fit.
//!
//! # When it helps
//! On one rack, or with a wide network. No assignment of copies is more even, so it bounds every
//! other policy if disks are the limit. Unlike the rings it evens out the sum of both directions
//! and uses nodes that hold none of the blocks. A small loss on a large cluster spreads over all
//! nodes.
//!
//! # What it costs
//! It ignores racks: with k racks (k−1)/k of the copies cross the uplinks, and narrow uplinks
//! become the limit. It evens out counts, not time: a slow node gets as many copies as others. A
//! node may send all its copies before it receives any, while its partners wait (the rings keep
//! both directions busy). 40 000 blocks on 10 000 nodes take a fraction of a second. Two rows of
//! memory per block until it is repaired.
//!
//! # Reference
//! Harvey, Ladner, Lovász, Tamir: "Semi-matchings for bipartite graphs and load balancing", Journal
//! of Algorithms 59, 2006; the search without written-down neighbours is that of Ito, Yokoyama:
//! "Linear time algorithms for graph search and connectivity on complement graphs", Information
//! Processing Letters 66, 1998.
use super::both_ends::{CopyRequest, balance_loads};
use super::{Copy, LostBlock, Memory, Refused, Rereplication, Survivors, least_loaded, scopes};
use crate::doc::own_doc;
use crate::{Dice, Fitness, View};
use cluster::{BlockIndex, NodeId};
use std::collections::BTreeSet;
use units::{Bytes, u32_of};

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
        let (blocks, copies): (Vec<BlockIndex>, Vec<CopyRequest>) = planned.unzip();
        let mut load = promised(lost, view, memory);
        for (block, (source, target)) in
            blocks.iter().zip(balance_loads(&copies, &racks, &mut load))
        {
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
                least_loaded::record_copy(source.node, target, memory)
            }
        };
        memory.plan.discard(&lost.block);
        memory.planned_target.discard(&lost.block);
        Ok(copy)
    }
}

/// Per rack: nodes that may receive a block of `bytes`, loaded ones included.
fn open_nodes(bytes: Bytes, view: View<'_>) -> Vec<Vec<u32>> {
    let open = |id: &&NodeId| view.fitness(**id, bytes) != Fitness::Unfit;
    view.racks.iter().map(|rack| rack.iter().filter(open).map(|id| id.0).collect()).collect()
}

/// `None` if the block has no source, or no target by the rack rule.
fn ends(lost: &LostBlock<'_>, racks: &[Vec<u32>], view: View<'_>) -> Option<CopyRequest> {
    let barred = match Survivors::of(lost, view) {
        Survivors::OneRack(home) => Some(home.0),
        Survivors::Spread => None,
    };
    let sources = lost.sources.iter().map(|source| source.node.0).collect::<Vec<_>>();
    let taken: Vec<u32> = lost.taken.iter().map(|id| id.0).collect();
    let elsewhere = (0..).zip(racks).filter(|(rack, _)| Some(*rack) != barred);
    let somewhere = elsewhere.flat_map(|(_, nodes)| nodes).any(|node| !taken.contains(node));
    (somewhere && !sources.is_empty()).then_some(CopyRequest { sources, taken, barred })
}

/// Load of each node after the copies decided and planned before.
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

/// Whether the planned target may still receive the block.
fn still_fits(id: NodeId, lost: &LostBlock<'_>, view: View<'_>) -> bool {
    let home = match Survivors::of(lost, view) {
        Survivors::OneRack(home) => Some(home),
        Survivors::Spread => None,
    };
    scopes::fitness(id, lost, view) == Fitness::Fit && Some(view.rack(id)) != home
}
