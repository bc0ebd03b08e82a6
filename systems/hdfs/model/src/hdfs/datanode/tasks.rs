//! What a DataNode has to rebuild of erasure-coded groups.
use crate::hdfs::messages::{CopyId, Order};
use engine::{Queue, Rewind, Scalar, Table};

/// A task under way, or waiting for a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub(super) struct Task {
    /// Flows that have not ended.
    pub(super) left: u32,
    /// As how many copies it counts (`getXmits` × weight).
    pub(super) xmits: u32,
    pub(super) running: bool,
}

/// The tasks of one node.
#[derive(Rewind, Default)]
pub struct Tasks {
    pub(super) all: Table<CopyId, Task>,
    /// By task: its flows, and whether they have ended.
    pub(super) flows: Table<(CopyId, CopyId), (Order, bool)>,
    /// Those that wait for a thread.
    pub(super) line: Queue<CopyId>,
}

impl Tasks {
    /// What they count as among the copies that the node sends (`xmitsInProgress`); those that wait
    /// for a thread do, too. No more than 2³² − 1.
    pub fn xmits(&self) -> u32 {
        self.all.values().fold(0, |sum: u32, task| sum.saturating_add(task.xmits))
    }

    pub(super) fn running(&self) -> usize {
        self.all.values().filter(|task| task.running).count()
    }

    pub(super) fn flows_of(&self, task: CopyId) -> Vec<(Order, bool)> {
        let all = (task, CopyId(0))..=(task, CopyId(u32::MAX));
        self.flows.range(all).map(|(_, flow)| *flow).collect()
    }

    /// It is not known any more; its flows.
    pub(super) fn remove(&mut self, task: CopyId) -> Vec<(Order, bool)> {
        let flows = self.flows_of(task);
        self.all.discard(&task);
        for (order, _) in &flows {
            self.flows.discard(&(task, order.first));
        }
        flows
    }
}
