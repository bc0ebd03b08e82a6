//! The NameNode's tasks for erasure-coded groups.
use crate::hdfs::messages::{CopyId, Order};
use cluster::NodeId;
use engine::{Rewind, Table};

/// What the NameNode remembers of groups besides what it does of all blocks.
#[derive(Rewind, Default)]
pub(super) struct Striped {
    pub(super) index: Table<CopyId, u8>,
    /// By task: what its node is to be told, until it has fetched it.
    pub(super) tasks: Table<(CopyId, CopyId), Order>,
    /// By node: what this round has given it to do. Sources are chosen for all groups of a round
    /// before that.
    pub(super) fresh: Table<NodeId, u32>,
}

impl Striped {
    pub(super) fn begin(&mut self) {
        self.fresh.clear()
    }

    /// Of a node's queue what this round has put there.
    pub(super) fn fresh(&self, node: NodeId) -> u32 {
        self.fresh.get(&node).copied().unwrap_or(0)
    }

    pub(super) fn flows(&self, task: CopyId) -> Vec<Order> {
        let all = (task, CopyId(0))..=(task, CopyId(u32::MAX));
        self.tasks.range(all).map(|(_, order)| *order).collect()
    }

    /// Its node has it, or is dead.
    pub(super) fn take(&mut self, task: CopyId) -> Vec<Order> {
        let orders = self.flows(task);
        orders.iter().for_each(|order| _ = self.tasks.discard(&(task, order.first)));
        orders
    }
}
