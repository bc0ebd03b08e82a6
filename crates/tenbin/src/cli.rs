//! The argument line.
mod bench;
mod relay;
mod runs;
use crate::execution::Execution;
use crate::sums::Window;
pub use bench::{Bench, Diverge, Jobs, Phold, Scaling, Team};
use clap::{Args, Parser, Subcommand, ValueEnum};
pub use relay::{
    Relay, RelayBench, RelayCluster, RelayDemo, RelayDraw, RelayGet, RelayLs, RelayName, RelayNode,
    RelayPut, RelayRepair,
};
pub use runs::{Export, Monitor, ReportOf, Serve, Why};
use std::path::PathBuf;

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
  tenbin import hdfs --fsck fsck.txt --report report.txt -o shop.toml
  tenbin run scenarios/s0.toml
  tenbin compare scenarios/shop.toml
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
    /// Search for the settings that repair a loss soonest.
    #[command(subcommand)]
    Plan(Plan),
    /// Check every claim of a source document against our own runs.
    Reproduce(Reproduce),
    /// Make a cluster file from a real cluster's own files.
    #[command(subcommand)]
    Import(Import),
    /// Say why a run's jobs took so long.
    Why(Why),
    /// Write the page of a run, or of several, as one file.
    Report(ReportOf),
    /// Show runs' pages in a browser on this machine.
    Serve(Serve),
    /// Write this node's CPU, memory, disks and NICs as JSON lines.
    Monitor(Monitor),
    /// Write a run's tables for other tools.
    Export(Export),
    /// Print every key of a scenario with its value and where it came from.
    Check(Check),
    /// Print the names that can be used.
    List(List),
    /// Say what a policy, a model or a piece of hardware is.
    Explain(Explain),
    /// Measure the engine.
    #[command(subcommand)]
    Bench(Bench),
    /// Write files to nodes so that any two may be lost, at the rate of the client's link.
    #[command(subcommand)]
    Relay(Relay),
    /// Print a completion script for a shell.
    Completions(Completions),
}

/// What `run` and `compare` share.
#[derive(Args, Debug)]
pub struct Common {
    /// Scenario file.
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
  tenbin run scenarios/s0.toml --seed 7
  tenbin run scenarios/s0.toml --set policy.rereplication=ring --set cluster.racks=2
  tenbin run scenarios/s0.toml --seeds 20
  tenbin run scenarios/s0.toml --scheduler rollback-check --check --json")]
pub struct Run {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: Common,
    /// Which of all possible runs.
    #[arg(long, default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    pub seed: u64,
    /// So many seeds, from --seed on: the trace is the first's, figures are of all, and what they
    /// span is kept for `tenbin diff`.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=100_000),
          allow_negative_numbers = true)]
    pub seeds: u32,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub execution: Execution,
    /// Watch the invariants (bytes conserved, no resource above capacity, replicas distinct, …).
    #[arg(long)]
    pub check: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub sums: SumsTo,
}

/// `--sums`
#[derive(Args, Clone, Debug)]
pub struct SumsTo {
    /// Write what the trace hash adds up, by time and logical processes, for `tenbin bench
    /// diverge`; the run is slower.
    #[arg(long, value_name = "FILE")]
    pub sums: Option<PathBuf>,
    /// Of --sums, only events from a time on, before another, in ns; or `end`, what is left at the
    /// end.
    #[arg(long, value_name = "FROM..TO", requires = "sums", value_parser = Window::parse)]
    pub within: Option<Window>,
}

/// A number that all of its range may be.
fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

/// `tenbin compare`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin compare scenarios/shop.toml
  tenbin compare scenarios/s0.toml --vary policy.rereplication=default,ring \\
                                   --vary cluster.nodes_per_rack=8,16 --seeds 20")]
pub struct Compare {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: Common,
    /// Values of a key; repeated, all combinations. Replaces the scenario's `[compare]`.
    #[arg(long, value_name = "KEY=A,B")]
    pub vary: Vec<String>,
    /// Seeds 1 to N [default: run.seeds of the scenario].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000),
          allow_negative_numbers = true)]
    pub seeds: Option<u32>,
}

/// `tenbin diff`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin import hdfs-log nn.log dn*.log -o logged/
  tenbin run logged/scenario.toml --seeds 20 -o simulated/
  tenbin diff logged/ simulated/ -o parted/

