//! When the things happened that metrics and attribution are measured from.
use crate::risk;
use hdfs_trace::{Trace, is_request, kind};
use units::Nanos;

/// The moments of a run, from the start of the simulated (or logged) time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moments {
    /// The (first) node falls silent: `fault_s` of the run table, else the start of the first
    /// `Detection` interval. `None` if the run ends before that.
    pub fault: Option<Nanos>,
    /// A node is first declared dead: `declared_s`, else the first end of a `Detection` interval.
    pub declared: Option<Nanos>,
    /// The last node is declared dead: the last end of a `Detection` interval.
    pub noticed: Option<Nanos>,
    /// The last block has its replicas and the rack rule: `redundant_s`. Blocks that were lost
    /// before the fault do not count. `None` if that never came to pass.
    pub redundant: Option<Nanos>,
    /// The same for all blocks that still have a replica: `redundant`, or later than never if
    /// nothing but lost blocks is short.
    pub mended: Option<Nanos>,
    /// Since when all is safe though nobody was ever declared dead: a node was back before that,
    /// and there was nothing to repair.
    pub back: Option<Nanos>,
    /// Where `run.until` (or the longest run that there is, or the last line of the logs) has cut
    /// the run: `cut_s`.
    pub cut: Option<Nanos>,
    /// End of the run: `end_s`, else the latest time in any table.
    pub end: Nanos,
}

impl Moments {
    /// Reads them from a trace.
    pub fn of(trace: &Trace) -> Moments {
        let detection =
            || trace.intervals.iter().filter(|interval| interval.kind == kind::DETECTION);
        let fault = seconds(trace, "fault_s").or_else(|| detection().map(|d| d.start).min());
        let declared = seconds(trace, "declared_s").or_else(|| detection().map(|d| d.end).min());
        let end = seconds(trace, "end_s").unwrap_or_else(|| latest(trace));
        let redundant = seconds(trace, "redundant_s");
        // Of blocks that the logs do not know nobody can say when they were safe.
        let all_told = seconds(trace, "blocks_untold").is_none();
        let redundant = redundant.filter(|_| all_told);
        let mended = redundant
            .or_else(|| Some(risk::mended(trace, end)?.max(declared?)))
            .filter(|_| all_told);
        let lost = risk::lost(trace);
        let none_more = lost.at(end) == risk::before(&lost, fault);
        Moments {
            fault,
            declared,
            noticed: detection().map(|d| d.end).max(),
            redundant: redundant.or(mended.filter(|_| none_more)),
            mended,
            back: fault
                .filter(|_| declared.is_none() && none_more)
                .and(risk::mended(trace, end))
                .filter(|at| *at > Nanos::ZERO),
            cut: seconds(trace, "cut_s"),
            end,
        }
    }

    /// What repairs are counted from: the declaration, or that all was well without one.
    pub fn zero(&self) -> Option<Nanos> {
        self.declared.or(self.back)
    }

    /// Seconds from the declaration until `at`; negative before it.
    pub fn since_declared(&self, at: Nanos) -> f64 {
        at.as_secs() - self.declared.unwrap_or_default().as_secs()
    }

    /// Until when the repair is looked at: until all that can be was safe, else until the run's
    /// end.
    pub fn repaired(&self) -> Nanos {
        self.mended.unwrap_or(self.end)
    }
}

fn seconds(trace: &Trace, key: &str) -> Option<Nanos> {
    let value: f64 = trace.about(key)?.parse().ok()?;
    (value.is_finite() && value >= 0.0).then(|| Nanos::from_secs(value))
}

fn latest(trace: &Trace) -> Nanos {
    let intervals = trace.intervals.iter().filter(|row| !is_request(row)).map(|row| row.end);
    let counters = trace.counters.iter().map(|counter| counter.at);
    let series = trace.series.iter().map(|sample| sample.at);
    intervals.chain(counters).chain(series).max().unwrap_or_default()
}
