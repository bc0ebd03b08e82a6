//! What the sources of an iteration have left to move, and which nodes have free slots.
use super::pairs::Task;
use crate::hdfs::messages::Order;
use cluster::{BlockIndex, NodeId};
use engine::{Nanos, Rewind, Table};
use units::u32_of;

/// A node is not chosen for this time after one of its moves failed
/// (`Dispatcher.delayAfterErrors`).
pub const DELAY: Nanos = Nanos::secs(10);

#[derive(Rewind, Default)]
pub struct Tasks {
    /// Target and bytes left, by source in the order of pairing.
    left: Table<(NodeId, u32), (NodeId, u64)>,
    /// Candidate blocks of a source, in order.
    blocks: Table<(NodeId, u32), BlockIndex>,
    /// Sources that look for moves, and when they last found one.
    looking: Table<NodeId, Nanos>,
    /// Moves that a node sends and receives, including those that wait for a thread.
    pending: Table<NodeId, u32>,
    /// End of a node's delay after a failed move.
    delayed: Table<NodeId, Nanos>,
}

impl Tasks {
    pub fn clear(&mut self) {
        self.left.clear();
        self.blocks.clear();
        self.looking.clear();
        self.pending.clear();
        self.delayed.clear()
    }

    pub fn deal(&mut self, source: NodeId, tasks: &[Task], blocks: &[BlockIndex], now: Nanos) {
        for (place, task) in (0..).zip(tasks) {
            self.left.insert((source, place), (task.target, task.bytes));
        }
        for (place, block) in blocks.iter().enumerate() {
            self.blocks.insert((source, u32_of(place)), *block);
        }
        self.looking.insert(source, now);
    }

    /// Sources that look for moves, and when they last found one.
    pub fn sources(&self) -> Vec<(NodeId, Nanos)> {
        self.looking.iter().map(|(source, since)| (*source, *since)).collect()
    }

    pub fn are_done(&self) -> bool {
        self.looking.is_empty()
    }

    /// Tasks of a source with bytes left, by place.
    pub fn of(&self, source: NodeId) -> impl Iterator<Item = (u32, Task)> {
        let task = move |(&(_, place), &(target, bytes)): (&(NodeId, u32), &(NodeId, u64))| {
            (place, Task { source, target, bytes })
        };
        self.left.range((source, 0)..=(source, u32::MAX)).map(task)
    }

    pub fn blocks(&self, source: NodeId) -> impl Iterator<Item = BlockIndex> {
        self.blocks.range((source, 0)..=(source, u32::MAX)).map(|(_, block)| *block)
    }

    pub fn drop_blocks(&mut self, source: NodeId, gone: &[BlockIndex]) {
        let all = self.blocks.range((source, 0)..=(source, u32::MAX));
        let gone: Vec<(NodeId, u32)> =
            all.filter(|(_, block)| gone.contains(block)).map(|(key, _)| *key).collect();
        gone.iter().for_each(|key| {
            self.blocks.discard(key);
        })
    }

    /// Removes a source without tasks or blocks left, or after looking in vain for too long.
    pub fn finish_search(&mut self, source: NodeId, since: Nanos, in_vain: bool) {
        let is_done = in_vain || self.of(source).next().is_none();
        if is_done || self.blocks(source).next().is_none() {
            self.looking.discard(&source);
        } else {
            self.looking.insert(source, since);
        }
    }

    /// Reduces a task by `bytes`; removes it at 0.
    pub fn reduce_task(&mut self, source: NodeId, place: u32, bytes: u64) {
        let key = (source, place);
        let left = self.left.update(&key, |(_, left)| {
            *left = left.saturating_sub(bytes);
            *left
        });
        if left == Some(0) {
            self.left.discard(&key);
        }
    }

    /// Both ends of a move have one more.
    pub fn add_move(&mut self, order: &Order) {
        for node in order.targets().iter().copied().chain([order.source]) {
            self.pending.update_or_insert(node, || 0, |moves| *moves += 1);
        }
    }

    pub fn remove_move(&mut self, order: &Order) {
        for node in order.targets().iter().copied().chain([order.source]) {
            self.pending.update(&node, |moves| *moves = moves.saturating_sub(1));
        }
    }

    pub fn pending(&self, node: NodeId) -> u32 {
        self.pending.get(&node).copied().unwrap_or(0)
    }

    pub fn delay(&mut self, node: NodeId, until: Nanos) {
        self.delayed.insert(node, until);
    }

    pub fn is_delayed(&self, node: NodeId, now: Nanos) -> bool {
        self.delayed.get(&node).is_some_and(|until| now < *until)
    }

    pub fn delays(&self) -> impl Iterator<Item = Nanos> {
        self.delayed.values().copied()
    }
}
