//! MapReduce in simulated time. One LP has the JobTracker, the TaskTrackers, and the solver that
//! shares disks, NICs, uplinks and cores.
mod attempt;
mod beat;
mod containers;
mod delay;
mod disk_reports;
mod flow;
mod foreign;
mod jobs;
mod machine;
mod master;
mod memory;
mod message;
mod meter;
mod need;
mod output;
mod reduce;
mod streams;
mod tracker;
mod transfer;
mod unless_empty;
pub(crate) use machine::{CORE, Kind, Resources, is_too_long};
pub use message::{
    AttemptEnd, AttemptReport, BEHIND_REDUCE, Event, JobReport, LIMITS, PHASES, Phase, Record,
};
pub(crate) use tracker::Tracker;
