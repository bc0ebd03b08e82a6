//! The entity that ended last.
use crate::ids::EntityId;
use crate::schema::Trace;
use crate::walk::{Lane, Lanes};
use std::cmp::Reverse;
use units::Nanos;

/// The entity of this kind whose lane ended last, counting only intervals that began before `by`.
/// On a tie, the lowest number.
pub(super) fn last_of(trace: &Trace, lanes: &Lanes, kind: &str, by: Nanos) -> Option<EntityId> {
    let kind = trace.find_kind("entity", kind)?;
    let all = (0..trace.entities.len()).filter(|at| trace.entities[*at].kind.at() == kind);
    let ends = all.filter_map(|at| {
        let id = EntityId::of(at);
        let end = lanes.ends(Lane::Subject(id), by)?;
        Some((end, Reverse((trace.entities[at].number, id)), id))
    });
    ends.max().map(|(.., id)| id)
}