A run is a folder that `run`, `compare` or `import hdfs-log` wrote; docs/diff.md says more.")]
pub struct Diff {
    /// The run that the other is held against.
    #[arg(value_name = "RUN")]
    pub first: PathBuf,
    /// The other.
    #[arg(value_name = "RUN")]
    pub second: PathBuf,
    /// Folder for report.html and diff.json [default: none is written].
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// `tenbin plan`
#[derive(Subcommand, Debug)]
pub enum Plan {
    /// The repair of a loss, or the emptying of nodes.
    Rebuild(PlanRebuild),
}

/// `tenbin plan rebuild`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin plan rebuild prod.toml --lose dn-r2-05
  tenbin plan rebuild prod.toml --lose rack=/rack3 --within 30m
  tenbin plan rebuild prod.toml --decommission @dfs.exclude --json
  tenbin plan rebuild prod.toml --lose dn-r2-05 --foreground clients.toml \
      --foreground-slowdown 10%

Writes report.html, plan.json and hdfs-site.fragment.xml.")]
pub struct PlanRebuild {
    /// Cluster file, made by `tenbin import hdfs`; or a scenario with its own events.
    pub cluster: PathBuf,
    /// What is lost: NODE, rack=/RACK, disk=NODE/NUMBER; repeatable.
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub lose: Vec<String>,
    /// A node to be emptied, rack=/RACK, or a file of names like dfs.hosts.exclude; repeatable.
    #[arg(long, value_name = "NODE|@FILE", value_delimiter = ',')]
    pub decommission: Vec<String>,
    /// A node to go into maintenance, rack=/RACK, or a file of names; repeatable.
    #[arg(long, value_name = "NODE|@FILE", value_delimiter = ',')]
    pub maintenance: Vec<String>,
    /// The repair should take no longer.
    #[arg(long, value_name = "TIME")]
    pub within: Option<String>,
    /// What should be short: the whole repair, or the time in which blocks stand at one replica.
    #[arg(long, value_name = "WHAT", default_value = "recovery",
          value_parser = ["recovery", "last-copy"])]
    pub objective: String,
    /// Recommend the fastest settings: without it the nearest that gain 80 % of what these gain.
    #[arg(long)]
    pub fastest: bool,
    /// What clients do meanwhile: a file with [workload.foreground].
    #[arg(long, value_name = "FILE")]
    pub foreground: Option<PathBuf>,
    /// The 99th percentile of clients should be longer by no more than this during the repair.
    #[arg(long, value_name = "PERCENT%", allow_hyphen_values = true)]
    pub foreground_slowdown: Option<String>,
    /// Change a key of the cluster first, as for `run`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Seeds 1 to N of the finalists.
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub seeds: u32,
    /// Folder for the results [default: out/plan-NAME].
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// `tenbin reproduce`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin reproduce s0
  tenbin reproduce s0 --json -o out/s0-claims")]
pub struct Reproduce {
    /// Which document: s0 (HDFS re-replication), or that of another system.
    #[arg(value_name = "DOCUMENT", value_parser = document)]
    pub system: String,
    /// Change a key of the document's own parameters, as for `run`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Seeds 1 to N of every run.
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(2..=100_000),
          allow_negative_numbers = true)]
    pub seeds: u32,
    /// Folder for the page, the table and the numbers [default: out/reproduce-s0].
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// The document of HDFS re-replication (Higai, Takefusa, Nakada, Oguchi, 2014).
pub const S0: &str = "s0";

/// A document that some system knows.
fn document(name: &str) -> Result<String, String> {
    let others = crate::systems::SYSTEMS.all().filter_map(|system| system.document());
    let names: Vec<&str> = std::iter::once(S0).chain(others.map(|d| d.name())).collect();
    match names.contains(&name) {
        true => Ok(name.to_string()),
        false => Err(format!("expected {}", names.join(", "))),
    }
}

/// `tenbin import`
#[derive(Subcommand, Debug)]
pub enum Import {
    /// HDFS: any sufficient subset of what its tools print.
    Hdfs(ImportHdfs),
    /// HDFS's logs: a loss and its repair as they really went, with the same report.
    HdfsLog(ImportHdfsLog),
    /// What clients read and write, from two /jmx pages of each DataNode.
    Foreground(ImportForeground),
}

