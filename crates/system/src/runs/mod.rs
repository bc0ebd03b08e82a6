//! Commands on scenarios and results of any system.
//!
//! ```text
//!  tenbin run · compare · check · diff · bench scaling · bench diverge
//!     │  registry: which system has this scenario, or run?
//!     ▼
//!  the lab (variants × seeds, one page for all) ◄── Simulation, Reporter of a system
//! ```
mod check;
mod compare;
mod loaded;
mod run;
pub use crate::diff::diff;
pub use check::check;
pub use compare::compare;
pub use loaded::LoadedRun;
pub use run::{attribution, run};
