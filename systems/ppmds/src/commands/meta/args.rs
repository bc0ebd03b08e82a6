//! Arguments of `tenbin meta`.
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use ppmds_service::durability::Durability;
use ppmds_service::load::Workload;
use std::path::PathBuf;

/// Display order of general options, after a command's own.
const LAST: usize = 900;

/// Values of an option: name, help, and meaning.
type Choices<T> = [(&'static str, &'static str, T)];

fn one_of<T: Copy + Send + Sync>(all: &'static Choices<T>) -> impl TypedValueParser<Value = T> {
    let names = all.iter().map(|(name, what, _)| PossibleValue::new(*name).help(*what));
    let find = |typed: String| all.iter().find(|(name, ..)| *name == typed);
    PossibleValuesParser::new(names).map(move |typed| find(typed).expect("clap has checked it").2)
}

#[derive(Subcommand, Debug)]
pub enum Meta {
    /// Demonstrate it: three servers on this machine, several clients, one server killed and
    /// restarted; the history is checked.
    Demo(MetaDemo),
    /// Write the file of a new cluster.
    Init(MetaInit),
    /// Run a server until it receives a stop signal.
    Node(MetaNode),
    /// List the entries of a directory.
    Ls(MetaPath),
    /// List a directory and all below it.
    Tree(MetaPath),
    /// Print the attributes of files and directories.
    Stat(MetaPaths),
    /// Make directories, with -p their parents as well.
    Mkdir(MetaMkdir),
    /// Create files, or change their time of change.
    Touch(MetaPaths),
    /// Rename a file or directory; replaces a file or an empty directory.
    Mv(MetaTwo),
    /// Remove names of files; the last name removes the file.
    Rm(MetaPaths),
    /// Remove directories that are empty.
    Rmdir(MetaPaths),
    /// Give a file a second name.
    Ln(MetaTwo),
    /// Mount the service on a directory, until it is unmounted or this command is stopped.
    Mount(MetaMount),
    /// Print the state of each server and standby.
    Status(MetaCluster),
    /// Make a server's standby the server; the former one can no longer change or answer anything.
    Promote(MetaPromote),
    /// Check the rows of all servers against each other.
    Fsck(MetaCluster),
    /// Add a server while the service runs, and move directories to it.
    Add(MetaAdd),
    /// Remove a server that `add` has added, once its directories have moved.
    Remove(MetaRemove),
    /// Copy all rows of one moment to a folder; clients wait for some milliseconds.
    Backup(MetaBackup),
    /// Make the data folder of one server of a new cluster from a copy.
    Restore(MetaRestore),
    /// Measure rates and latencies of operations.
    Bench(MetaBench),
}

