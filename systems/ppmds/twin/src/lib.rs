//! The metadata service compared with its simulation.
//!
//! ```text
//!  calibrate: store, state machine, sockets ──► keys ──► simulation ──► predicted
//!  real nodes behind shaped links ◄── load ──────────────────────────► measured
//! ```
mod calibrate;
mod cells;
mod claims;
mod cores;
mod cpu;
mod predict;
mod stage;
mod twin;

pub use calibrate::{CalibrateStore, calibrate};
pub use claims::S4;

use system::TypedAction;

pub static TWIN: TypedAction<twin::StoreTwinArgs> = TypedAction {
    name: "ppmds",
    about: "The metadata service on real nodes, and in simulation",
    run: |args| twin::twin(&args),
};