/// `tenbin import foreground`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  for h in $(cat datanodes); do curl -s http://$h:9864/jmx > before/$h.json; done
  sleep 300
  for h in $(cat datanodes); do curl -s http://$h:9864/jmx > after/$h.json; done
  tenbin import foreground --before before/ --after after/ -o clients.toml
  tenbin plan rebuild prod.toml --lose dn-r2-05 --foreground clients.toml

Writes [workload.foreground], and each node's part of it beside (clients-shares.csv).
Files may be .gz or .zst; docs/collect.md says what is counted and what is not.")]
pub struct ImportForeground {
    /// DataNodes' /jmx pages: a folder of them, or files.
    #[arg(long, value_name = "PATH", required = true, num_args = 1..)]
    pub before: Vec<PathBuf>,
    /// The same, some minutes later.
    #[arg(long, value_name = "PATH", required = true, num_args = 1..)]
    pub after: Vec<PathBuf>,
    /// hdfs-site.xml, for dfs.replication.
    #[arg(long, value_name = "FILE")]
    pub conf: Option<PathBuf>,
    /// Replicas of what clients write [default: dfs.replication of --conf, else 3].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=512),
          allow_negative_numbers = true)]
    pub replication: Option<u32>,
    /// File to write; the table of shares goes beside it.
    #[arg(short, long, value_name = "FILE.toml", default_value = "clients.toml")]
    pub out: PathBuf,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// `tenbin import hdfs-log`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin import hdfs-log hadoop-hdfs-namenode-nn1.log hadoop-hdfs-datanode-*.log -o run/
  zcat nn.log.*.gz | tenbin import hdfs-log - --conf hdfs-site.xml -o run/

Files may be .gz or .zst; - is stdin. docs/collect.md says what to log.")]
pub struct ImportHdfsLog {
    /// Logs of the NameNode and of any DataNodes, in any order.
    #[arg(required = true, value_name = "FILE|-")]
    pub logs: Vec<PathBuf>,
    /// hdfs-site.xml: settings that no log has.
    #[arg(long, value_name = "FILE")]
    pub conf: Option<PathBuf>,
    /// Folder for the results: report, trace, and the scenario of the same losses.
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// `tenbin import hdfs`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  hdfs fsck / -files -blocks -locations -replicaDetails | \\
      tenbin import hdfs --fsck - --report report.txt --topology topology.txt -o shop.toml
  tenbin import hdfs --fsck fsck.txt.gz --conf hdfs-site.xml -o shop.toml
  curl -s http://NAMENODE:9870/jmx | tenbin import hdfs --jmx - --conf hdfs-site.xml -o shop.toml

Files may be .gz or .zst; - is stdin. docs/collect.md says how to make them.")]
pub struct ImportHdfs {
    /// `hdfs fsck / -files -blocks -locations -replicaDetails` (or -racks, or neither).
    #[arg(long, value_name = "FILE|-")]
    pub fsck: Option<PathBuf>,
    /// `hdfs dfsadmin -report`.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// `hdfs dfsadmin -printTopology`.
    #[arg(long, value_name = "FILE")]
    pub topology: Option<PathBuf>,
    /// hdfs-site.xml.
    #[arg(long, value_name = "FILE")]
    pub conf: Option<PathBuf>,
    /// The NameNode's /jmx: enough without --fsck (the block map is then drawn to match it).
    #[arg(long, value_name = "FILE|-")]
    pub jmx: Option<PathBuf>,
    /// Keep file paths, users and job names.
    #[arg(long)]
    pub keep_names: bool,
    /// Cluster file to write; its block map goes beside it.
    #[arg(short, long, value_name = "FILE.toml")]
    pub out: PathBuf,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// `tenbin check`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tenbin check scenarios/shop.toml")]
pub struct Check {
    /// Scenario file.
    pub scenario: PathBuf,
    /// Change a key, as for `run`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
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
    /// Values of policy.rereplication.
    Policies,
    /// Systems that can be simulated.
    Models,
    /// Values of hardware.disk and hardware.nic.
    Hardware,
    /// Scenario files below ./scenarios.
    Scenarios,
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
