//! Reference times of metrics and attribution.
use crate::risk;
use hdfs_trace::{Trace, is_request, kind};
use units::Nanos;

/// Times since the start of the simulated or logged time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Moments {
    /// The (first) node stops sending heartbeats: `fault_s` of the run table, else the start of the
    /// first `Detection` interval. `None`: the run ends before that.
    pub fault: Option<Nanos>,
    /// The first node is declared dead: `declared_s`, else the first end of a `Detection` interval.
    pub declared: Option<Nanos>,
    /// The last node is declared dead: the last end of a `Detection` interval.
    pub noticed: Option<Nanos>,
    /// All blocks meet their replication and the rack rule: `redundant_s`. Blocks lost before the
    /// fault do not count. `None`: never.
    pub redundant: Option<Nanos>,
    /// As `redundant`, for blocks with a replica left: `redundant`, or a time even without it if
    /// only lost blocks lack replicas.
    pub mended: Option<Nanos>,
    /// All blocks are safe although no node was declared dead: the node returned before that.
    pub back: Option<Nanos>,
    /// The run was cut: `cut_s`, from `run.until`, the maximum run time, or the last log line.
    pub cut: Option<Nanos>,
    /// `end_s`, else the latest time in any table.
    pub end: Nanos,
}

impl Moments {
    pub fn of(trace: &Trace) -> Moments {
        let detection =
            || trace.intervals.iter().filter(|interval| interval.kind == kind::DETECTION);
        let fault = seconds(trace, "fault_s").or_else(|| detection().map(|d| d.start).min());
        let declared = seconds(trace, "declared_s").or_else(|| detection().map(|d| d.end).min());
        let end = seconds(trace, "end_s").unwrap_or_else(|| latest(trace));
        let redundant = seconds(trace, "redundant_s");
        // The time of safety is unknown for blocks that the logs do not show.
        let all_told = seconds(trace, "blocks_untold").is_none();
        let redundant = redundant.filter(|_| all_told);
        let mended = redundant
            .or_else(|| Some(risk::repaired_at(trace, end)?.max(declared?)))
            .filter(|_| all_told);
        let lost = risk::lost_blocks(trace);
        let none_more = lost.at(end) == risk::before(&lost, fault);
        Moments {
            fault,
            declared,
            noticed: detection().map(|d| d.end).max(),
            redundant: redundant.or(mended.filter(|_| none_more)),
            mended,
            back: fault
                .filter(|_| declared.is_none() && none_more)
                .and(risk::repaired_at(trace, end))
                .filter(|at| *at > Nanos::ZERO),
            cut: seconds(trace, "cut_s"),
            end,
        }
    }

    /// Time 0 of repairs: the declaration, or the end of the risk without one.
    pub fn zero(&self) -> Option<Nanos> {
        self.declared.or(self.back)
    }

    /// \[s\]; negative before the declaration.
    pub fn since_declared(&self, at: Nanos) -> f64 {
        at.as_secs() - self.declared.unwrap_or_default().as_secs()
    }

    /// End of the repair window: all recoverable blocks are safe, else the run ends.
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
