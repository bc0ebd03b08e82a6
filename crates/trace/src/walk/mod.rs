//! Explains a time window backwards from its end, moment by moment (docs/trace.md, "The walk").
//!
//! Time only decreases, so each moment is charged exactly once.
mod chain;
mod first;
mod lanes;
mod parts;
mod shares;
mod step;
pub(crate) use chain::follow;
pub(crate) use lanes::roles;
pub use lanes::{Lane, Lanes};
pub use parts::{DEEP, Holder, Idle, Piece, ResourceDemand, Start};
pub use shares::{at_most, percents, sum};

use crate::ids::IntervalId;
use step::Walk;

/// The critical path and its waits for slots.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Path {
    /// Latest first; they cover the window without gap or overlap.
    pub pieces: Vec<Piece>,
    /// Latest first; see [`at_most`].
    pub wanted: Vec<ResourceDemand>,
}

/// The critical path: continues in the lane of each cause that began before.
pub fn path(lanes: &Lanes, start: Start<'_>) -> Path {
    let mut path = Path::default();
    let mut walk = Walk::new(lanes, &mut path.pieces, start, DEEP);
    walk.path = true;
    walk.run();
    path.wanted = walk.wanted;
    path
}

/// Blocked time: charges causes in place, up to `depth` levels, then continues in the own lane.
pub fn blocked(lanes: &Lanes, start: Start<'_>, depth: u32) -> Vec<Piece> {
    let mut pieces = Vec::new();
    Walk::new(lanes, &mut pieces, start, depth).run();
    pieces
}

/// Blocked time of one interval: by its parts, or by its own cause if it has none.
pub fn operation(lanes: &Lanes, id: IntervalId) -> Vec<Piece> {
    let mut pieces = Vec::new();
    operation_into(lanes, id, &mut pieces);
    pieces
}

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
