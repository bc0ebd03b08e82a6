//! What commands do with a system's scenarios and results, the same for all systems.
//!
//! ```text
//!  tenbin run · compare · check · diff · bench scaling · bench diverge
//!     │  registry: whose scenario, or run, is this?
//!     ▼
//!  the lab (rows × seeds, one page for all) ◄── Simulation, Words of a system
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
