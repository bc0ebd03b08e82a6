//! A scenario run for real on a testbed, beside its simulation: what the twins of all systems
//! share. A system brings its daemons, and reads what they log.
//!
//! ```text
//!  scenario ─┬─► testbed ─► programs (daemons, tools) ─► logs ─► import ─► measured ─┐
//!            └─► simulation of what the run began with ────────► predicted ──────────┴► Compared
//! ```
pub mod cold;
pub mod compared;
pub mod machine;
pub mod program;
pub use compared::{Compared, Figures, Pair};
pub use program::Program;
