use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use xor_relay::Io;
use xor_relay::client::Strategy;
use xor_relay::transport::Kind;

/// Display order of general options, after a command's own.
const LAST: usize = 900;

/// Values of an option: name, help, and meaning.
type Choices<T> = [(&'static str, &'static str, T)];

const TRANSPORTS: [(&str, &str, Kind); 2] = [
    ("tcp", "Over TCP", Kind::Tcp),
    (
        "verbs",
        "By RDMA verbs (InfiniBand, RoCE); needs a device and rdma-core. Other messages use TCP, \
         encrypted only with keys. A node with verbs also serves clients over TCP",
        Kind::Verbs,
    ),
];

const IOS: [(&str, &str, Io); 3] = [
    ("auto", "Direct where possible", Io::Auto),
    ("direct", "Past the page cache", Io::Direct),
    ("buffered", "Through the page cache", Io::Buffered),
];

const SCHEDULES: [(&str, &str, Strategy); 4] = [
    ("auto", "Pivot, mixed with naive stripes if more clients write", Strategy::Auto),
    ("naive", "The client sends data and parity", Strategy::Naive),
    ("chain", "Parity is made along a chain of nodes", Strategy::Chain),
    ("pivot", "Nodes make the parity round-robin", Strategy::Pivot),
];

fn one_of<T: Copy + Send + Sync>(all: &'static Choices<T>) -> impl TypedValueParser<Value = T> {
    let names = all.iter().map(|(name, what, _)| PossibleValue::new(*name).help(*what));
    let find = |typed: String| all.iter().find(|(name, ..)| *name == typed);
    PossibleValuesParser::new(names).map(move |typed| find(typed).expect("clap has checked it").2)
}

/// The name of a schedule on the command line.
pub fn schedule_name(strategy: Strategy) -> &'static str {
    SCHEDULES.iter().find(|(.., s)| *s == strategy).expect("each has its name").0
}

#[derive(Subcommand, Debug)]
pub enum Relay {
    /// Demonstrate it: five nodes on this machine store a file, two are killed, the file is read,
    /// the nodes are repaired.
    Demo(RelayDemo),
    /// Run a storage node until it receives a stop signal.
    Node(RelayNode),
    /// Make nodes one cluster; otherwise the first write does.
    Init(RelayInit),
    /// Write a file so that any two nodes may be lost.
    Put(RelayPut),
    /// Read an object back, also with two nodes down.
    Get(RelayGet),
    /// List the objects.
    Ls(RelayCluster),
    /// Print the state of an object, node by node.
    Stat(RelayName),
    /// Print the cluster's status: its list, nodes that answer or are being filled, space, rings,
    /// records.
    Status(RelayCluster),
    /// Remove an object.
    Rm(RelayRm),
    /// Rebuild the contents of lost nodes.
    Repair(RelayRepair),
    /// Verify every block and repair what can be repaired.
    Scrub(RelayCluster),
    /// Replace a node by a new one at another address.
    Replace(RelayReplace),
    /// Add a node to the cluster and spread all objects over it.
    Grow(RelayGrow),
    /// Measure the write throughput.
    Bench(RelayBench),
    /// Draw a layout and a schedule.
    Draw(RelayDraw),
    /// Create certificates, so that nodes and clients authenticate each other.
    #[command(subcommand)]
    Keys(RelayKeys),
}

#[derive(Subcommand, Debug)]
pub enum RelayKeys {
    /// Make an authority for a cluster, in a new folder.
    Init(RelayAuthority),
    /// Make a certificate for a node or a client, in a folder to hand over.
    Add(RelayParty),
}

#[derive(Args, Debug)]
pub struct RelayAuthority {
    /// The authority's folder. Its authority.key signs all certificates: keep it secret.
    pub folder: PathBuf,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin relay keys init keys
  tenbin relay keys add keys 0          # keys/node-0, for the first node of the list
  tenbin relay keys add keys backup     # keys/backup, for a client
  tenbin relay node --listen 0.0.0.0:7400 --data /var/lib/tenbin --keys node-0
  tenbin relay ls --cluster nodes.txt --keys backup")]
pub struct RelayParty {
    /// The authority's folder.
    pub folder: PathBuf,
    /// A node's number in the list of nodes, from 0; or a client's name.
    pub party: String,
    /// Days of validity; it ends with the authority's at the latest.
    #[arg(long, value_name = "N", default_value_t = 825,
          value_parser = clap::value_parser!(u32).range(1..=3650))]
    pub days: u32,
}

#[derive(Args, Clone, Debug)]
pub struct RelayCluster {
    #[command(flatten)]
    pub which: RelayWhich,
    /// The client's folder, made by `tenbin relay keys add`.
    #[arg(long, value_name = "DIR")]
    pub keys: Option<PathBuf>,
    /// Transport of blocks.
    #[arg(long, value_parser = one_of(&TRANSPORTS), default_value = "tcp")]
    pub transport: Kind,
    /// Print exactly one JSON object on stdout.
    #[arg(long, display_order = LAST)]
    pub json: bool,
}

