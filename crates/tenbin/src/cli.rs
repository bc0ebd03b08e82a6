//! The argument line.
mod bench;
mod runs;
pub use bench::{Bench, Diverge, Jobs, Phold, Scaling, Team};
use clap::{Args, Parser, Subcommand, ValueEnum};
pub use runs::{Export, ReportOf, Serve, Why};
use std::path::PathBuf;
pub use system::args::{Check, Compare, Diff, Run};

/// A laboratory for I/O balance in distributed storage.
///
/// Describes or imports a cluster, simulates it, and explains the bottlenecks on one page.
#[derive(Parser, Debug)]
#[command(name = "tenbin", version, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  tenbin compare s0
  tenbin list scenarios
  tenbin example s0 -o mine.toml
  tenbin run mine.toml
  tenbin import --help
  tenbin reproduce s0
  tenbin explain ring

Exit codes: 0 done, 1 the run failed, 2 bad input, 130 interrupted.";

/// Each in a file of `commands/`, or of `system::runs` if it runs scenarios.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Simulate a scenario once and explain the result.
    Run(Run),
    /// Simulate variants of a scenario over many seeds and print the differences.
    Compare(Compare),
    /// Compare two runs, simulated or logged.
    Diff(Diff),
    /// Check every claim of a paper against Tenbin's own runs.
    Reproduce(Reproduce),
    /// Explain the duration of a run's jobs.
    Why(Why),
    /// Write the page of one or more runs as one file.
    Report(ReportOf),
    /// Show the pages of runs in a browser on this machine.
    Serve(Serve),
    /// Write a run's tables for other tools.
    Export(Export),
    /// Print every key of a scenario with its value and origin.
    Check(Check),
    /// Print the names that other commands accept.
    List(List),
    /// Write a built-in scenario as a start for a new one.
    Example(Example),
    /// Describe a policy, a model, hardware or a key.
    Explain(Explain),
    /// Measure the engine.
    #[command(subcommand)]
    Bench(Bench),
    /// Print a completion script for a shell.
    Completions(Completions),
    /// Write manual pages, one a command.
    Man(Man),
}

/// `tenbin reproduce`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin reproduce s0
  tenbin reproduce s0 --json -o out/s0-claims
  tenbin reproduce s4 --claim C4.3
  tenbin reproduce s1 --real --jar tenbin-yarn.jar --claim C1.1
  tenbin reproduce s2 --real")]
pub struct Reproduce {
    /// The paper: s0, s1, … or that of another system; all: every paper, and one table of them.
    #[arg(value_name = "DOCUMENT", value_parser = document)]
    pub system: String,
    /// Judge only this claim, such as C4.3; skip the runs of other claims if the system supports
    /// it.
    #[arg(long, value_name = "ID")]
    pub claim: Option<String>,
    /// Change a key of the paper's parameters, as for `run`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Seeds 1 to N of every run [default: 10, then more until a claim is decided, at most 320].
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u32).range(2..=100_000),
          allow_negative_numbers = true)]
    pub seeds: Option<u32>,
    /// Also run the paper's experiments for real, at a small scale; finished runs are kept. s0
    /// (C0.9) and s1 (C1.1 to C1.5): hours, with --jar and the requirements of `tenbin twin`. s2
    /// (C2.1, C2.2): 15 minutes, as root, with iproute2. s3 (C3.1): half an hour, as root, with
    /// Maven. s4 (C4.1 to C4.3, C4.6): 3 minutes.
    #[arg(long, visible_alias = "measured", conflicts_with = "sets")]
    pub real: bool,
    /// Tenbin's plug-in for the real runs, built by `mvn package`: docs/testbed.md.
    #[arg(long, value_name = "FILE", requires = "real")]
    pub jar: Option<PathBuf>,
    /// Real runs of each arm [default: 7; s2: 3; s3: 2; s4: 5].
    #[arg(long, value_name = "N", requires = "real",
          value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub runs: Option<u32>,
    /// Hadoop version of the real runs.
    #[arg(long, value_name = "VERSION", default_value = "3.4.3", requires = "real")]
    pub hadoop: String,
    /// Folder for the disks' data in real runs [default: memory].
    #[arg(long, value_name = "DIR", requires = "real")]
    pub store: Option<PathBuf>,
    /// Folder for the page, the table and the numbers [default: out/reproduce-s0].
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// A paper of some system.
fn document(name: &str) -> Result<String, String> {
    let all = || crate::systems::documents().map(|(_, document)| document);
    if name == "all" {
        return Ok(name.into());
    }
    match all().find(|document| document.is(name)) {
        Some(document) => Ok(document.name.to_string()),
        None => {
            let names: Vec<&str> = all().map(|document| document.name).collect();
            Err(format!("expected {}", names.join(", ")))
        }
    }
}

/// `tenbin list`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tenbin list policies")]
pub struct List {
    /// What to list.
    #[arg(value_enum)]
    pub what: ListKind,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListKind {
    /// Policies: values of keys that name one.
    Policies,
    /// Systems, with their commands.
    Systems,
    /// Systems that can be simulated.
    Models,
    /// Values of hardware.disk and hardware.nic.
    Hardware,
    /// Built-in scenarios, and the files below ./scenarios.
    Scenarios,
}

/// `tenbin example`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tenbin example s0 -o mine.toml")]
pub struct Example {
    /// A built-in scenario of `tenbin list scenarios`.
    pub name: String,
    /// New file to write; `-` is stdout.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub out: PathBuf,
}

/// `tenbin explain`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tenbin explain ring")]
pub struct Explain {
    /// A name of `tenbin list`.
    pub name: String,
}

/// `tenbin completions`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  \
        tenbin completions bash > ~/.local/share/bash-completion/completions/tenbin")]
pub struct Completions {
    /// Shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `tenbin man`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tenbin man man && man man/tenbin-compare.1")]
pub struct Man {
    /// Folder of the pages.
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_description_is_consistent() {
        Cli::command().debug_assert();
    }
}
