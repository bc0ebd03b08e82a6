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
/// Describes or imports a cluster, simulates it, and explains on one page what held it up.
#[derive(Parser, Debug)]
#[command(name = "tenbin", version, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
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

/// One a file in `commands/`.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Simulate a scenario once and explain it.
    Run(Run),
    /// Simulate variants of a scenario over many seeds and say what the difference is.
    Compare(Compare),
    /// Hold two runs against each other, simulated or logged.
    Diff(Diff),
    /// Check every claim of a source document against our own runs.
    Reproduce(Reproduce),
    /// Say why a run's jobs took so long.
    Why(Why),
    /// Write the page of a run, or of several, as one file.
    Report(ReportOf),
    /// Show runs' pages in a browser on this machine.
    Serve(Serve),
    /// Write a run's tables for other tools.
    Export(Export),
    /// Print every key of a scenario with its value and where it came from.
    Check(Check),
    /// Print the names that can be used.
    List(List),
    /// Write a built-in scenario, to begin one's own with.
    Example(Example),
    /// Say what a policy, a model or a piece of hardware is.
    Explain(Explain),
    /// Measure the engine.
    #[command(subcommand)]
    Bench(Bench),
    /// Print a completion script for a shell.
    Completions(Completions),
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
    /// Which document: s0, s1, … or that of another system.
    #[arg(value_name = "DOCUMENT", value_parser = document)]
    pub system: String,
    /// Judge this claim alone: C4.3. What other claims need is not run, where a system can tell.
    #[arg(long, value_name = "ID")]
    pub claim: Option<String>,
    /// Change a key of the document's own parameters, as for `run`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Seeds 1 to N of every run.
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(2..=100_000),
          allow_negative_numbers = true)]
    pub seeds: u32,
    /// Run the document's experiments for real, too, in the small; what is over is kept. s0 (C0.9)
    /// and s1 (C1.1 to C1.5): hours, with --jar and what `tenbin twin` needs. s2 (C2.1, C2.2): a
    /// quarter of an hour, as root, with iproute2.
    #[arg(long, visible_alias = "measured", conflicts_with = "sets")]
    pub real: bool,
    /// Tenbin's plug-in for them, which `mvn package` makes: docs/testbed.md.
    #[arg(long, value_name = "FILE", requires = "real")]
    pub jar: Option<PathBuf>,
    /// Real runs of each arm [default: 7; s2: 3].
    #[arg(long, value_name = "N", requires = "real",
          value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub runs: Option<u32>,
    /// Which Hadoop is run.
    #[arg(long, value_name = "VERSION", default_value = "3.4.3", requires = "real")]
    pub hadoop: String,
    /// Folder for what the disks of real runs hold [default: memory].
    #[arg(long, value_name = "DIR", requires = "real")]
    pub store: Option<PathBuf>,
    /// Folder for the page, the table and the numbers [default: out/reproduce-s0].
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// A document that some system knows.
fn document(name: &str) -> Result<String, String> {
    let all = || crate::systems::documents().map(|(_, document)| document);
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
    pub what: Listed,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// What can be listed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listed {
    /// Values of keys that name a policy.
    Policies,
    /// Systems, and which commands each has.
    Systems,
    /// Systems that can be simulated.
    Models,
    /// Values of hardware.disk and hardware.nic.
    Hardware,
    /// Scenarios: those built in, and the files below ./scenarios.
    Scenarios,
}

/// `tenbin example`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tenbin example s0 -o mine.toml")]
pub struct Example {
    /// A built-in scenario, as `tenbin list scenarios` prints it.
    pub name: String,
    /// New file to write; `-` is stdout.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub out: PathBuf,
}

/// `tenbin explain`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tenbin explain ring")]
pub struct Explain {
    /// A name that `tenbin list` prints.
    pub name: String,
}

/// `tenbin completions`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  \
        tenbin completions bash > ~/.local/share/bash-completion/completions/tenbin")]
pub struct Completions {
    /// Which.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
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
