//! Operations that are chains: each part begins where the one before it ends. Most operations are,
//! and the walk over a chain needs no lanes.
use super::parts::{Holder, Piece};
use crate::ids::IntervalId;
use crate::kinds::IntervalRole;
use crate::schema::Interval;

/// If an operation is a chain, pushes the pieces that [`super::operation`] would find and returns
/// true. In a chain, `rows[0]` is the operation; all other rows are its parts. They cover it in
/// order without gap or overlap, and none waits for another interval. Otherwise pushes nothing.
pub(crate) fn follow(rows: &[Interval], roles: &[IntervalRole], pieces: &mut Vec<Piece>) -> bool {
    let Some((whole, parts)) = rows.split_first() else { return false };
    let before = pieces.len();
    for (at, part) in parts.iter().enumerate().rev() {
        let end = pieces[before..].last().map_or(whole.end, |later| later.start);
        let is_part = part.parent == Some(IntervalId::of(0)) && part.need.is_none();
        let role = roles.get(part.kind.at()).unwrap_or(&IntervalRole::Work);
        let lasts = !matches!(role, IntervalRole::Mark | IntervalRole::Notice);
        let holder = Holder::own(part.cause, part.kind).filter(|_| is_part && lasts);
        let Some(holder) = holder.filter(|_| part.start < part.end && part.end == end) else {
            pieces.truncate(before);
            return false;
        };
        let interval = Some(IntervalId::of(at + 1));
        pieces.push(Piece { holder, interval, start: part.start, end })
    }
    let is_whole = pieces[before..].last().is_some_and(|first| first.start == whole.start);
    if !is_whole {
        pieces.truncate(before)
    }
    is_whole
}
