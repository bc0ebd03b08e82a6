//! Effect of a change on a metric, seed by seed.
use analysis::{Stat, stat};
use system::figures::{Difference, judge};
use system::lab::RowRuns;
use trace::Better;

#[derive(Clone, Copy, Debug)]
pub struct Change {
    pub now: f64,
    pub then: f64,
    /// Difference by seed.
    pub by: Stat,
    /// No difference if below 5 %, or within the confidence interval.
    pub verdict: Difference,
}

impl Change {
    /// Both rows must have the same seeds. `None`: a run lacks the metric.
    pub fn of(metric: &str, better: Better, now: &RowRuns, then: &RowRuns) -> Option<Change> {
        let (now, then) = (now.metric(metric)?, then.metric(metric)?);
        if now.is_empty() || now.len() != then.len() {
            return None;
        }
        let differences: Vec<f64> = then.iter().zip(&now).map(|(a, b)| a - b).collect();
        let (by, now, then) = (stat(&differences), stat(&now).mean, stat(&then).mean);
        Some(Change { now, then, by, verdict: judge(&by, now, better) })
    }

    pub fn of_writes(now: &RowRuns, then: &RowRuns) -> Option<Change> {
        Change::of("writes_per_s", Better::More, now, then)
    }

    /// 99th percentile of latency \[ms\].
    pub fn of_tail(now: &RowRuns, then: &RowRuns) -> Option<Change> {
        Change::of("latency_ms_p99", Better::Less, now, then)
    }

    /// Longest time without a completed write \[s\].
    pub fn of_stall(now: &RowRuns, then: &RowRuns) -> Option<Change> {
        Change::of("longest_stall_s", Better::Less, now, then)
    }
}
