//! A node whose disks are busy gets no maps.
use super::{Candidate, Report, Rule, Thresholds};

pub struct DiskRate;

impl Rule for DiskRate {
    fn name(&self) -> &'static str {
        "disk-rate"
    }

    fn doc(&self) -> &'static str {
        "A node whose disks are busy gets no maps.\n\n# What it decides\nA node whose disks were \
         busy for more than `policy.disk_rate_threshold` of the time, on average, is given no map; \
         reduces are never withheld. With `policy.disk_rate_figure = \"moment\"` it counts the \
         disks that are busy at the heartbeat itself, as Watanabe 2014 describes.\n\n# When it \
         helps\nDisks lose much of their rate to many streams: fewer maps at a time read \
         faster.\n\n# What it costs\nIf disks lose little, slots stay empty without a gain. One \
         stale figure admits as many maps as there are slots.\n\n# Reference\nWatanabe 2014, Disk \
         Rate."
    }

    fn key(&self) -> &'static str {
        "policy.disk_rate_threshold"
    }

    fn withholds(&self, report: &Report, task: &Candidate, limits: &Thresholds) -> bool {
        task.map && report.disk_rate() > limits.disk_rate
    }
}
