//! Reconstruction tasks of a DataNode.
use crate::hdfs::messages::{CopyId, Order};
use engine::{Queue, Rewind, Scalar, Table};

/// A task that is running or waits for a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub(super) struct Task {
    pub(super) left: u32,
    /// Number of transfers that it counts as (`getXmits` × weight).
    pub(super) xmits: u32,
    pub(super) running: bool,
}

#[derive(Rewind, Default)]
pub struct Tasks {
    pub(super) all: Table<CopyId, Task>,
    /// By task: its flows, and whether they have ended.
    pub(super) flows: Table<(CopyId, CopyId), (Order, bool)>,
    /// Tasks that wait for a thread.
    pub(super) line: Queue<CopyId>,
}

impl Tasks {
    /// Transfers that the tasks count as in `xmitsInProgress`, including waiting ones; saturates.
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

    /// Removes a task; returns its flows.
    pub(super) fn remove(&mut self, task: CopyId) -> Vec<(Order, bool)> {
        let flows = self.flows_of(task);
        self.all.discard(&task);
        for (order, _) in &flows {
            self.flows.discard(&(task, order.first));
        }
        flows
    }
}
