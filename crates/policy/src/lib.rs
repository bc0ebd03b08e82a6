//! Pure decisions: a plain view in, a decision or a refusal out. No clock, no I/O; randomness is handed in.
//!
//! One seam per folder, one policy per file.
pub mod dice;
mod doc;
pub mod placement;
pub mod rereplication;
pub mod view;
pub use dice::Dice;
pub use view::{Fitness, NodeView, View};