#[derive(Args, Debug)]
pub struct MetaDemo {
    /// Kill and restart servers this many times, at random moments.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub kills: u32,
    /// Give each server a standby. A killed server loses its data as well; its standby is promoted.
    #[arg(long)]
    pub standbys: bool,
    /// With each kill, add a server or remove it again.
    #[arg(long, conflicts_with = "standbys")]
    pub grow: bool,
    /// Give the servers certificates and encrypt all connections.
    #[arg(long)]
    pub tls: bool,
    /// Print exactly one JSON object on stdout.
    #[arg(long, display_order = LAST)]
    pub json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin meta init meta.toml --servers 127.0.0.1:7500,127.0.0.1:7501,127.0.0.1:7502
  tenbin meta node --cluster meta.toml --listen 127.0.0.1:7500 --data /var/lib/tenbin/meta-0")]
pub struct MetaInit {
    /// The file to write; it must not exist.
    pub file: PathBuf,
    /// Addresses of all servers, by number.
    #[arg(long, value_name = "HOST:PORT,…", value_delimiter = ',', required = true)]
    pub servers: Vec<String>,
    /// Addresses of their standbys, by number.
    #[arg(long, value_name = "HOST:PORT,…", value_delimiter = ',')]
    pub standbys: Vec<String>,
    /// Servers of a new directory, from 1; fixed for the life of the cluster [default: all].
    #[arg(long, value_name = "N")]
    pub servers_per_directory: Option<u32>,
    /// Answers state the rows seen, for `tenbin check-history`; they are larger.
    #[arg(long)]
    pub evidence: bool,
    /// Print exactly one JSON object on stdout.
    #[arg(long, display_order = LAST)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct MetaNode {
    /// Address to listen on, a loopback address unless --keys or --insecure.
    #[arg(long, value_name = "HOST:PORT")]
    pub listen: String,
    /// Folder of this server's rows; created if missing.
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
    #[command(flatten)]
    pub which: MetaWhich,
    /// The server's number [default: the server or standby whose address is --listen].
    #[arg(long, value_name = "N")]
    pub server: Option<u32>,
    /// With --server: this is its standby.
    #[arg(long, requires = "server")]
    pub standby: bool,
    /// Start without the standby that the server has had, and that must never be promoted.
    #[arg(long)]
    pub without_standby: bool,
    /// Whether an answer waits for the disk.
    #[arg(long, value_parser = one_of(&Durability::ALL), default_value = "group")]
    pub durability: Durability,
    /// Serve Prometheus text on this loopback address.
    #[arg(long, value_name = "HOST:PORT")]
    pub metrics: Option<String>,
    /// Listen where other machines can connect. No encryption, no authentication.
    #[arg(long, conflicts_with = "keys")]
    pub insecure: bool,
    /// End when standard input closes.
    #[arg(long, hide = true)]
    pub leash: bool,
}

#[derive(Args, Clone, Debug)]
pub struct MetaWhich {
    /// The cluster file, written by `tenbin meta init`.
    #[arg(long, value_name = "FILE")]
    pub cluster: PathBuf,
    /// The folder of this server or client, made by `tenbin relay keys add`: encrypts all
    /// connections and rejects peers without a certificate.
    #[arg(long, value_name = "DIR")]
    pub keys: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
pub struct MetaCluster {
    #[command(flatten)]
    pub which: MetaWhich,
    /// Print exactly one JSON object on stdout.
    #[arg(long, display_order = LAST)]
    pub json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin meta add 10.0.0.4:7500 --cluster meta.toml
  tenbin meta node --cluster meta.toml --listen 10.0.0.4:7500 --data /var/lib/tenbin/meta-3")]
pub struct MetaAdd {
    /// Address of the new server. Its node is started with the cluster file that this command
    /// writes.
    pub address: String,
    /// Address of the new server's standby.
    #[arg(long, value_name = "HOST:PORT")]
    pub standby: Option<String>,
    #[command(flatten)]
    pub cluster: MetaCluster,
}

#[derive(Args, Debug)]
pub struct MetaRemove {
    /// Number of the server in the cluster file.
    pub server: u32,
    #[command(flatten)]
    pub cluster: MetaCluster,
}

#[derive(Args, Debug)]
pub struct MetaBackup {
    /// A new or empty folder.
    pub to: PathBuf,
    #[command(flatten)]
    pub cluster: MetaCluster,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin meta init new.toml --servers 10.0.0.1:7500,10.0.0.2:7500
  tenbin meta restore backup --cluster new.toml --server 0 --data /var/lib/tenbin/new-0
  tenbin meta restore backup --cluster new.toml --server 1 --data /var/lib/tenbin/new-1")]
pub struct MetaRestore {
    /// The folder of a backup.
    pub from: PathBuf,
    /// Number of the server in the cluster file.
    #[arg(long, value_name = "N")]
    pub server: u32,
    /// The data folder to make.
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
    #[command(flatten)]
    pub cluster: MetaCluster,
}

#[derive(Args, Debug)]
pub struct MetaPromote {
    /// Number of the server in the cluster file.
    pub server: u32,
    #[command(flatten)]
    pub cluster: MetaCluster,
}

#[derive(Args, Debug)]
pub struct MetaPath {
    /// An absolute path in the service.
    #[arg(default_value = "/")]
    pub path: String,
    #[command(flatten)]
    pub cluster: MetaCluster,
}

#[derive(Args, Debug)]
pub struct MetaPaths {
    /// Absolute paths in the service.
    #[arg(required = true)]
    pub paths: Vec<String>,
    #[command(flatten)]
    pub cluster: MetaCluster,
}

#[derive(Args, Debug)]
pub struct MetaMkdir {
    /// Make missing parents as well; a directory that exists is no error.
    #[arg(long, short)]
    pub parents: bool,
    #[command(flatten)]
    pub paths: MetaPaths,
}

#[derive(Args, Debug)]
pub struct MetaTwo {
    /// The path that exists.
    pub from: String,
    /// The path to make.
    pub to: String,
    #[command(flatten)]
    pub cluster: MetaCluster,
}

#[derive(Args, Debug)]
pub struct MetaBench {
    /// What each client does.
    #[arg(long, value_parser = one_of(&Workload::ALL), default_value = "create")]
    pub workload: Workload,
    /// Clients; each sends one operation after the other.
    #[arg(long, value_name = "N", default_value_t = 8,
          value_parser = clap::value_parser!(u32).range(1..=512))]
    pub clients: u32,
    /// Length of the measurement \[s\].
    #[arg(long, value_name = "S", default_value_t = 5,
          value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub seconds: u64,
    #[command(flatten)]
    pub cluster: MetaCluster,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin meta mount /mnt/meta --cluster meta.toml
  fusermount3 -u /mnt/meta")]
pub struct MetaMount {
    /// The directory to mount on.
    pub directory: PathBuf,
    #[command(flatten)]
    pub which: MetaWhich,
    /// Let other users see the mount too, with the permissions of its files.
    #[arg(long)]
    pub allow_other: bool,
    /// Refuse all changes, as `mount -o ro`.
    #[arg(long)]
    pub read_only: bool,
}
