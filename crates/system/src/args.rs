//! Arguments of the commands that run scenarios.
use crate::execution::Execution;
use crate::failure::Failure;
use crate::sums::Window;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Arguments of both `run` and `compare`.
#[derive(Args, Debug)]
pub struct Common {
    /// Scenario file, or a name that `tenbin list scenarios` prints.
    pub scenario: PathBuf,
    /// Change a key: TABLE.KEY=VALUE; all after the first dot is one key.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Folder for the results [default: out/NAME].
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// `tenbin run`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin run s0 --seed 7
  tenbin run scenarios/s0.toml --set policy.rereplication=ring --set cluster.racks=2
  tenbin run scenarios/s0.toml --seeds 20
  tenbin run scenarios/s0.toml --scheduler rollback-check --check --json")]
pub struct Run {
    #[command(flatten)]
    pub common: Common,
    /// Seed of all random numbers.
    #[arg(long, default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    pub seed: u64,
    /// Number of seeds, starting at --seed. The trace is that of the first; figures use all. Their
    /// range is kept for `tenbin diff`.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=100_000),
          allow_negative_numbers = true)]
    pub seeds: u32,
    #[command(flatten)]
    pub execution: Execution,
    /// Check invariants during the run (bytes conserved, no resource above capacity, replicas
    /// distinct, …).
    #[arg(long)]
    pub check: bool,
    /// Write each operation as its client saw it, as JSON lines, for `tenbin check-history`. Only
    /// for systems that serve operations. The trace hash covers the history, so it differs.
    #[arg(long, value_name = "FILE")]
    pub history: Option<PathBuf>,
    /// `none`: do not run candidate changes of settings.
    #[arg(long, value_enum, default_value_t = AdviceFrom::Runs)]
    pub advice: AdviceFrom,
    /// Run the scenario only: no candidate changes, no assumed values at half and double.
    #[arg(long)]
    pub quick: bool,
    #[command(flatten)]
    pub sums: SumsArgs,
}

/// The basis of advice.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum AdviceFrom {
    /// Runs with candidate changes.
    Runs,
    None,
}

/// `--sums`
#[derive(Args, Clone, Debug)]
pub struct SumsArgs {
    /// Write the parts of the trace hash by time and logical process, for `tenbin bench diverge`.
    /// The run is slower.
    #[arg(long, value_name = "FILE")]
    pub sums: Option<PathBuf>,
    /// Restrict --sums to events at or after FROM and before TO, in ns; or to `end`, the state at
    /// the end.
    #[arg(long, value_name = "FROM..TO", requires = "sums", value_parser = Window::parse)]
    pub within: Option<Window>,
}

/// The error names the range, which that of `u64::from_str` does not.
pub fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

/// `tenbin compare`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin compare s0
  tenbin compare scenarios/s0.toml --vary policy.rereplication=default,ring \\
                                   --vary cluster.nodes_per_rack=8,16 --seeds 20")]
pub struct Compare {
    #[command(flatten)]
    pub common: Common,
    /// Values of a key; if repeated, all combinations. Replaces the scenario's `[compare]`.
    #[arg(long, value_name = "KEY=A,B")]
    pub vary: Vec<String>,
    /// A variant with these keys; repeatable. Replaces the scenario's `[compare]`.
    #[arg(long, value_name = "KEY=VALUE,…", conflicts_with = "vary")]
    pub variant: Vec<String>,
    /// Seeds 1 to N [default: run.seeds of the scenario].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000),
          allow_negative_numbers = true)]
    pub seeds: Option<u32>,
}

/// `tenbin diff`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin run logged/scenario.toml --seeds 20 -o simulated/
  tenbin diff logged/ simulated/ -o parted/

A run is a folder that `run`, `compare` or an import of logs wrote; docs/compare.md says more.")]
pub struct Diff {
    /// The reference run.
    #[arg(value_name = "RUN")]
    pub first: PathBuf,
    /// The run to compare with it.
    #[arg(value_name = "RUN")]
    pub second: PathBuf,
    /// Folder for report.html and diff.json [default: none is written].
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// `tenbin check`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tenbin check scenarios/shop.toml")]
pub struct Check {
    /// Scenario file, or a name that `tenbin list scenarios` prints.
    pub scenario: PathBuf,
    /// Change a key, as for `run`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

impl Run {
    /// Fails if the last seed exceeds `u64::MAX`.
    pub fn seeds(&self) -> Result<Vec<u64>, Failure> {
        let last = self.seed.checked_add(u64::from(self.seeds) - 1).ok_or_else(|| {
            let (seed, seeds, most) = (self.seed, self.seeds, u64::MAX);
            Failure::BadInput(format!(
                "--seed {seed} --seeds {seeds}: expected a last seed of at most {most}"
            ))
        })?;
        Ok((self.seed..=last).collect())
    }
}
