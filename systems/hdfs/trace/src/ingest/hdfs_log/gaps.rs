//! Blocks that are older than the logs: who held them, as far as later lines bear it out.
//!
//! Logs are rolled, so a log may begin at the loss. What it then says of a block names replicas all
//! the same: `removeStoredBlock` the lost one, `ask` its source, `LowRedundancyBlock` how many are
//! live. Holders that are counted and never named are drawn.
use super::story::{Block, Short, Story};
use units::{u32_of, usize_of};

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Gaps {
    /// Blocks short of replicas after the loss, whose holders later lines tell in part.
    pub(super) inferred: u64,
    /// Blocks that have live holders which no line names.
    pub(super) drawn: u64,
    /// Blocks that get replicas after the loss, and no line says why: they may have been at risk.
    pub(super) untold: u64,
    /// Blocks that were given to a lost node, and no line tells who took any.
    pub(super) unheard: u64,
    /// Blocks of which a line is lost that told of a replica: its node is that of the allocation.
    pub(super) planned: u64,
    /// Blocks without any holder, left out.
    pub(super) unplaced: u64,
    /// No line tells of any block on a lost node, nor that it was new and empty.
    pub(super) silent: bool,
}

impl Gaps {
    /// Whether the logs hold the loss: which blocks were at risk, and until when.
    pub(super) fn tell_the_loss(&self) -> bool {
        self.untold + self.unheard == 0 && !self.silent
    }

    /// Who held the block at the first loss; nobody if no line tells.
    pub(super) fn holders(
        &mut self,
        story: &Story,
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
        // Where its allocation is told, so is what came of it: it may want more than it ever had.
        let old = block.planned.is_empty();
        let (live, dead) = match block.short {
            Some(Short::Has { live, dead }) => (live, dead),
            Some(Short::Lacks(n)) => (wanted.saturating_sub(n), story.dead.len()),
            None => (if old { wanted } else { 0 }, 0),
        };
        let dead = &story.dead[..dead];
        let told = holders.iter().any(|node| story.dead.contains(node));
        if block.short.is_some() && live < wanted && !told && story.dead.len() == 1 {
            holders.extend(dead)
        }
        if old && block.short.is_none() && !told && story.came(id) {
            self.untold += 1;
        }
        if holders.is_empty() {
            self.unplaced += 1;
            // A file that is being written has such blocks, too, where others are told.
            let struck = block.planned.iter().any(|node| story.dead.contains(node));
            self.unheard += u64::from(struck && !story.holders_told);
            return holders;
        }
        let named = holders.iter().filter(|node| !dead.contains(node)).count();
        let drawn = draw(story, id, block, &holders, usize::from(live).saturating_sub(named));
        self.drawn += u64::from(!drawn.is_empty());
        let partly = holders.len() > known || !drawn.is_empty();
        self.inferred += u64::from(partly && (block.short.is_some() || told));
        holders.extend(drawn);
        holders
    }
}

/// So many live nodes that no line bars, first of all from racks that hold nothing of the block.
fn draw(story: &Story, id: i64, block: &Block, holders: &[u32], count: usize) -> Vec<u32> {
    let nodes = &story.nodes.all;
    let barred = [holders, &block.later, &block.gone, &story.dead];
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
