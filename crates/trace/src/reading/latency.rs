//! Latencies of operations.
use crate::ids::IntervalKind;
use crate::operations::histogram::{bucket, quantile};
use crate::schema::{Outcome, Trace};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use units::Nanos;

/// Latencies of operations of one kind that ended in the window.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Latency {
    /// The kind's label.
    pub operation: String,
    /// Number of operations; estimated from a sample if there are no histograms.
    pub times: u64,
    /// Median \[s\]; all percentiles have an error of at most 1.6 %.
    pub p50_s: f64,
    /// 90th percentile \[s\].
    pub p90_s: f64,
    /// 99th percentile \[s\].
    pub p99_s: f64,
    /// 99.9th percentile \[s\].
    pub p999_s: f64,
}

/// Counts by bucket.
type Buckets = BTreeMap<u32, f64>;

/// By kind. From histograms, else from the operations in the trace.
pub(super) fn latencies(trace: &Trace, (from, to): (Nanos, Nanos)) -> Vec<Latency> {
    let mut kinds: BTreeMap<IntervalKind, Buckets> = BTreeMap::new();
    let mut add =
        |kind, bucket, times| *kinds.entry(kind).or_default().entry(bucket).or_default() += times;
    for row in trace.histograms.iter().filter(|row| from <= row.at && row.at <= to) {
        add(row.operation, row.bucket, row.times as f64)
    }
    if trace.histograms.is_empty() {
        for (at, row) in trace.intervals.iter().enumerate() {
            let ended = row.outcome != Outcome::Cut && from <= row.end && row.end <= to;
            if ended && super::is_operation(trace, at) {
                add(row.kind, bucket(row.end.saturating_sub(row.start).0), row.weight)
            }
        }
    }
    kinds.into_iter().map(|(kind, buckets)| latency(trace, kind, &buckets)).collect()
}

fn latency(trace: &Trace, kind: IntervalKind, buckets: &Buckets) -> Latency {
    let whole: Vec<(u32, u64)> =
        buckets.iter().map(|(bucket, times)| (*bucket, units::rounded_u64(*times))).collect();
    let seconds = |part| quantile(&whole, part).unwrap_or_default() / 1e9;
    Latency {
        operation: trace.interval_kind(kind).label.clone(),
        times: whole.iter().map(|(_, times)| times).sum(),
        p50_s: seconds(0.5),
        p90_s: seconds(0.9),
        p99_s: seconds(0.99),
        p999_s: seconds(0.999),
    }
}
