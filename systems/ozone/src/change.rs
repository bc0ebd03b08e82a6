//! What a change does to a metric, seed by seed.
use analysis::{Stat, stat};
use system::figures::{Difference, judge};
use system::lab::RowRuns;
use trace::Better;

/// A metric now and then.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    pub now: f64,
    pub then: f64,
    /// The difference, seed by seed.
    pub by: Stat,
    /// What it is called: by the house's rule none below 5 %, or within its interval.
    pub verdict: Difference,
}

impl Change {
    /// Of rows with the same seeds; `None` where a run does not have the metric.
    pub fn of(metric: &str, better: Better, now: &RowRuns, then: &RowRuns) -> Option<Change> {
        let (now, then) = (now.metric(metric)?, then.metric(metric)?);
        if now.is_empty() || now.len() != then.len() {
            return None;
        }
        let differences: Vec<f64> = then.iter().zip(&now).map(|(a, b)| a - b).collect();
        let (by, now, then) = (stat(&differences), stat(&now).mean, stat(&then).mean);
        Some(Change { now, then, by, verdict: judge(&by, now, better) })
    }

    /// Of writes a second.
    pub fn of_writes(now: &RowRuns, then: &RowRuns) -> Option<Change> {
        Change::of("writes_per_s", Better::More, now, then)
    }

    /// Of the time within which 99 of 100 writes end \[ms\].
    pub fn of_tail(now: &RowRuns, then: &RowRuns) -> Option<Change> {
        Change::of("latency_ms_p99", Better::Less, now, then)
    }

    /// Of the longest time in which no write ended \[s\].
    pub fn of_stall(now: &RowRuns, then: &RowRuns) -> Option<Change> {
        Change::of("longest_stall_s", Better::Less, now, then)
    }
}
