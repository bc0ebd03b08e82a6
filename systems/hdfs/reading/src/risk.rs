//! Blocks that no repair can bring back, apart from those that are only short.
use crate::curves::counter;
use analysis::Steps;
use hdfs_trace::Trace;
use units::Nanos;

/// Blocks without a live replica, over time.
pub fn lost(trace: &Trace) -> Steps {
    counter(trace, "at_zero_replicas").unwrap_or_default()
}

/// A counter just before the fault; 0 where nothing is known of the time before it.
pub fn before(counter: &Steps, fault: Option<Nanos>) -> f64 {
    match fault {
        None => counter.last(),
        Some(fault) if fault == Nanos::ZERO => 0.0,
        Some(fault) => counter.at(Nanos(fault.0 - 1)),
    }
}

/// Blocks that are short of replicas or racks and have a replica left, over time; `None` where the
/// trace has no such counter.
pub fn short(trace: &Trace) -> Option<Steps> {
    Some(counter(trace, "at_risk")?.minus(&lost(trace)))
}

/// From when on no block is short that has a replica left; `None` if one still is at `end`, or
/// where the trace has no such counter.
pub fn mended(trace: &Trace, end: Nanos) -> Option<Nanos> {
    let short = short(trace)?;
    (short.at(end) <= 0.0).then(|| short.last_above_zero(end).unwrap_or_default())
}
