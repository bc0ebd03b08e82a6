use crate::hdfs::messages::{CopyId, Order};
use cluster::NodeId;
use engine::{Rewind, Table};

/// The NameNode's additional state of erasure-coded groups.
#[derive(Rewind, Default)]
/// Internal block of each copy.
pub(super) struct Striped {
    pub(super) index: Table<CopyId, u8>,
    /// By task: orders that its node has not fetched yet.
    pub(super) tasks: Table<(CopyId, CopyId), Order>,
    /// By node: orders queued in this round. The limits ignore them, since HDFS chooses the sources
    /// of all groups of a round first.
    pub(super) fresh: Table<NodeId, u32>,
}

impl Striped {
    pub(super) fn begin(&mut self) {
        self.fresh.clear()
    }

    /// Orders that this round has added to a node's queue.
    pub(super) fn count_new_orders(&self, node: NodeId) -> u32 {
        self.fresh.get(&node).copied().unwrap_or(0)
    }

    pub(super) fn flows(&self, task: CopyId) -> Vec<Order> {
        let all = (task, CopyId(0))..=(task, CopyId(u32::MAX));
        self.tasks.range(all).map(|(_, order)| *order).collect()
    }

    /// Removes a task: its node has fetched it or is dead.
    pub(super) fn take(&mut self, task: CopyId) -> Vec<Order> {
        let orders = self.flows(task);
        orders.iter().for_each(|order| _ = self.tasks.discard(&(task, order.first)));
        orders
    }
}
