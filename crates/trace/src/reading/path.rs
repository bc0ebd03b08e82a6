//! The critical path in words.
use super::holder_shares::{Role, role};
use super::label::label;
use crate::schema::Trace;
use crate::walk::Piece;
use serde::{Deserialize, Serialize};
use units::Nanos;

/// A stretch of the path.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The entity and the interval: "m_000007: runs".
    pub label: String,
    /// The bottleneck that it is charged to.
    pub holder: String,
    /// Its category.
    pub role: Role,
    /// Start in the trace's time \[s\].
    pub start_s: f64,
    /// End \[s\].
    pub end_s: f64,
}

/// By time; equal neighbours are merged.
pub(super) fn steps(trace: &Trace, pieces: &[Piece]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for piece in pieces.iter().rev() {
        let (label, holder) = (label(trace, piece.interval), piece.holder.name(trace));
        let seconds = |at: Nanos| at.0 as f64 / 1e9;
        match steps.last_mut() {
            Some(last) if last.label == label && last.holder == holder => {
                last.end_s = seconds(piece.end)
            }
            _ => steps.push(Step {
                label,
                holder,
                role: role(trace, piece.holder),
                start_s: seconds(piece.start),
                end_s: seconds(piece.end),
            }),
        }
    }
    steps
}
