//! The commands that HDFS alone has.
mod args;
mod import;
mod import_foreground;
mod import_hdfs_log;
mod plan;
pub use args::{ImportForeground, ImportHdfs, ImportHdfsLog, PlanRebuild};

use crate::failure::Failure;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use system::Action;
#[cfg(target_os = "linux")]
use testbed::twin::TwinArgs;

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

/// HDFS for real; testbeds are Linux's.
#[cfg(target_os = "linux")]
pub(crate) static TWINS: [&dyn Action; 1] = [&Typed::<TwinArgs> {
    name: "hdfs",
    about: "A lost node on Hadoop's own daemons, and the same simulated",
    run: crate::twin::twin,
}];

#[cfg(not(target_os = "linux"))]
pub(crate) static TWINS: [&dyn Action; 0] = [];
