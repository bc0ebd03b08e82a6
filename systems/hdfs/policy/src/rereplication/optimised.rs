//! Optimised: the ring, with the sources of all blocks chosen together as evenly as possible.
//!
//! # What it decides
//! When a loss is detected, the source of each block that it left short; targets as in the
//! multi-rack ring.
//!
//! *State 1* (survivors in several racks, or a cluster of one rack): the least sum of squares of I
//! over all assignments of blocks to eligible holders. As in the ring, a holder is eligible if its
//! successor may receive the block. I are the copies sent inside a rack, earlier ones included.
//! Each node receives from its predecessor only, so receive counts are the send counts shifted by
//! one, and equally even. *State 2* (survivors all in one rack): the least sum of squares of O, the
//! copies sent to other racks, over all assignments to holders. Both minimise every other convex
//! measure too: the largest count, and then the number of nodes that have it. Targets of state 2 go
//! round-robin, so inside a rack they differ by one at most, unless a node is skipped. With three
//! or more racks each goes to the rack with the fewest assigned per node. That is close to the
//! optimum but not proved optimal. I and O are evened out separately; bytes, space and time are
//! ignored.
//!
//! Then each block waits for its source. If the source or its successor is gone or unfit by then,
//! and for blocks without an eligible holder, the ring's rule holds (`tenbin explain ring`). A
//! later loss plans its own blocks around those planned before.
//!
//! # When it helps
//! As the bound for the rings: how much they lose by looking at one block at a time.
//!
//! # What it costs
//! Higai et al. 2014 solve a 0-1 program in exponential time. This is a flow with unit supplies and
//! convex costs: 40 000 blocks on 10 000 nodes take a fraction of a second. One row of memory per
//! block until it is repaired.
//!
//! # Reference
//! Higai, Takefusa, Nakada, Oguchi: simulation of HDFS replica re-replication, 2014, "optimised";
//! Harvey, Ladner, Lovász, Tamir: "Semi-matchings for bipartite graphs and load balancing", Journal
//! of Algorithms 59, 2006.
use super::scopes::fitness;
use super::semi_matching::{Offers, balance_loads};
use super::{
    Copy, LostBlock, Memory, Refused, Rereplication, Survivors, multi_rack_ring, rack_ring,
};
use crate::doc::own_doc;
use crate::{Dice, Fitness, View};
use cluster::{BlockIndex, NodeId};
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug)]
pub struct Optimised;

impl Rereplication for Optimised {
    fn name(&self) -> &'static str {
        "optimised"
    }
    fn doc(&self) -> &'static str {
        own_doc!("optimised.rs")
    }
    fn plan(&self, lost: &[LostBlock<'_>], view: View<'_>, memory: &mut Memory) {
        let [inside, outside] = promised(lost, memory);
        let mut within = Problem::new(inside);
        let mut across = Problem::new(outside);
        for lost in lost {
            let holders = || lost.sources.iter().map(|source| source.node);
            match Survivors::of(lost, view) {
                Survivors::OneRack(_) => across.add(lost.block, holders()),
                Survivors::Spread => {
                    within.add(lost.block, holders().filter(|&id| eligible(id, lost, view)))
                }
            }
        }
        for (block, source) in within.solve().chain(across.solve()) {
            memory.plan.insert(block, source);
        }
    }
    fn repair(
        &self,
        lost: &LostBlock<'_>,
        view: View<'_>,
        memory: &mut Memory,
        _dice: &mut dyn Dice,
    ) -> Result<Copy, Refused> {
        let planned = memory.plan.get(&lost.block).copied();
        let copy = multi_rack_ring::repair(lost, view, memory, planned)?;
        memory.plan.discard(&lost.block);
        Ok(copy)
    }
}

/// Whether the holder's successor may receive the block, loaded or not.
fn eligible(holder: NodeId, lost: &LostBlock<'_>, view: View<'_>) -> bool {
    rack_ring::next_on_ring(holder, view)
        .is_some_and(|next| fitness(next, lost, view) != Fitness::Unfit)
}

/// I and O after the copies planned before. Which of both a planned copy increases is unknown, so
/// it increases both.
fn promised(lost: &[LostBlock<'_>], memory: &Memory) -> [Vec<u32>; 2] {
    let again: BTreeSet<BlockIndex> = lost.iter().map(|lost| lost.block).collect();
    let mut counts = [memory.inside.to_vec(), memory.outside.to_vec()];
    for (_, source) in memory.plan.iter().filter(|(block, _)| !again.contains(block)) {
        counts.iter_mut().for_each(|count| count[source.at()] += 1);
    }
    counts
}

/// Blocks whose sources are evened out together.
struct Problem {
    blocks: Vec<BlockIndex>,
    offers: Offers,
    load: Vec<u32>,
}

impl Problem {
    fn new(load: Vec<u32>) -> Problem {
        Problem { blocks: Vec::new(), offers: Offers::default(), load }
    }
    /// Skips a block without a holder.
    fn add(&mut self, block: BlockIndex, holders: impl Iterator<Item = NodeId>) {
        let mut holders = holders.map(|id| id.0).peekable();
        if holders.peek().is_some() {
            self.offers.push(holders);
            self.blocks.push(block);
        }
    }
    fn solve(mut self) -> impl Iterator<Item = (BlockIndex, NodeId)> {
        let sender = balance_loads(&self.offers, &mut self.load);
        self.blocks.into_iter().zip(sender.into_iter().map(NodeId))
    }
}
