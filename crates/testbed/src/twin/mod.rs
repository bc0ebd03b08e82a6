//! A scenario run for real on a testbed, and its simulation: the part common to all systems. A
//! system adds its daemons and reads their logs.
//!
//! ```text
//!  scenario ─┬─► testbed ─► programs (daemons, tools) ─► logs ─► import ─► measured ─┐
//!            └─► simulation of what the run began with ────────► predicted ──────────┴► Comparison
//! ```
pub mod args;
pub mod campaign;
pub mod checkpoint;
pub mod cold;
pub mod comparison;
pub mod daemons;
pub mod gains;
pub mod java;
pub mod machine;
pub mod program;
pub mod runs;
pub mod site;
pub use args::TwinArgs;
pub use campaign::{Arm, ArmRuns, Campaign};
pub use comparison::{Comparison, Figures, Pair};
pub use daemons::Daemons;
pub use program::Program;
pub use runs::runs;
