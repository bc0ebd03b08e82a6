//! A scenario run for real on a testbed, and its simulation: the part common to all systems. A
//! system adds its daemons and reads their logs.
//!
//! ```text
//!  scenario ─┬─► testbed ─► programs (daemons, tools) ─► logs ─► import ─► measured ─┐
//!            └─► simulation of what the run began with ────────► predicted ──────────┴► Compared
//! ```
pub mod args;
pub mod campaign;
pub mod cold;
pub mod compared;
pub mod daemons;
pub mod gains;
pub mod java;
pub mod kept;
pub mod machine;
pub mod program;
pub mod runs;
pub mod site;
pub use args::TwinArgs;
pub use campaign::{Arm, Campaign, Done};
pub use compared::{Compared, Figures, Pair};
pub use daemons::Daemons;
pub use program::Program;
pub use runs::runs;
