//! Last reports of nodes, for rules that compare a node with all.
use super::unless_empty::UnlessEmpty;
use engine::*;

/// Busy fraction of each node's disks at its last heartbeat. Empty if no rule needs it.
#[derive(Default, Rewind)]
pub(super) struct DiskReports {
    rates: UnlessEmpty<u32, f64>,
}

impl DiskReports {
    /// Records a report; the mean over nodes that have reported.
    pub(super) fn mean_with(&mut self, node: u32, rate: f64) -> f64 {
        self.rates.insert(node, rate);
        let sum: f64 = self.rates.iter().map(|(_, rate)| *rate).sum();
        sum / self.rates.len() as f64
    }
}
