//! Arguments of commands on real kernels: testbeds, and the measurement of a disk.
use clap::{Args, Subcommand};
use cluster::catalogue::{self, CatalogueDisk};
use std::path::PathBuf;
use testbed::model::Order;
use testbed::server::DiskKind;
use units::Bytes;

/// `tenbin testbed`
#[derive(Args, Debug)]
pub struct TestbedArgs {
    #[command(subcommand)]
    pub what: Testbed,
}

#[derive(Subcommand, Debug)]
pub enum Testbed {
    /// Create a cluster: nodes as namespaces with shaped links and disks of the catalogue.
    Up(Up),
    /// Run a command on a node.
    Exec(Exec),
    /// Create block devices from disks of the catalogue, for other experiments.
    Disk(Disk),
    /// Create an image of a disk after some of its writes, as after a power cut.
    Image(Image),
    /// Remove a testbed, even after its process was killed.
    Down(Name),
    /// List the testbeds, with the nodes and disks of each.
    Status(Name),
}

/// All disks of a testbed.
#[derive(Args, Debug)]
pub struct Kind {
    /// Size of a disk, which is also its full stroke.
    #[arg(long, value_name = "BYTES", default_value = "8GiB", value_parser = size)]
    pub size: Bytes,
    /// Serve requests in arrival order, as drives without a queue, instead of the nearest of 32.
    #[arg(long)]
    pub first_come: bool,
    /// Folder for the disks' data [default: memory].
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Maximum unwritten data of a disk in memory [default: the machine's limit].
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub waiting: Option<Bytes>,
    /// Return when the testbed is up, and keep it running.
    #[arg(long)]
    pub detach: bool,
}

impl Kind {
    pub fn of(&self, model: CatalogueDisk) -> DiskKind {
        let order = if self.first_come { Order::FirstCome } else { Order::Nearest };
        let (size, store) = (self.size, self.store.clone());
        DiskKind { model, size, order, store, waiting: self.waiting, log: None }
    }
}

/// `tenbin testbed disk`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin testbed disk --detach
  tenbin testbed disk --model hdd-7200 --size 8GiB /dev/loop3 /dev/loop4
  tenbin testbed down disk")]
pub struct Disk {
    /// Loop devices to use [default: a free one].
    #[arg(value_name = "/dev/loopN")]
    pub devices: Vec<String>,
    /// A disk of `tenbin list hardware`.
    #[arg(long, value_name = "DISK", default_value = "hdd-7200", value_parser = model)]
    pub model: &'static CatalogueDisk,
    /// Name of the testbed.
    #[arg(long, value_name = "NAME", default_value = "disk")]
    pub name: String,
    #[command(flatten)]
    pub kind: Kind,
    /// Log every write, in order, to a new file, for `tenbin testbed image`.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

/// `tenbin testbed image`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tenbin testbed disk --size 1GiB --log writes.log
  tenbin testbed image writes.log cut.img --upto 40000000 && mount -o loop cut.img /mnt")]
pub struct Image {
    /// The log of `tenbin testbed disk --log`.
    pub log: PathBuf,
    /// New image file of the disk.
    pub image: PathBuf,
    /// Apply the writes that are complete in the log's first bytes [default: all].
    #[arg(long, value_name = "BYTES")]
    pub upto: Option<u64>,
}

/// `tenbin testbed up`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin testbed up cluster.toml --detach --also master
  tenbin testbed exec master -- ping -c 1 dn-r1-01
  tenbin testbed down")]
pub struct Up {
    /// A scenario, or a cluster file of `tenbin import`: its nodes, disks and links.
    pub cluster: PathBuf,
    /// Change a key of `[cluster]` or `[hardware]`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Additional node without disks, for masters and clients.
    #[arg(long, value_name = "NODE")]
    pub also: Vec<String>,
    /// Name of the testbed [default: the cluster's name].
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    #[command(flatten)]
    pub kind: Kind,
}

/// `tenbin testbed exec`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tenbin testbed exec dn-r1-01 -- sh -c 'df -h $(echo $TENBIN_DISKS | tr , \" \")'")]
pub struct Exec {
    /// Testbed [default: the only one].
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Node.
    pub node: String,
    /// Command; TENBIN_DISKS has the paths of the node's disks, TENBIN_DEVICES their names in the
    /// kernel.
    #[arg(required = true, last = true, value_name = "COMMAND")]
    pub line: Vec<String>,
}

#[derive(Args, Debug)]
pub struct Name {
    /// Name of the testbed [default: the only one].
    pub name: Option<String>,
}

/// `tenbin calibrate`
#[derive(Args, Debug)]
pub struct CalibrateArgs {
    #[command(subcommand)]
    pub what: Calibrate,
}

#[derive(Subcommand, Debug)]
pub enum Calibrate {
    /// Measure a disk: its rate, its seek, and its total rate with 1 to 32 streams.
    Disk(CalibrateDisk),
    /// Measure the metadata service's store and messages, as keys of a PPMDS scenario.
    Store(ppmds_twin::CalibrateStore),
}

/// `tenbin calibrate disk`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin calibrate disk /mnt/disk3 --name sdd -o sdd.txt
  tenbin calibrate disk /mnt/disk3 --read-ahead 4MiB")]
pub struct CalibrateDisk {
    /// A folder on the disk, for temporary files; or the disk's device, which is only read.
    #[arg(value_name = "DIR|/dev/X")]
    pub target: PathBuf,
    /// Name of the catalogue entry [default: the device's name].
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Duration of the measurement of each number of streams, in seconds.
    #[arg(long, value_name = "S", default_value_t = 6,
          value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub seconds: u32,
    /// Size of each file; 64 files must fit.
    #[arg(long, value_name = "BYTES", default_value = "128MiB", value_parser = size)]
    pub file_size: Bytes,
    /// Read-ahead that readers request from the kernel [default: the kernel's].
    #[arg(long, value_name = "BYTES", value_parser = ahead)]
    pub read_ahead: Option<Bytes>,
    /// File for the catalogue entry [default: stdout, below the table].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// At least two calls.
fn ahead(text: &str) -> Result<Bytes, String> {
    let ahead: Bytes = text.parse().map_err(|e: units::ParseUnitError| e.to_string())?;
    match ahead.0 {
        n if n >= 128 << 10 && n % (128 << 10) == 0 => Ok(ahead),
        _ => Err("expected a multiple of 128KiB".into()),
    }
}

fn model(name: &str) -> Result<&'static CatalogueDisk, String> {
    catalogue::disk(name).ok_or_else(|| {
        let names: Vec<&str> = catalogue::disks().iter().map(|disk| disk.name).collect();
        format!("expected {}", names.join(", "))
    })
}

/// A multiple of the sector size, large enough for a file system.
fn size(text: &str) -> Result<Bytes, String> {
    let size: Bytes = text.parse().map_err(|e: units::ParseUnitError| e.to_string())?;
    match size.0 {
        n if n < 16 << 20 => Err("expected 16MiB or more".into()),
        n if n % 4096 != 0 => Err("expected a multiple of 4KiB".into()),
        _ => Ok(size),
    }
}
