//! Disk Rate, plus maps assigned since the rate was measured.
use super::{Candidate, Report, Rule, Thresholds};

pub struct PredictedLoad;

impl Rule for PredictedLoad {
    fn name(&self) -> &'static str {
        "predicted-load"
    }

    fn doc(&self) -> &'static str {
        "Disk Rate, with the maps given since the figure was taken.\n\n# What it decides\nTo the \
         reported rate each map given since adds `policy.predicted_share` of a disk; above \
         `policy.disk_rate_threshold` there is no further map.\n\n# When it helps\nSeveral slots \
         are free at one heartbeat: an idle node is not given all maps at once.\n\n# What it \
         costs\nIf disks lose little to many streams, slots become empty sooner than with Disk \
         Rate.\n\n# Reference\nFuture work of Watanabe 2014."
    }

    fn key(&self) -> &'static str {
        "policy.disk_rate_threshold"
    }

    fn withholds(&self, report: &Report, task: &Candidate, limits: &Thresholds) -> bool {
        let disks = report.disks.len().max(1) as f64;
        let expected = report.disk_rate() + limits.predicted * f64::from(report.given) / disks;
        task.map && expected > limits.disk_rate
    }
}
