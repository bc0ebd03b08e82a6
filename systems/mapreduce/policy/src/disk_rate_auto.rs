//! A node whose disks are busier than others' gets no maps.
use super::{Candidate, Report, Rule, Thresholds};

pub struct DiskRateAuto;

/// No node below this is withheld: with a disk busy half of the time, requests wait for at most as
/// long as their service takes.
const FLOOR: f64 = 0.5;

/// Excess over the nodes' mean that withholds maps. Two heartbeats of one node can differ by less.
const MARGIN: f64 = 0.1;

impl DiskRateAuto {
    /// Busy fraction above which a node gets no map; `mean` is that of all nodes.
    pub fn threshold(mean: f64) -> f64 {
        f64::max(FLOOR, mean + MARGIN)
    }
}

impl Rule for DiskRateAuto {
    fn name(&self) -> &'static str {
        "disk-rate-auto"
    }

    fn doc(&self) -> &'static str {
        "A node whose disks are busier than others' gets no maps.\n\n# What it decides\nA node is \
         given no map while its disks were busy for more than half of the time, where requests \
         begin to wait for longer than they are served, and for a tenth of the time more than the \
         mean of all nodes. So no node is withheld if all are equally busy. Figures are those of \
         heartbeats; reduces are never withheld.\n\n# When it helps\nSome nodes' disks are busy \
         with other work, or have more to do, and others are idle: maps go there, without a chosen \
         threshold.\n\n# What it costs\nIf all disks lose much of their rate to many streams, a \
         fixed threshold helps all nodes, and this one does not.\n\n# Reference\nEstimated \
         thresholds are future work of Watanabe 2014; `tenbin.disk-rate.threshold = auto` of the \
         plug-in for YARN."
    }

    fn key(&self) -> &'static str {
        "policy.scheduling"
    }

    fn withholds(&self, report: &Report, task: &Candidate, _: &Thresholds) -> bool {
        task.map && report.disk_rate() > DiskRateAuto::threshold(report.mean_disk_rate)
    }

    fn is_relative(&self) -> bool {
        true
    }
}
