//! The longest significant time without an ended operation.
use crate::schema::Trace;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use units::Nanos;

/// Fewer operations cannot show a stall.
const LEAST: u64 = 20;
/// Fewer time bins cannot show a stall. Histograms without time bins have one.
const BINS: usize = 10;
/// Shortest stall as a fraction of the window.
const WORTH: f64 = 0.05;
/// With random ends, a gap rarely exceeds the longest expected one by this factor. The expected one
/// is the mean gap times the logarithm of their number.
const BY_CHANCE: f64 = 3.0;

/// A time without an ended operation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Stall {
    /// The kind of operation: "write"; "operation" for several kinds.
    pub operation: String,
    /// Start in the trace's time \[s\].
    pub from_s: f64,
    /// End \[s\].
    pub to_s: f64,
}

impl Stall {
    /// Duration \[s\].
    pub fn took_s(&self) -> f64 {
        self.to_s - self.from_s
    }
}

/// From histograms over time. The stall starts with the bin of the last end before it, so it may be
/// one bin too long.
pub(super) fn stall(trace: &Trace, (from, to): (Nanos, Nanos)) -> Option<Stall> {
    let mut ended: BTreeMap<Nanos, u64> = BTreeMap::new();
    let inside = trace.histograms.iter().filter(|row| from <= row.at && row.at <= to);
    for row in inside.clone() {
        *ended.entry(row.at).or_default() += row.times
    }
    let many: u64 = ended.values().sum();
    if many < LEAST || ended.len() < BINS || from >= to {
        return None;
    }
    // Time before the first end is no stall; time without an end until the run's end is one.
    let ends = ended.keys().skip(1).copied().chain([to]);
    let gaps = ended.keys().copied().zip(ends);
    let (begin, end) = gaps.max_by_key(|(begin, end)| end.saturating_sub(*begin))?;
    let gap = end.saturating_sub(begin).as_secs();
    let window = (to - from).as_secs();
    // The natural logarithm is at most 0.7 of that to the base of 2.
    let expected = window / many as f64 * 0.7 * f64::from(many.ilog2() + 1);
    let mut kinds: Vec<usize> = inside.map(|row| row.operation.at()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let operation = match kinds[..] {
        [one] => trace.kinds[one].name.clone(),
        _ => "operation".into(),
    };
    (gap >= WORTH * window && gap >= BY_CHANCE * expected).then(|| Stall {
        operation,
        from_s: begin.as_secs(),
        to_s: end.as_secs(),
    })
}
