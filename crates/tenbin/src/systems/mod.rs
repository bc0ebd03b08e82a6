//! The systems of this program, a line each, and the commands as all of them share them.
mod actions;
mod check;
mod compare;
mod finished;
mod reproduce;
mod run;
pub use actions::{act, act_of, with_actions};
pub use check::check;
pub use compare::compare;
pub use finished::{Finished, finished};
pub use reproduce::reproduce;
pub use run::run;

use crate::failure::Failure;
use crate::job;
use std::path::Path;
use system::lab::Lab;
use system::{Registry, System};

/// All systems behind the seam.
pub static SYSTEMS: Registry =
    Registry(&[&echo::Echo, &mapreduce::MapReduce, &ozone::Ozone, &ppmds::Ppmds, &xor::Xor]);

/// HDFS's scenarios still have commands of their own.
const APART: &str = "hdfs";

/// The lab of the system that a scenario is of; `None`: HDFS.
///
/// # Errors
/// Bad input: a file that cannot be read, a system that nobody knows.
pub fn lab(scenario: &Path, sets: &[String]) -> Result<Option<Lab>, Failure> {
    let sets = job::sets(sets)?;
    SYSTEMS.of(scenario, &sets, APART)?.map(Lab::of).transpose()
}

/// The system whose document has this name.
pub fn of_document(name: &str) -> Option<&'static dyn System> {
    SYSTEMS.all().find(|system| system.document().is_some_and(|d| d.name() == name))
}
