//! What commands do with HDFS, which has a page and a reading of its own.
mod args;
mod check;
mod compare;
mod diff;
mod import;
mod import_foreground;
mod import_hdfs_log;
mod plan;
mod ready;
mod run;
pub use args::{ImportForeground, ImportHdfs, ImportHdfsLog, PlanRebuild};

use crate::failure::Failure;
use crate::seam::Hdfs;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use std::path::Path;
use system::vary::Set;
use system::{Action, Ready, Runs, args as shared};

impl Runs for Hdfs {
    fn run(&self, args: shared::Run) -> Result<(), Failure> {
        run::run(args)
    }

    fn compare(&self, args: shared::Compare) -> Result<(), Failure> {
        compare::compare(args)
    }

    fn check(&self, args: shared::Check) -> Result<(), Failure> {
        check::check(args)
    }

    fn diff(&self, args: shared::Diff) -> Result<(), Failure> {
        diff::diff(args)
    }

    fn ready(&self, scenario: &Path, sets: &[Set], seed: u64) -> Result<Box<dyn Ready>, Failure> {
        ready::ready(scenario, sets, seed)
    }
}

/// A command whose arguments clap reads into `A`.
struct Typed<A: 'static> {
    name: &'static str,
    about: &'static str,
    run: fn(A) -> Result<(), Failure>,
}

impl<A: Args + FromArgMatches> Action for Typed<A> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn command(&self) -> Command {
        // The arguments' own comment would take its place.
        A::augment_args(Command::new(self.name)).about(self.about)
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        (self.run)(A::from_arg_matches(arguments).expect("clap has read them"))
    }
}

/// Readers of HDFS's files.
pub(crate) static IMPORTS: [&dyn Action; 3] = [
    &Typed::<ImportHdfs> {
        name: "hdfs",
        about: "HDFS: any sufficient subset of what its tools print",
        run: import::import,
    },
    &Typed::<ImportHdfsLog> {
        name: "hdfs-log",
        about: "HDFS's logs: a loss and its repair as they really went, with the same report",
        run: import_hdfs_log::import,
    },
    &Typed::<ImportForeground> {
        name: "foreground",
        about: "What clients read and write, from two /jmx pages of each DataNode",
        run: import_foreground::import,
    },
];

/// Searches for settings of HDFS.
pub(crate) static PLANS: [&dyn Action; 1] = [&Typed::<PlanRebuild> {
    name: "rebuild",
    about: "The repair of a loss, or the emptying of nodes",
    run: plan::rebuild,
}];
