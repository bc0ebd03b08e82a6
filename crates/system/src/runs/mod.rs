//! What commands do with a system's scenarios: the lab's way, or a system's own.
//!
//! ```text
//!  tenbin run · compare · check · diff · bench scaling · bench diverge
//!     │  registry: whose scenario, or run, is this?
//!     ▼
//!  Runs ◄── the lab (rows × seeds, one page for all) ◄── Simulation, Words of a system
//!     ▲
//!     └──── a system that brings its own
//! ```
mod check;
mod compare;
mod diff;
mod ready;
mod run;

use crate::args;
use crate::failure::Failure;
use crate::lab::Lab;
use crate::scaling::Timed;
use crate::seam::Observer;
use crate::vary::Set;
use engine::{Cores, Execution, Profile, Scheduler};
use std::path::Path;

/// What commands do with a system's scenarios and results.
pub trait Runs: Sync {
    /// `tenbin run`: simulates, explains, writes the results.
    ///
    /// # Errors
    /// As every command.
    fn run(&self, args: args::Run) -> Result<(), Failure>;

    /// `tenbin compare`: runs variants × seeds, says what differs, writes the results.
    ///
    /// # Errors
    /// As every command.
    fn compare(&self, args: args::Compare) -> Result<(), Failure>;

    /// `tenbin check`: prints every key, its value, and where it came from.
    ///
    /// # Errors
    /// As every command.
    fn check(&self, args: args::Check) -> Result<(), Failure>;

    /// `tenbin diff`: holds two finished runs against each other.
    ///
    /// # Errors
    /// As every command.
    fn diff(&self, args: args::Diff) -> Result<(), Failure>;

    /// A run that can be made again and again: its scenario is read and checked, and what it loads
    /// is loaded.
    ///
    /// # Errors
    /// Bad input.
    fn ready(&self, scenario: &Path, sets: &[Set], seed: u64) -> Result<Box<dyn Ready>, Failure>;
}

/// A run that can be made again and again.
pub trait Ready: Sync {
    /// "scenario s0 (9f3c…), seed 1": runs of the same name come out the same.
    fn name(&self) -> String;

    /// Runs it, and shows each committed event. Its trace hash; of processes that do not have it 0.
    ///
    /// # Errors
    /// As [`Lab::one`]; interrupted.
    fn watched<'p>(
        &self,
        execution: Execution<'p>,
        see: &'p mut Observer<'p>,
    ) -> Result<u128, Failure>;

    /// Runs it on this machine for its time alone.
    ///
    /// # Errors
    /// As [`Lab::one`]; interrupted.
    fn time(&self, scheduler: Scheduler) -> Result<Timed, Failure>;

    /// What a scheduler's threads would have to do, each on a core of its own, and the trace hash.
    ///
    /// # Errors
    /// As [`Lab::one`]; interrupted.
    fn profile(&self, scheduler: Scheduler, cores: Cores) -> Result<(u128, Profile), Failure>;
}

impl Runs for Lab {
    fn run(&self, args: args::Run) -> Result<(), Failure> {
        run::run(*self, args)
    }

    fn compare(&self, args: args::Compare) -> Result<(), Failure> {
        compare::compare(*self, args)
    }

    fn check(&self, args: args::Check) -> Result<(), Failure> {
        check::check(*self, args)
    }

    fn diff(&self, args: args::Diff) -> Result<(), Failure> {
        diff::diff(self.system(), args)
    }

    fn ready(&self, scenario: &Path, sets: &[Set], seed: u64) -> Result<Box<dyn Ready>, Failure> {
        ready::ready(*self, scenario, sets, seed)
    }
}
