//! Last reports of nodes, for rules that compare a node with all.
use engine::*;

/// Busy fraction of each node's disks at its last heartbeat. Empty if no rule needs it, and then
/// not part of the run's hash: other runs keep their hashes.
#[derive(Default)]
pub(super) struct DiskReports {
    rates: Table<u32, f64>,
}

impl DiskReports {
    /// Records a report; the mean over nodes that have reported.
    pub(super) fn mean_with(&mut self, node: u32, rate: f64) -> f64 {
        self.rates.insert(node, rate);
        let sum: f64 = self.rates.iter().map(|(_, rate)| *rate).sum();
        sum / self.rates.len() as f64
    }
}

impl Digest for DiskReports {
    fn digest(&self, h: &mut Hasher) {
        if !self.rates.is_empty() {
            self.rates.digest(h)
        }
    }

    fn weight(&self) -> u64 {
        self.rates.weight()
    }
}

impl Rewind for DiskReports {
    type Mark = <Table<u32, f64> as Rewind>::Mark;

    fn mark(&self) -> Self::Mark {
        self.rates.mark()
    }

    fn rewind(&mut self, to: &Self::Mark) {
        self.rates.rewind(to)
    }

    fn commit(&mut self, upto: &Self::Mark) {
        self.rates.commit(upto)
    }

    fn journal(&mut self, from: Option<u64>) {
        self.rates.journal(from)
    }

    fn clock(&self) -> u64 {
        self.rates.clock()
    }
}
