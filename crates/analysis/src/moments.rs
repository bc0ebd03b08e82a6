//! When the things happened that metrics and attribution are measured from.
use trace::{IntervalKind, Trace};
use units::Nanos;

/// The moments of a run, from the start of the simulated (or logged) time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moments {
    /// The (first) node falls silent: `fault_s` of the run table, else the start of the first
    /// `Detection` interval.
    pub fault: Option<Nanos>,
    /// A node is first declared dead: `declared_s`, else the first end of a `Detection` interval.
    pub declared: Option<Nanos>,
    /// The last block has its replicas and the rack rule: `redundant_s`. `None` if that never
    /// came to pass.
    pub redundant: Option<Nanos>,
    /// End of the run: `end_s`, else the latest time in any table.
    pub end: Nanos,
}

impl Moments {
    /// Reads them from a trace.
    pub fn of(trace: &Trace) -> Moments {
        let detection =
            || trace.intervals.iter().filter(|interval| interval.kind == IntervalKind::Detection);
        Moments {
            fault: seconds(trace, "fault_s").or_else(|| detection().map(|d| d.start).min()),
            declared: seconds(trace, "declared_s").or_else(|| detection().map(|d| d.end).min()),
            redundant: seconds(trace, "redundant_s"),
            end: seconds(trace, "end_s").unwrap_or_else(|| latest(trace)),
        }
    }

    /// Seconds from the declaration until `at`; negative before it.
    pub fn since_declared(&self, at: Nanos) -> f64 {
        at.as_secs() - self.declared.unwrap_or_default().as_secs()
    }

    /// Until when the repair is looked at: until all was safe, else until the run's end.
    pub fn repaired(&self) -> Nanos {
        self.redundant.unwrap_or(self.end)
    }
}

fn seconds(trace: &Trace, key: &str) -> Option<Nanos> {
    let value: f64 = trace.about(key)?.parse().ok()?;
    (value.is_finite() && value >= 0.0).then(|| Nanos::from_secs(value))
}

fn latest(trace: &Trace) -> Nanos {
    let intervals = trace.intervals.iter().map(|interval| interval.end);
    let counters = trace.counters.iter().map(|counter| counter.at);
    let series = trace.series.iter().map(|sample| sample.at);
    intervals.chain(counters).chain(series).max().unwrap_or_default()
}
