//! Intervals in words.
use crate::ids::IntervalId;
use crate::schema::Trace;

/// Whose interval it is, and what it is.
pub fn label(trace: &Trace, interval: Option<IntervalId>) -> String {
    let Some(id) = interval else { return "no interval".into() };
    let what = &trace.interval_kind(trace.intervals[id.at()].kind).label;
    match whose(trace, id) {
        Some(whose) => format!("{whose}: {what}"),
        None => what.clone(),
    }
}

/// The subject of the interval, or of what it is a part of.
fn whose(trace: &Trace, mut id: IntervalId) -> Option<String> {
    // A circle of parents has no subject.
    for _ in 0..trace.intervals.len() {
        let row = trace.intervals.get(id.at())?;
        if let Some(subject) = row.subject {
            return Some(trace.entity_name(subject));
        }
        id = row.parent?
    }
    None
}
