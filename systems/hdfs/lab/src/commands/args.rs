use clap::Args;
use std::path::PathBuf;

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
    /// Cluster file written by `tenbin import hdfs`, or a scenario with its own events.
    pub cluster: PathBuf,
    /// What is lost: NODE, rack=/RACK, disk=NODE/NUMBER; repeatable.
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub lose: Vec<String>,
    /// Node to decommission, rack=/RACK, or a file of names like dfs.hosts.exclude; repeatable.
    #[arg(long, value_name = "NODE|@FILE", value_delimiter = ',')]
    pub decommission: Vec<String>,
    /// Node to put into maintenance, rack=/RACK, or a file of names; repeatable.
    #[arg(long, value_name = "NODE|@FILE", value_delimiter = ',')]
    pub maintenance: Vec<String>,
    /// Longest acceptable repair time.
    #[arg(long, value_name = "TIME")]
    pub within: Option<String>,
    /// What to minimise: the whole repair, or the time in which blocks have one replica.
    #[arg(long, value_name = "WHAT", default_value = "recovery",
          value_parser = ["recovery", "last-copy"])]
    pub objective: String,
    /// Recommend the fastest settings; without it, the nearest with 80 % of their gain.
    #[arg(long)]
    pub fastest: bool,
    /// Client load during the repair: a file with [workload.foreground].
    #[arg(long, value_name = "FILE")]
    pub foreground: Option<PathBuf>,
    /// Largest acceptable increase of clients' 99th percentile during the repair.
    #[arg(long, value_name = "PERCENT%", allow_hyphen_values = true)]
    pub foreground_slowdown: Option<String>,
    /// Set a key of the cluster first, as for `run`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Stop the search after this time; its result then depends on the machine. Without it the
    /// search counts work, with the same result everywhere.
    #[arg(long, value_name = "TIME")]
    pub time_limit: Option<String>,
    /// Run the finalists with seeds 1 to N.
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

/// `tenbin import foreground`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  for h in $(cat datanodes); do curl -s http://$h:9864/jmx > before/$h.json; done
  sleep 300
  for h in $(cat datanodes); do curl -s http://$h:9864/jmx > after/$h.json; done
  tenbin import foreground --before before/ --after after/ -o clients.toml
  tenbin plan rebuild prod.toml --lose dn-r2-05 --foreground clients.toml

Writes [workload.foreground], and each node's share next to it (clients-shares.csv).
Files may be .gz or .zst; systems/hdfs/docs/collect.md lists what is counted.")]
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
    /// Replicas of blocks that clients write [default: dfs.replication of --conf, else 3].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=512),
          allow_negative_numbers = true)]
    pub replication: Option<u32>,
    /// File to write; the table of shares is written next to it.
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

Files may be .gz or .zst; - is stdin. systems/hdfs/docs/collect.md lists what to log.")]
pub struct ImportHdfsLog {
    /// Logs of the NameNode and of any DataNodes, in any order.
    #[arg(required = true, value_name = "FILE|-")]
    pub logs: Vec<PathBuf>,
    /// hdfs-site.xml, for settings that no log has.
    #[arg(long, value_name = "FILE")]
    pub conf: Option<PathBuf>,
    /// Folder for the results: report, trace, and a scenario of the same losses.
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

Files may be .gz or .zst; - is stdin. systems/hdfs/docs/collect.md says how to make them.")]
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
    /// The NameNode's /jmx; sufficient without --fsck (the block map is then drawn to match it).
    #[arg(long, value_name = "FILE|-")]
    pub jmx: Option<PathBuf>,
    /// Keep file paths, users and job names.
    #[arg(long)]
    pub keep_names: bool,
    /// Cluster file to write; its block map is written next to it.
    #[arg(short, long, value_name = "FILE.toml")]
    pub out: PathBuf,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}
