//! The objective of a run.
use crate::attribution::end_of_path;
use crate::chains::Chains;
use crate::metrics::recovery_end;
use crate::moments::Moments;
use hdfs_trace::Trace;
use trace::{Aggregation, Better, ObjectiveRow, Outcome};

/// `recovery_s`: duration of the repair. Its window and subject are those of the critical path; a
/// run without a loss has no value.
pub fn objective(trace: &Trace) -> ObjectiveRow {
    let moments = Moments::of(trace);
    let chains = Chains::of(trace);
    let end = end_of_path(&chains, &moments);
    let from = moments.zero().unwrap_or(moments.end);
    let to = end.map_or(from, |(_, top)| top);
    let recovered = recovery_end(trace, &moments);
    let value = moments.zero().zip(recovered).map(|(from, to)| to.saturating_sub(from).as_secs());
    ObjectiveRow {
        metric: "recovery_s".into(),
        unit: "s".into(),
        better: Better::Less,
        how: Aggregation::Last,
        of: Some("block".into()),
        subject: end.and_then(|(block, _)| block).and_then(|block| chains.entity(block)),
        from,
        to: Some(to),
        value,
        outcome: match (value, moments.cut, moments.fault.or(moments.declared)) {
            (None, Some(_), _) => Outcome::Cut,
            (None, None, Some(_)) => Outcome::Failed,
            _ => Outcome::Ok,
        },
    }
}
