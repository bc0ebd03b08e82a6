//! Names of intervals.
use crate::ids::IntervalId;
use crate::schema::Trace;

/// The entity and the kind of an interval.
pub fn label(trace: &Trace, interval: Option<IntervalId>) -> String {
    let Some(id) = interval else { return "no interval".into() };
    let what = &trace.interval_kind(trace.intervals[id.at()].kind).label;
    match whose(trace, id) {
        Some(whose) => format!("{whose}: {what}"),
        None => what.clone(),
    }
}

/// The subject of the interval, or of its nearest parent with one.
fn whose(trace: &Trace, mut id: IntervalId) -> Option<String> {
    // A cycle of parents has no subject.
    for _ in 0..trace.intervals.len() {
        let row = trace.intervals.get(id.at())?;
        if let Some(subject) = row.subject {
            return Some(trace.entity_name(subject));
        }
        id = row.parent?
    }
    None
}
