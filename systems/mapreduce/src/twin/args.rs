//! The arguments of `tenbin twin mapreduce`.
use clap::{ArgMatches, Args, Command, FromArgMatches};
use std::path::PathBuf;
use system::{Action, Failure};

/// `tenbin twin mapreduce`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin twin mapreduce systems/mapreduce/scenarios/twin.toml
  tenbin twin mapreduce systems/mapreduce/scenarios/twin.toml --set workload.kind=wordcount --json

Needs Linux, root, FUSE, Maven and a Java 11 or later; the first time it loads 130 MB of Hadoop
from Maven Central. A run takes some minutes; let nothing else run meanwhile.")]
pub(super) struct TwinMapReduce {
    /// Scenario of nodes and jobs.
    pub scenario: PathBuf,
    /// Real runs.
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub runs: u32,
    /// Seeds 1 to N of the simulation.
    #[arg(long, value_name = "N", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub seeds: u32,
    /// Which Hadoop.
    #[arg(long, value_name = "VERSION", default_value = "3.4.3")]
    pub hadoop: String,
    /// tenbin-yarn.jar, where policy.scheduling has rules (systems/mapreduce/hadoop).
    #[arg(long, value_name = "FILE")]
    pub jar: Option<PathBuf>,
    /// Change a key of the scenario first, as for `run`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// What the testbed is called.
    #[arg(long, value_name = "NAME", default_value = "twin")]
    pub name: String,
    /// Folder for what disks hold [default: memory].
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Folder for the results [default: out/twin-NAME].
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// `tenbin twin mapreduce`
pub struct Twin;

impl Action for Twin {
    fn name(&self) -> &'static str {
        "mapreduce"
    }

    fn command(&self) -> Command {
        TwinMapReduce::augment_args(Command::new(self.name()))
            .about("Jobs on Hadoop's own daemons, and the same simulated")
    }

    fn run(&self, arguments: &ArgMatches) -> Result<(), Failure> {
        super::twin(&TwinMapReduce::from_arg_matches(arguments).expect("clap has read them"))
    }
}
