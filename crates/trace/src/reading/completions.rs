//! Ended operations over time: the curve of a run in reports.
use crate::schema::{ObjectiveRow, Outcome, Trace};
use analysis::Steps;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use units::Nanos;

/// Maximum points of a curve.
const POINTS: usize = 400;
/// A curve with fewer points is omitted.
const LEAST: usize = 3;

/// Number of ended operations since the start of the window.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Completions {
    /// The kind of operation: "write"; "operation" for several kinds.
    pub operation: String,
    /// Count over time.
    pub count: Steps,
    /// Counted from a sample: the total is exact, values in between are estimates.
    pub is_sample: bool,
}

impl Completions {
    /// From ascending end times; `None` if there are too few points.
    pub fn of(operation: &str, ends: &[Nanos], (from, to): (Nanos, Nanos)) -> Option<Completions> {
        let ends: Vec<(Nanos, usize, f64)> = ends.iter().map(|at| (*at, 0, 1.0)).collect();
        let count = counted(&ends, from, to);
        let operation = operation.to_string();
        let is_sample = false;
        (count.len() >= LEAST).then(|| Completions {
            operation,
            count: Steps::new(count),
            is_sample,
        })
    }
}

/// The operations of the objective: from histograms over time, else from the operations in the
/// trace. `None` if there are too few points.
pub(super) fn completions(
    trace: &Trace,
    objective: &ObjectiveRow,
    (from, to): (Nanos, Nanos),
) -> Option<Completions> {
    let inside = |at: Nanos| from <= at && at <= to;
    let meant = |kind: usize| super::is_meant(trace, objective, kind);
    let mut ends: Vec<(Nanos, usize, f64)> = (trace.histograms.iter())
        .filter(|row| inside(row.at) && meant(row.operation.at()))
        .map(|row| (row.at, row.operation.at(), row.times as f64))
        .collect();
    // Histograms without time bins have only one time.
    let mut is_sample = false;
    if ends.iter().all(|end| end.0 == ends[0].0) {
        let whole = trace.intervals.iter().enumerate().filter(|(at, row)| {
            let whole = row.outcome != Outcome::Cut;
            whole && super::is_operation(trace, *at) && meant(row.kind.at())
        });
        ends = whole.map(|(_, row)| (row.end, row.kind.at(), row.weight)).collect();
        is_sample = ends.iter().any(|end| end.2 != 1.0);
        if is_sample {
            to_all(trace, &mut ends)
        }
        ends.retain(|end| inside(end.0))
    }
    ends.sort_by_key(|end| end.0);
    let first = ends.first()?.1;
    let operation = match ends.iter().all(|end| end.1 == first) {
        true => trace.kinds[first].name.clone(),
        false => "operation".into(),
    };
    let count = counted(&ends, from, to);
    (count.len() >= LEAST).then(|| Completions { operation, count: Steps::new(count), is_sample })
}

/// Scales the weights of sampled operations, so that each kind's total equals that of the
/// histograms.
fn to_all(trace: &Trace, ends: &mut [(Nanos, usize, f64)]) {
    let mut factors: BTreeMap<usize, f64> = BTreeMap::new();
    for row in &trace.histograms {
        *factors.entry(row.operation.at()).or_default() += row.times as f64
    }
    for (kind, factor) in &mut factors {
        let kept = ends.iter().filter(|end| end.1 == *kind);
        *factor /= kept.fold(0.0, |sum, end| sum + end.2)
    }
    for (_, kind, weight) in ends {
        *weight *= factors.get(kind).copied().unwrap_or(1.0)
    }
}

/// The cumulative count with at most [`POINTS`] points: the last of each bin.
fn counted(ends: &[(Nanos, usize, f64)], from: Nanos, to: Nanos) -> Vec<(Nanos, f64)> {
    let bin = Nanos((to - from).0.div_ceil(POINTS as u64).max(1));
    let (mut points, mut sum) = (vec![(from, 0.0)], 0.0);
    let mut of = None;
    for &(at, _, times) in ends {
        sum += times;
        let place = (at - from).0 / bin.0;
        if of.replace(place) == Some(place) {
            points.pop();
        }
        points.push((at, sum))
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::Reading;
    use crate::{Histogram, IntervalRole, TraceBuilder};

    /// A sample of 12 with weight 10 stands for 100 requests.
    #[test]
    fn a_sample_ends_with_as_many_as_there_were() {
        let mut new = TraceBuilder::new();
        let request = new.interval_kind(IntervalRole::Operation, "request", "request").id();
        for at in 1..=12 {
            let end = Nanos::secs(at);
            new.interval(request).from(Nanos::ZERO).to(end).weight(10.0).push();
        }
        let (at, operation) = (Nanos::ZERO, request);
        new.histograms([Histogram { at, operation, node: None, bucket: 7, times: 100 }]);
        let end = Nanos::secs(12);
        new.objective(ObjectiveRow::rate("operations_per_s", None, end, 100.0 / 12.0));
        let ended = Reading::of(&new.finish(end)).completions.expect("a curve");
        assert!(ended.is_sample);
        assert!((ended.count.last() - 100.0).abs() < 1e-9, "{}", ended.count.last());
        assert!((ended.count.at(Nanos::secs(6)) - 50.0).abs() < 1e-9);
    }

    #[test]
    fn a_bin_keeps_its_last_sum() {
        let ends = |n: u64| (1..=n).map(|i| (Nanos(i * 10), 0, 2.0)).collect::<Vec<_>>();
        let few = counted(&ends(3), Nanos::ZERO, Nanos(40_000));
        assert_eq!(few, [(Nanos::ZERO, 0.0), (Nanos(30), 6.0)]);
        let many = counted(&ends(10_000), Nanos::ZERO, Nanos(100_000));
        assert!(many.len() <= POINTS + 2, "{}", many.len());
        assert_eq!(many.last(), Some(&(Nanos(100_000), 20_000.0)));
        assert!(many.is_sorted_by(|a, b| a.0 <= b.0 && a.1 <= b.1));
    }
}
