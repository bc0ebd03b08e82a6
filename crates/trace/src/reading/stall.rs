//! The longest time in which no operation ended, where chance does not explain it.
use crate::schema::Trace;
use serde::Serialize;
use std::collections::BTreeMap;
use units::Nanos;

/// Fewer operations say nothing of gaps.
const LEAST: u64 = 20;
/// Nor do histograms in fewer bins of time: those of a whole run have one.
const BINS: usize = 10;
/// A gap is worth a word from this part of the window on.
const WORTH: f64 = 0.05;
/// Of operations that end at random a gap is hardly ever so many times the longest that is to be
/// expected (the mean gap times the logarithm of their number).
const BY_CHANCE: f64 = 3.0;

/// A time in which no operation ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stall {
    /// What did not end, for people: "write"; "operation" where there are several kinds.
    pub operation: String,
    /// From, in the trace's time \[s\].
    pub from_s: f64,
    /// To \[s\].
    pub to_s: f64,
}

impl Stall {
    /// How long \[s\].
    pub fn took_s(&self) -> f64 {
        self.to_s - self.from_s
    }
}

/// From the histograms of a run that kept them: from the beginning of the bin in which the last
/// operation before it ended, so that it may be too long by one bin, hundredths of the window.
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
    // Before the first operation has ended nothing stalls; that the run goes on without one does.
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
