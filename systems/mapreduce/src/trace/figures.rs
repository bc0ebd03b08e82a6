use super::{Holder, Recorder};

impl Recorder {
    /// `took`: job times \[s\] by submission.
    pub(super) fn metrics(&self, took: &[f64]) -> Vec<(&'static str, f64)> {
        let times = |all: &[(f64, Holder)]| all.iter().map(|(took, _)| *took).collect::<Vec<_>>();
        let (maps, reduces) = (times(&self.maps), times(&self.reduces));
        let count = maps.len().max(1) as f64;
        let within = |limit: f64| maps.iter().filter(|t| **t <= limit).count() as f64 / count;
        let (slow_maps, slow_reduces) = (slowest(&self.maps), slowest(&self.reduces));
        let disk = |holder: Holder| holder == Holder::Disk;
        let network = |holder: Holder| matches!(holder, Holder::Network | Holder::Uplink);
        let [read, spilled, shuffled, written] = self.bytes.map(|bytes| bytes as f64);
        let all: u64 = self.spent.values().map(|(_, total)| *total).sum();
        let of = |is: Holder| -> u64 {
            let parts = self.spent.iter().filter(|((_, holder), _)| *holder == is);
            parts.map(|(_, (_, total))| *total).sum()
        };
        let share = |part: u64| part as f64 / all.max(1) as f64;
        let first = took.len().min(4);
        let all = vec![
            ("waits_for_maps_share", share(of(Holder::Maps))),
            ("core_limited_share", share(self.limited[4])),
            ("makespan_s", self.last.as_secs()),
            ("job_s_p95", quantile(took, 0.95)),
            ("map_s_mean", mean(&maps)),
            ("reduce_s_mean", mean(&reduces)),
            ("reduce_s_p10", quantile(&reduces, 0.1)),
            ("reduce_s_p90", quantile(&reduces, 0.9)),
            ("data_local_share", self.local as f64 / count),
            ("speculative", self.speculative as f64),
            ("withheld_s", self.withheld.iter().sum()),
            ("withheld_reduces_s", self.withheld[1]),
            ("read_bytes", read),
            ("shuffle_bytes", shuffled),
            ("spilled_bytes", spilled),
            ("written_bytes", written),
            ("jobs_failed", self.jobs_failed as f64),
            ("jobs_unfinished", self.unfinished as f64),
            ("attempts", self.attempts as f64),
            ("attempts_failed", self.failed as f64),
            ("attempts_killed", self.killed as f64),
            ("maps_within_20s", within(20.0)),
            ("maps_within_40s", within(40.0)),
            ("maps_beyond_180s", 1.0 - within(180.0)),
            ("slow_maps_by_disk", part(&slow_maps, disk)),
            ("slow_reduces_by_disk", part(&slow_reduces, disk)),
            ("slow_reduces_by_network", part(&slow_reduces, network)),
            ("job_s_first_four", mean(&took[..first])),
            ("job_s_others", mean(&took[first..])),
        ];
        all.into_iter().chain(self.without()).collect()
    }
}

/// Nearest-rank quantile; `part`: 0–1.
fn quantile(all: &[f64], part: f64) -> f64 {
    let mut all = all.to_vec();
    all.sort_by(f64::total_cmp);
    match all.len() {
        0 => 0.0,
        n => all[units::usize_of(units::rounded_u64(part * n as f64)).clamp(1, n) - 1],
    }
}

/// What held each of the slowest tenth, at least of one.
fn slowest(all: &[(f64, Holder)]) -> Vec<Holder> {
    let mut all = all.to_vec();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.truncate((all.len() / 10).max(1));
    all.into_iter().map(|(_, holder)| holder).collect()
}

fn part(all: &[Holder], is: impl Fn(Holder) -> bool) -> f64 {
    all.iter().filter(|holder| is(**holder)).count() as f64 / all.len().max(1) as f64
}

/// 0 if empty.
pub(super) fn mean(all: &[f64]) -> f64 {
    // The sum of an empty slice is -0.
    (0.0 + all.iter().sum::<f64>()) / all.len().max(1) as f64
}
