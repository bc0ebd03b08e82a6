//! The argument lines of commands about real kernels: testbeds, and the measurement of a disk.
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

/// What is done to a testbed.
#[derive(Subcommand, Debug)]
pub enum Testbed {
    /// Make a cluster: nodes as namespaces with shaped links and disks of the catalogue.
    Up(Up),
    /// Run a command on a node.
    Exec(Exec),
    /// Make a disk of the catalogue a block device, for anybody's own experiment.
    Disk(Disk),
    /// Make a file of a disk as it was after some of its writes: as a power cut leaves it.
    Image(Image),
    /// Take a testbed away, also what one left that was killed.
    Down(Name),
    /// Say which testbeds there are, and what each has.
    Status(Name),
}

/// What all disks of a testbed are.
#[derive(Args, Debug)]
pub struct Kind {
    /// A disk's size; its whole stroke, however small.
    #[arg(long, value_name = "BYTES", default_value = "8GiB", value_parser = size)]
    pub size: Bytes,
    /// Serve requests as they come, as drives without a queue, and not the nearest of 32.
    #[arg(long)]
    pub first_come: bool,
    /// Folder for what is written [default: memory].
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// No more of what is written to a disk waits in memory [default: as the machine has it].
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub waiting: Option<Bytes>,
    /// Return when it is up, and leave it there.
    #[arg(long)]
    pub detach: bool,
}

impl Kind {
    /// Disks of this model.
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
    /// Loop devices to use; none: one that is free.
    #[arg(value_name = "/dev/loopN")]
    pub devices: Vec<String>,
    /// A disk that `tenbin list hardware` prints.
    #[arg(long, value_name = "DISK", default_value = "hdd-7200", value_parser = model)]
    pub model: &'static CatalogueDisk,
    /// What the testbed is called.
    #[arg(long, value_name = "NAME", default_value = "disk")]
    pub name: String,
    /// What the disks are.
    #[command(flatten)]
    pub kind: Kind,
    /// Note every write, in order, in a new file, for `tenbin testbed image`.
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
    /// What `tenbin testbed disk --log` wrote.
    pub log: PathBuf,
    /// The disk's new file.
    pub image: PathBuf,
    /// As many writes as are whole in the log's first bytes [default: all].
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
    /// A scenario, or a cluster file that `tenbin import` wrote: its nodes, disks and links.
    pub cluster: PathBuf,
    /// Change a key of `[cluster]` or `[hardware]`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// A node more, without disks: for masters and clients.
    #[arg(long, value_name = "NODE")]
    pub also: Vec<String>,
    /// What the testbed is called [default: the cluster's name].
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// What the disks are.
    #[command(flatten)]
    pub kind: Kind,
}

/// `tenbin testbed exec`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  tenbin testbed exec dn-r1-01 -- sh -c 'df -h $(echo $TENBIN_DISKS | tr , \" \")'")]
pub struct Exec {
    /// Which testbed; none: the only one.
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// On which node.
    pub node: String,
    /// What to run there; TENBIN_DISKS has the paths of the node's disks,
    /// TENBIN_DEVICES what the kernel calls them.
    #[arg(required = true, last = true, value_name = "COMMAND")]
    pub line: Vec<String>,
}

/// Which testbed.
#[derive(Args, Debug)]
pub struct Name {
    /// As it is called; none: the only one.
    pub name: Option<String>,
}

/// `tenbin calibrate`
#[derive(Args, Debug)]
pub struct CalibrateArgs {
    #[command(subcommand)]
    pub what: Calibrate,
}

/// What is measured.
#[derive(Subcommand, Debug)]
pub enum Calibrate {
    /// Measure a disk: its rate, its seek, and its total rate against 1 to 32 streams.
    Disk(CalibrateDisk),
}

/// `tenbin calibrate disk`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tenbin calibrate disk /mnt/disk3 --name sdd -o sdd.txt
  tenbin calibrate disk /mnt/disk3 --read-ahead 4MiB")]
pub struct CalibrateDisk {
    /// A folder on the disk, in which files are made and removed; or its device, which is only
    /// read.
    #[arg(value_name = "DIR|/dev/X")]
    pub target: PathBuf,
    /// What the entry is called [default: the device's name].
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// How long each number of streams runs, in seconds.
    #[arg(long, value_name = "S", default_value_t = 6,
          value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub seconds: u32,
    /// Of each file; 64 of them must fit.
    #[arg(long, value_name = "BYTES", default_value = "128MiB", value_parser = size)]
    pub file_size: Bytes,
    /// Readers ask the kernel to read so far ahead [default: it decides].
    #[arg(long, value_name = "BYTES", value_parser = ahead)]
    pub read_ahead: Option<Bytes>,
    /// File for the catalogue's entry [default: stdout, below the table].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Two calls at least.
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

/// Whole sectors, and enough for a file system.
fn size(text: &str) -> Result<Bytes, String> {
    let size: Bytes = text.parse().map_err(|e: units::ParseUnitError| e.to_string())?;
    match size.0 {
        n if n < 16 << 20 => Err("expected 16MiB or more".into()),
        n if n % 4096 != 0 => Err("expected a multiple of 4KiB".into()),
        _ => Ok(size),
    }
}
