//! Ring: the holder that has sent least sends to its neighbour on a ring of nodes.
//!
//! # What it decides
//! The nodes in service of a rack form a ring in the order of their ids. Dead and leaving nodes are
//! not on it; a leaving holder's successor is the next node on it. Target: strictly the source's
//! successor. Source: a holder is *eligible* if its successor neither holds nor awaits the block
//! and may receive it (space, fresh heartbeat, load). Of the eligible, the one with the fewest
//! transfers so far sends; ties: one with a free stream, then the lowest id. If that holder is
//! busy, the block waits for it: the second best never replaces it.
//!
//! Edge rules. No holder is eligible and some successor is only loaded: the block waits. None is
//! eligible at all: the holder with the fewest transfers that has a fit node further along the ring
//! sends to it, so that no block is forgotten. Other blocks do not skip nodes, since skipping
//! unbalances the ring. On a cluster of several racks: the multi-rack ring without priority
//! (`tenbin explain ring-priority`), of which this is the rule inside a rack.
//!
//! # When it helps
//! If disks are the limit and every source may run few streams. Each node has one predecessor, so
//! nodes that send evenly also receive evenly and finish together. Higai et al. 2014 show 20–25 %
//! more throughput than the default.
//!
//! # What it costs
//! One counter per node. Blocks wait for the right source, so a slow node delays more than under
//! random choice. O(holders · log nodes) per decision, no random numbers.
//!
//! # Reference
//! Higai, Takefusa, Nakada, Oguchi: simulation of HDFS replica re-replication, 2014, "heuristic".
use super::{Copy, LostBlock, Memory, Refused, Rereplication, multi_rack_ring};
use crate::doc::own_doc;
use crate::{Dice, View};

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
