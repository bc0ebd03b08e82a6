//! Latencies of operations.
use crate::ids::IntervalKind;
use crate::operations::histogram::{bucket, quantile};
use crate::schema::{Outcome, Trace};
use serde::Serialize;
use std::collections::BTreeMap;
use units::Nanos;

/// Latencies of the operations of one kind that ended in the window.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Latency {
    /// The kind, for people.
    pub operation: String,
    /// How many; where there are no histograms, how many those that are there stand for.
    pub times: u64,
    /// The middle one \[s\]; this and the others are off by 1.6 % at most.
    pub p50_s: f64,
    /// Nine of ten are shorter \[s\].
    pub p90_s: f64,
    /// 99 of a hundred are shorter \[s\].
    pub p99_s: f64,
    /// 999 of a thousand are shorter \[s\].
    pub p999_s: f64,
}

/// Buckets with how often each was met.
type Buckets = BTreeMap<u32, f64>;

/// By kind, in the order of the kinds; from histograms, else from the operations that are there.
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
