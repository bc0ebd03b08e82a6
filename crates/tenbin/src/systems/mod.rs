//! The systems of this program, a line each, and the commands as all of them share them.
mod actions;
mod builtin;
mod finished;
mod reproduce;
pub use actions::{Act, act, act_of, with_actions};
pub use builtin::{built_in, built_ins};
pub use finished::{finished, finished_below, jobs};
pub use reproduce::reproduce;

use crate::failure::Failure;
use crate::vary;
use std::path::Path;
use system::claims::Document;
use system::lab::Lab;
use system::{Registry, System};

/// All systems; a scenario that names none is of the first.
pub static SYSTEMS: Registry = Registry(&[
    &hdfs::HDFS,
    &echo::ECHO,
    &mapreduce::MAPREDUCE,
    &ozone::OZONE,
    &ppmds::PPMDS,
    &xor::XOR,
]);

/// The lab of the system that a scenario is of.
///
/// # Errors
/// Bad input: a file that cannot be read, a system that nobody knows, one that is not simulated.
pub fn lab(scenario: &Path, sets: &[String]) -> Result<Lab, Failure> {
    Lab::of(SYSTEMS.of(scenario, &vary::sets(sets)?)?)
}

/// The documents whose claims can be checked, each with its system.
pub fn documents() -> impl Iterator<Item = (&'static System, &'static Document)> {
    SYSTEMS.all().filter_map(|system| Some((system, system.document?)))
}
