//! A node that receives much gets no remote maps and no reduces.
use super::{Candidate, Report, Rule, Thresholds};

pub struct ReceiveRate;

impl Rule for ReceiveRate {
    fn name(&self) -> &'static str {
        "receive-rate"
    }

    fn doc(&self) -> &'static str {
        "A node that receives much gets no remote maps and no reduces.\n\n# What it decides\nA \
         node whose received bytes a second are above `policy.receive_rate_threshold` is given \
         data-local maps only.\n\n# When it helps\nRacks with narrow uplinks, where several \
         reduces on one node share it.\n\n# What it costs\nOther traffic counts, too: replicas of \
         outputs, remote maps.\n\n# Reference\nWatanabe 2014, Receive Rate."
    }

    fn key(&self) -> &'static str {
        "policy.receive_rate_threshold"
    }

    fn withholds(&self, report: &Report, task: &Candidate, limits: &Thresholds) -> bool {
        !(task.map && task.local) && report.receive_rate > limits.receive_rate
    }
}
