//! MapReduce in simulated time: one logical process has the JobTracker, the TaskTrackers, and the
//! solver that shares disks, NICs, uplinks and cores.
mod attempt;
mod beat;
mod containers;
mod foreign;
mod jobs;
mod machine;
mod master;
mod message;
mod meter;
mod output;
mod reduce;
mod reported;
mod run;
mod settings;
mod tracker;
pub(crate) use machine::numbers;
pub(crate) use machine::{CORE, Kind, Resources};
pub use message::{AttemptEnd, BEHIND_REDUCE, Ended, Finished, LIMITS, PHASES, Phase, Record};
pub use run::Model;
pub use settings::Settings;
pub(crate) use settings::beyond;
