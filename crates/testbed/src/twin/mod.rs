//! A scenario run for real on a testbed, beside its simulation: what the twins of all systems
//! share. A system brings its daemons, and reads what they log.
//!
//! ```text
//!  scenario ─┬─► testbed ─► programs (daemons, tools) ─► logs ─► import ─► measured ─┐
//!            └─► simulation of what the run began with ────────► predicted ──────────┴► Compared
//! ```
pub mod cold;
pub mod compared;
pub mod java;
pub mod machine;
pub mod program;
pub mod site;
pub use compared::{Compared, Figures, Pair};
pub use program::Program;

use units::Bytes;

/// The machine's memory is no node's: a repair of seconds would end in it, and one of hours does
/// not. So little of what a disk is to write is no part of the time.
pub const WAITING: Bytes = Bytes::mib(16);
