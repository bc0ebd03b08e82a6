//! Holders of blocks that are older than the logs, inferred from later lines.
//!
//! Logs are rotated, so a log can begin at the loss. Later lines still name replicas:
//! `removeStoredBlock` the lost one, `ask` the source; `LowRedundancyBlock` has the number of live
//! ones. Holders that are counted but never named are drawn.
use super::log_history::{Block, LogHistory, Shortage};
use units::{u32_of, usize_of};

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Gaps {
    /// Blocks with missing replicas after the loss whose holders are partly in later lines.
    pub(super) inferred: u64,
    /// Blocks with live holders that no line names.
    pub(super) drawn: u64,
    /// Blocks with an unexplained new replica after the loss: they may have been at risk.
    pub(super) untold: u64,
    /// Blocks allocated to a lost node, without a line on any replica.
    pub(super) unheard: u64,
    /// Blocks with a lost line on a replica; the node is taken from the allocation.
    pub(super) planned: u64,
    /// Blocks without a known holder, omitted.
    pub(super) unplaced: u64,
    /// No line shows a block on a lost node, or that the node was new and empty.
    pub(super) silent: bool,
}

impl Gaps {
    /// True if the logs show which blocks were at risk, and until when.
    pub(super) fn has_risk_times(&self) -> bool {
        self.untold + self.unheard == 0 && !self.silent
    }

    /// Holders of the block at the first loss; empty if no line names one.
    pub(super) fn holders(
        &mut self,
        story: &LogHistory,
        id: i64,
        block: &Block,
        wanted: u8,
        damaged: bool,
    ) -> Vec<u32> {
        let mut holders = block.holders.clone();
        if damaged {
            holders.extend(block.unheard());
            self.planned += u64::from(holders.len() > block.holders.len())
        }
        let known = holders.len();
        // A block with a logged allocation also has its replicas logged. Its target may exceed
        // them.
        let old = block.planned.is_empty();
        let (live, dead) = match block.short {
            Some(Shortage::Has { live, dead }) => (live, dead),
            Some(Shortage::Lacks(n)) => (wanted.saturating_sub(n), story.dead.len()),
            None => (if old { wanted } else { 0 }, 0),
        };
        let dead = &story.dead[..dead];
        let is_dead = holders.iter().any(|node| story.dead.contains(node));
        if block.short.is_some() && live < wanted && !is_dead && story.dead.len() == 1 {
            holders.extend(dead)
        }
        if old && block.short.is_none() && !is_dead && story.has_unexplained_replica(id) {
            self.untold += 1;
        }
        if holders.is_empty() {
            self.unplaced += 1;
            // A file being written has unreported blocks, too, if other blocks have logged holders.
            let struck = block.planned.iter().any(|node| story.dead.contains(node));
            self.unheard += u64::from(struck && !story.has_holders);
            return holders;
        }
        let named = holders.iter().filter(|node| !dead.contains(node)).count();
        let drawn = draw(story, id, block, &holders, usize::from(live).saturating_sub(named));
        self.drawn += u64::from(!drawn.is_empty());
        let partly = holders.len() > known || !drawn.is_empty();
        self.inferred += u64::from(partly && (block.short.is_some() || is_dead));
        holders.extend(drawn);
        holders
    }
}

/// Draws `count` live nodes that no line rules out. If the holders share one rack, the first draw
/// is from another rack.
fn draw(story: &LogHistory, id: i64, block: &Block, holders: &[u32], count: usize) -> Vec<u32> {
    let nodes = &story.nodes.all;
    let barred = [holders, &block.later, &block.removed, &story.dead];
    let mut free: Vec<u32> = (0..u32_of(nodes.len()))
        .filter(|node| !barred.iter().any(|nodes| nodes.contains(node)))
        .collect();
    let mut drawn = Vec::new();
    while drawn.len() < count && !free.is_empty() {
        let rack = |node: &u32| &nodes[*node as usize].rack;
        let held = holders.iter().filter(|node| !story.dead.contains(node)).chain(&drawn);
        let racks: Vec<_> = held.map(rack).collect();
        let other: Vec<u32> = free.iter().copied().filter(|n| !racks.contains(&rack(n))).collect();
        let of = if racks.len() == 1 && !other.is_empty() { &other } else { &free };
        let node = of[usize_of(id.unsigned_abs() % of.len() as u64)];
        free.retain(|free| *free != node);
        drawn.push(node)
    }
    drawn
}