#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
pub struct RelayWhich {
    /// Addresses of all nodes, in the layout's order: always the same for the same objects.
    #[arg(long, value_name = "HOST:PORT,…", value_delimiter = ',')]
    pub nodes: Vec<String>,
    /// A file with the addresses, one a line; # begins a comment. A line `revoked FINGERPRINT`
    /// revokes a certificate.
    #[arg(long, value_name = "FILE")]
    pub cluster: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct RelayDemo {
    /// Use certificates and encryption.
    #[arg(long)]
    pub tls: bool,
    /// Transport of blocks.
    #[arg(long, value_parser = one_of(&TRANSPORTS), default_value = "tcp")]
    pub transport: Kind,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  tenbin relay node --listen 127.0.0.1:7400 --data /var/lib/tenbin"
)]
pub struct RelayNode {
    /// Where to listen; port 0 lets the system choose.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:7400")]
    pub listen: String,
    /// Folder for the objects; created if missing.
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
    /// The node's folder, made by `tenbin relay keys add`: encrypts all connections and rejects
    /// peers without a certificate.
    #[arg(long, value_name = "DIR", conflicts_with = "insecure")]
    pub keys: Option<PathBuf>,
    /// The file with the cluster's addresses; the node rejects certificates that it revokes.
    #[arg(long, value_name = "FILE", requires = "keys")]
    pub cluster: Option<PathBuf>,
    /// How blocks reach the disk: direct (bypasses the page cache), buffered, or auto (direct if
    /// the file system and the kernel support it).
    #[arg(long, value_parser = one_of(&IOS), default_value = "auto")]
    pub io: Io,
    /// Listen where other machines can connect. No encryption, no authentication.
    #[arg(long)]
    pub insecure: bool,
    /// Transport of blocks.
    #[arg(long, value_parser = one_of(&TRANSPORTS), default_value = "tcp")]
    pub transport: Kind,
    /// End when standard input ends.
    #[arg(long, hide = true)]
    pub leash: bool,
}

