//! A map whose own disk is busy is withheld.
use super::{Candidate, Report, Rule, Thresholds};

pub struct PerDisk;

impl Rule for PerDisk {
    fn name(&self) -> &'static str {
        "per-disk"
    }

    fn doc(&self) -> &'static str {
        "A map whose own disk is busy is withheld.\n\n# What it decides\nThe disk that has the \
         map's block counts, not the mean; for remote maps the least busy disk.\n\n# When it \
         helps\nDisks of a node are unevenly busy: maps of the other disks continue.\n\n# What it \
         costs\nThe scheduler must know which disk has a block, and a heartbeat carries 4 bytes a \
         disk more.\n\n# Reference\nToo costly according to Watanabe 2014; Tenbin can simulate it."
    }

    fn key(&self) -> &'static str {
        "policy.disk_rate_threshold"
    }

    fn withholds(&self, report: &Report, task: &Candidate, limits: &Thresholds) -> bool {
        let idlest = report.disks.iter().copied().fold(1.0, f64::min);
        let own = task.disk.and_then(|disk| report.disks.get(disk as usize).copied());
        task.map && own.unwrap_or(idlest) > limits.disk_rate
    }
}
