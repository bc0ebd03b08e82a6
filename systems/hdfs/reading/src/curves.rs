//! Counters over time.
use analysis::Steps;
use hdfs_trace::{CounterId, Trace};
use units::Nanos;

/// `None`: the trace has no counter of this name.
pub fn counter(trace: &Trace, name: &str) -> Option<Steps> {
    let id = CounterId::of(trace.counter_names.iter().position(|n| n.name == name)?);
    let mut points: Vec<(Nanos, f64)> = trace
        .counters
        .iter()
        .filter_map(|c| Some((c.at, c.value.filter(|_| c.counter == id)?)))
        .collect();
    points.sort_by_key(|point| point.0);
    Some(Steps::new(points))
}
