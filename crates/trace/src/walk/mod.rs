//! What held somebody up, moment by moment, from an end backwards (docs/trace.md, "The walk").
//!
//! Time only falls, so each moment of the window is charged exactly once.
mod chain;
mod first;
mod lanes;
mod parts;
mod shares;
mod step;
pub(crate) use chain::follow;
pub(crate) use lanes::roles;
pub use lanes::{Lane, Lanes};
pub use parts::{DEEP, Holder, Idle, Piece, Start, Wanted};
pub use shares::{at_most, percents, sum};

use crate::ids::IntervalId;
use step::Walk;

/// A path with what it wanted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Path {
    /// Latest first; they cover the window without gap or overlap.
    pub pieces: Vec<Piece>,
    /// Latest first; see [`at_most`].
    pub wanted: Vec<Wanted>,
}

/// The critical path: on in the lane of each cause before that began.
pub fn path(lanes: &Lanes, start: Start<'_>) -> Path {
    let mut path = Path::default();
    let mut walk = Walk::new(lanes, &mut path.pieces, start, DEEP);
    walk.path = true;
    walk.run();
    path.wanted = walk.wanted;
    path
}

/// Blocked time: each cause is charged in its place, for `depth` causes of causes, then on in the
/// own lane.
pub fn blocked(lanes: &Lanes, start: Start<'_>, depth: u32) -> Vec<Piece> {
    let mut pieces = Vec::new();
    Walk::new(lanes, &mut pieces, start, depth).run();
    pieces
}

/// Blocked time of one interval: its parts', or its own cause where it has none.
pub fn operation(lanes: &Lanes, id: IntervalId) -> Vec<Piece> {
    let mut pieces = Vec::new();
    operation_into(lanes, id, &mut pieces);
    pieces
}

/// The same, behind other pieces.
pub(crate) fn operation_into(lanes: &Lanes, id: IntervalId, pieces: &mut Vec<Piece>) {
    let link = &lanes.links[id.at()];
    let (start, end) = (link.start, link.end);
    if lanes.has_parts(id) {
        return Walk::new(lanes, pieces, Start::new(Lane::Parts(id), end, start), DEEP).run();
    }
    if start < end {
        pieces.push(Piece { holder: step::holder(lanes, id), interval: Some(id), start, end })
    }
}