#[derive(Args, Debug)]
pub struct RelayInit {
    #[command(flatten)]
    pub cluster: RelayCluster,
    /// Include nodes of other clusters if they are empty.
    #[arg(long)]
    pub force: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin relay put movie.mkv movies/1 --cluster nodes.txt
  tar c /home | tenbin relay put - backup/home.tar --cluster nodes.txt")]
pub struct RelayPut {
    /// The file; - reads standard input, into a temporary file until its length is known.
    pub file: PathBuf,
    /// The object's name.
    pub name: String,
    #[command(flatten)]
    pub cluster: RelayCluster,
    /// Which parties compute the parity.
    #[arg(long, value_parser = one_of(&SCHEDULES), default_value = "auto")]
    pub schedule: Strategy,
    /// Replace an existing object of this name.
    #[arg(long)]
    pub force: bool,
    /// Block size: a multiple of 64 bytes up to 4m.
    #[arg(long, value_name = "SIZE", default_value = "64k", value_parser = size)]
    pub block: u32,
    /// Seconds to wait for nodes that restart or are being filled (default 5), and for memory on
    /// nodes with many writers (default 30).
    #[arg(long, value_name = "SECONDS")]
    pub wait: Option<u16>,
}

#[derive(Args, Debug)]
pub struct RelayGet {
    /// The object's name.
    pub name: String,
    /// Where to write it; the file appears complete or not at all. - writes to standard output,
    /// which is valid only if the exit code is 0.
    pub file: PathBuf,
    #[command(flatten)]
    pub cluster: RelayCluster,
    /// Replace an existing file.
    #[arg(long)]
    pub force: bool,
}

#[derive(Args, Debug)]
pub struct RelayName {
    /// The object's name.
    pub name: String,
    #[command(flatten)]
    pub cluster: RelayCluster,
}

#[derive(Args, Debug)]
pub struct RelayRm {
    /// The object's name.
    pub name: String,
    #[command(flatten)]
    pub cluster: RelayCluster,
    /// Remove parts of this name that were written to another list of nodes.
    #[arg(long)]
    pub foreign: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tenbin relay repair --lost c:7400,d:7400 --cluster nodes.txt")]
pub struct RelayRepair {
    /// Addresses of the lost nodes; empty nodes must run there now.
    #[arg(long, value_name = "HOST:PORT,…", value_delimiter = ',', required = true)]
    pub lost: Vec<String>,
    /// Continue although objects are out of reach without them. Objects that no absent node can
    /// restore are listed, and their remains discarded.
    #[arg(long)]
    pub give_up: bool,
    /// Print the findings and the planned changes; change nothing.
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub cluster: RelayCluster,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tenbin relay replace c:7400 --with f:7400 --cluster nodes.txt

The new node must run and be empty, and all others must run. The new node receives the replaced
node's parts, and its blocks are read back; then all nodes are notified. Stop a replaced node that
does not answer first. Afterwards replace the former address in the list by the new one.
With keys: the new node has a certificate for the same number.")]
pub struct RelayReplace {
    /// The node to replace, by its address in the list.
    pub node: String,
    /// The new, empty node.
    #[arg(long, value_name = "HOST:PORT")]
    pub with: String,
    /// Print the findings and the planned changes; change nothing.
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub cluster: RelayCluster,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tenbin relay grow --with f:7400 --cluster nodes.txt

The new node must run and be empty, and all others must run. The new node becomes the last one of
the list. Use the new list at once: objects are rewritten one by one, and clients read, write and
remove them during that time. After an interruption, run the same command again.
With keys: the new node has a certificate for the next number.")]
pub struct RelayGrow {
    /// The new, empty node.
    #[arg(long, value_name = "HOST:PORT")]
    pub with: String,
    /// Print the findings and the planned changes; change nothing.
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub cluster: RelayCluster,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin relay bench --local 5 --block 16k,64k --schedule naive,pivot
  tenbin relay bench --cluster nodes.txt --clients 3 --link-mbit 1000 --json

Nodes receive, forward and check; nothing is stored. On one machine without shaped links the CPU is
what is measured, and naive wins: systems/xor/benches/relay/ shapes links.")]
pub struct RelayBench {
    /// Start N nodes on this machine.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=26),
          conflicts_with_all = ["nodes", "cluster"])]
    pub local: Option<u8>,
    /// Addresses of all nodes.
    #[arg(long, value_name = "HOST:PORT,…", value_delimiter = ',', conflicts_with = "cluster")]
    pub nodes: Vec<String>,
    /// A file with the addresses, one a line.
    #[arg(long, value_name = "FILE")]
    pub cluster: Option<PathBuf>,
    /// The client's folder, made by `tenbin relay keys add`.
    #[arg(long, value_name = "DIR", conflicts_with = "local")]
    pub keys: Option<PathBuf>,
    /// Give the nodes of --local certificates and encrypt all connections.
    #[arg(long, requires = "local", conflicts_with_all = ["nodes", "cluster"])]
    pub tls: bool,
    /// Transport of blocks.
    #[arg(long, value_parser = one_of(&TRANSPORTS), default_value = "tcp")]
    pub transport: Kind,
    /// Block sizes.
    #[arg(long, value_name = "SIZE,…", value_delimiter = ',', default_value = "4k,16k,64k,1m",
          value_parser = size)]
    pub block: Vec<u32>,
    /// Schedules.
    #[arg(long, value_parser = one_of(&SCHEDULES), value_delimiter = ',',
          default_value = "naive,chain,pivot,auto")]
    pub schedule: Vec<Strategy>,
    /// Clients at a time.
    #[arg(long, value_name = "C", default_value_t = 1,
          value_parser = clap::value_parser!(u8).range(1..=64))]
    pub clients: u8,
    /// Clients that measure at the same time, including those on other machines. The ideal is this
    /// machine's share.
    #[arg(long, value_name = "C", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub among: Option<u8>,
    /// Seconds of each measurement.
    #[arg(long, value_name = "S", default_value_t = 3,
          value_parser = clap::value_parser!(u16).range(1..=3600))]
    pub seconds: u16,
    /// Rate of each link \[Mbit/s\]; prints the ideal, too.
    #[arg(long, value_name = "MBIT")]
    pub link_mbit: Option<f64>,
    /// Print exactly one JSON object on stdout: the measurement, or `rows` of several.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tenbin relay draw --n 7 --schedule chain -o seven.svg")]
pub struct RelayDraw {
    /// Number of nodes.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=64))]
    pub n: u8,
    /// The schedule to draw.
    #[arg(long, value_parser = one_of(&SCHEDULES), default_value = "pivot")]
    pub schedule: Strategy,
    /// Also write the picture to this file.
    #[arg(short, long, value_name = "FILE.svg")]
    pub out: Option<PathBuf>,
}

/// `4k` is 4 × 1024 bytes, `1m` is 1024 × 1024.
fn size(text: &str) -> Result<u32, String> {
    let lower = text.to_ascii_lowercase();
    let (number, unit) = match lower.strip_suffix(['k', 'm']) {
        Some(number) if lower.ends_with('k') => (number, 1 << 10),
        Some(number) => (number, 1 << 20),
        None => (&lower[..], 1u32),
    };
    let bytes = number.parse::<u32>().ok().and_then(|n| n.checked_mul(unit));
    bytes
        .filter(|bytes| *bytes > 0 && bytes.is_multiple_of(64) && *bytes <= 4 << 20)
        .ok_or_else(|| "expected a multiple of 64 bytes up to 4m, as in 64k".into())
}
