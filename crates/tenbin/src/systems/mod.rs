//! The program's systems, and the parts of commands that all systems share.
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
use system::lab::{Lab, ScenarioText};
use system::{Registry, System};

/// The first system is the default of scenarios.
pub static SYSTEMS: Registry = Registry(&[
    &hdfs::HDFS,
    &echo::ECHO,
    &mapreduce::MAPREDUCE,
    &ozone::OZONE,
    &ppmds::PPMDS,
    &xor::XOR,
]);

/// Reads a scenario's text and finds its system.
///
/// # Errors
/// Bad input: the file is unreadable; the system is unknown or cannot be simulated.
pub fn scenario(file: &Path, sets: &[String]) -> Result<ScenarioText, Failure> {
    let (system, text) = SYSTEMS.of(file, &vary::sets(sets)?)?;
    Ok(ScenarioText { lab: Lab::of(system)?, file: file.into(), text })
}

pub fn documents() -> impl Iterator<Item = (&'static System, &'static Document)> {
    SYSTEMS.all().filter_map(|system| Some((system, system.document?)))
}
