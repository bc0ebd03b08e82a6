//! `tenbin bench …`
use crate::execution::Execution;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use system::args::{SumsArgs, whole};

/// `tenbin bench`
#[derive(Subcommand, Debug)]
pub enum Bench {
    /// PHOLD: events that move between logical processes.
    Phold(Phold),
    /// Estimate the speedup with more cores, from the work of each as measured on one thread.
    Scaling(Scaling),
    /// Find the first event that differs between two runs of the same simulation.
    Diverge(Diverge),
}

/// `tenbin bench scaling`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin bench scaling --lps 65536 --lookahead 0.01
  tenbin bench scaling --lps 65536 --lookahead 0.001 --grain 2 --scheduler optimistic
  tenbin bench scaling scenarios/shop.toml --set model.sharing=queue --measure")]
pub struct Scaling {
    /// Scenario file, instead of PHOLD.
    #[arg(conflicts_with_all = OF_PHOLD)]
    pub scenario: Option<PathBuf>,
    /// Change a key of the scenario, as for `run`.
    #[arg(long = "set", value_name = "KEY=VALUE", requires = "scenario")]
    pub sets: Vec<String>,
    /// Also measure two threads of this machine, alternating with one, and print the result.
    #[arg(long)]
    pub measure: bool,
    #[command(flatten)]
    pub jobs: Jobs,
    /// Scheduler.
    #[arg(long, value_enum, default_value_t = Team::Conservative)]
    pub scheduler: Team,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// Options of PHOLD, not valid with a scenario.
const OF_PHOLD: [&str; 9] =
    ["lps", "population", "awake", "remote", "hot", "events", "three_kinds", "lookahead", "grain"];

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Team {
    /// Each thread runs up to its safe time: no earlier message can arrive.
    Conservative,
    /// Threads speculate and roll back events that were wrong.
    Optimistic,
}

/// `tenbin bench diverge`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin bench diverge 'run scenarios/s0.toml' \\
                       'run scenarios/s0.toml --scheduler optimistic --threads 3'
  tenbin bench diverge 'bench phold --lps 64' 'mpirun -n 2 tenbin bench phold --lps 64'
  tenbin run scenarios/s0.toml --sums here.sums     # the same on another machine, then
  tenbin bench diverge here.sums there.sums

Ranks of `mpirun -n R` are threads here. Exit code 1 where they differ; docs/engine.md says more.")]
pub struct Diverge {
    /// A run: the arguments of `tenbin`, as one word; or a file written by --sums.
    #[arg(value_name = "A")]
    pub first: String,
    /// The other run or file.
    #[arg(value_name = "B")]
    pub second: String,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// `tenbin bench phold`
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example:\n  tenbin bench phold --lps 65536 --json")]
pub struct Phold {
    #[command(flatten)]
    pub jobs: Jobs,
    #[command(flatten)]
    pub execution: Execution,
    #[command(flatten)]
    pub sums: SumsArgs,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// Workload of PHOLD.
#[derive(Args, Clone, Debug)]
pub struct Jobs {
    /// Number of logical processes.
    #[arg(long, value_name = "N", default_value_t = 1024,
          value_parser = clap::value_parser!(u32).range(1..=16_777_216),
          allow_negative_numbers = true)]
    pub lps: u32,
    /// Initial events per logical process.
    #[arg(long, value_name = "K", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1024),
          allow_negative_numbers = true)]
    pub population: u32,
    /// Fraction of the logical processes that hold events at the start, the first ones: above 0, at
    /// most 1. With --remote 0 events never leave them.
    #[arg(long, value_name = "F", default_value_t = 1.0, allow_negative_numbers = true)]
    pub awake: f64,
    /// Fraction of events sent to another logical process, 0 to 1.
    #[arg(long, value_name = "F", default_value_t = 0.25, allow_negative_numbers = true)]
    pub remote: f64,
    /// Fraction of all events sent to the first logical process, 0 to 1; 0 treats it like all
    /// others. Needs a --remote above 0.
    #[arg(long, value_name = "F", default_value_t = 0.0, allow_negative_numbers = true)]
    pub hot: f64,
    /// Approximate number of events.
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = whole,
          allow_negative_numbers = true)]
    pub events: u64,
    /// Use three kinds of LP and event instead of one.
    #[arg(long)]
    pub three_kinds: bool,
    /// Minimum delay, in units of the mean delay.
    #[arg(long, value_name = "T", default_value_t = 0.1, allow_negative_numbers = true)]
    pub lookahead: f64,
    /// Additional work per event in microseconds.
    #[arg(long, value_name = "\u{b5}s", default_value_t = 0.0, allow_negative_numbers = true)]
    pub grain: f64,
    /// Random seed.
    #[arg(long, default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    pub seed: u64,
}
