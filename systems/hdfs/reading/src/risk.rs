//! Separates lost blocks from blocks that a repair can restore.
use crate::curves::counter;
use analysis::Steps;
use hdfs_trace::Trace;
use units::Nanos;

/// Blocks without a live replica, over time.
pub fn lost_blocks(trace: &Trace) -> Steps {
    counter(trace, "at_zero_replicas").unwrap_or_default()
}

/// Value just before the fault; 0 if earlier values are unknown.
pub fn before(counter: &Steps, fault: Option<Nanos>) -> f64 {
    match fault {
        None => counter.last(),
        Some(fault) if fault == Nanos::ZERO => 0.0,
        Some(fault) => counter.at(Nanos(fault.0 - 1)),
    }
}

/// Recoverable blocks that lack replicas or racks; `None`: the trace has no counter.
pub fn short_blocks(trace: &Trace) -> Option<Steps> {
    Some(counter(trace, "at_risk")?.minus(&lost_blocks(trace)))
}

/// Time from which no recoverable block lacks replicas; `None`: one does at `end`, or the trace has
/// no counter.
pub fn repaired_at(trace: &Trace, end: Nanos) -> Option<Nanos> {
    let short = short_blocks(trace)?;
    (short.at(end) <= 0.0).then(|| short.last_above_zero(end).unwrap_or_default())
}
