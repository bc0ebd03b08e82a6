//! `tenbin twin hdfs`: a loss on Hadoop's daemons with a testbed's disks and links, and its
//! simulation.
//!
//! ```text
//!  scenario ─► wanted ─► daemons (site)    ─┬─► what Hadoop's tools list ─► predicted
//!                                           └─► logs of the repair ──────► measured
//! ```
mod arms;
mod claims;
mod daemons;
mod logs;
mod predicted;
mod setup;
mod site;

use system::TypedAction;
use system::claims::RealExperiment;
use testbed::twin::TwinArgs;

pub static TWIN: TypedAction<TwinArgs> = TypedAction {
    name: "hdfs",
    about: "A lost node on Hadoop's own daemons, and in simulation",
    run: arms::twin,
};

/// C0.9 of Higai et al. 2014: `tenbin reproduce s0 --real`.
pub const S0: RealExperiment =
    RealExperiment { document: "s0", runs: 7, needs_jar: true, make: claims::real };
