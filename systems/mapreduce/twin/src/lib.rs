//! `tenbin twin mapreduce`: runs jobs on Hadoop's daemons, with a testbed's disks and links, and
//! simulates the same jobs.
//!
//! ```text
//!  scenario ─┬─► wanted ─► daemons (site) ─► histories ─► measured
//!            └─► the lab ───────────────────────────► predicted
//! ```
mod arms;
mod claims;
mod daemons;
mod figures;
mod setup;
mod site;

use system::TypedAction;
use system::claims::RealExperiment;
use testbed::twin::TwinArgs;

pub static TWIN: TypedAction<TwinArgs> = TypedAction {
    name: "mapreduce",
    about: "Jobs on Hadoop's own daemons, and in simulation",
    run: |args| arms::twin(&args),
};

/// C1.1 to C1.5 of Watanabe 2014: `tenbin reproduce s1 --real`.
pub const S1: RealExperiment =
    RealExperiment { document: "s1", runs: 7, needs_jar: true, make: claims::real };
