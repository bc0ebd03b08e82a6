//! A cluster of Java daemons on a testbed, with one folder of settings and logs.
use super::java::Java;
use super::program::Program;
use super::{TwinArgs, cold};
use crate::bed::{Host, Testbed};
use crate::model::Order;
use crate::place::Place;
use crate::plan::Plan;
use crate::server::DiskKind;
use crate::up;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use system::Failure;
use units::{Bytes, floored_u64};

/// Dirty data of a disk in memory, in seconds of its rate: small enough not to shorten runs of
/// seconds.
const WAITING: f64 = 0.8;

/// With less, a kernel leaves a disk idle at times.
const LEAST_WAITING: Bytes = Bytes::mib(4);

/// Heap of a node's daemon or a tool \[MiB\].
pub const MEMORY: u32 = 256;

/// Heap of a daemon for all nodes \[MiB\].
pub const MEMORY_OF_MASTERS: u32 = 512;

/// Folders of a finished run without use: file system image, temporary files, web pages.
const UNREAD: [&str; 3] = ["name", "tmp", "conf/webapps"];

/// Creates a testbed with disks of this size, which take no time yet.
///
/// # Errors
/// The testbed cannot be created; interrupted.
pub fn bed(args: &TwinArgs, plan: &Plan, size: Bytes) -> Result<Testbed, Failure> {
    let kind = DiskKind {
        model: plan.disk,
        size,
        order: Order::Nearest,
        store: args.store.clone(),
        waiting: Some(waiting(plan)),
        log: None,
    };
    let bed = up::make(Place::of(&args.name)?, plan, &kind)?;
    bed.disks_take_time(false);
    Ok(bed)
}

fn waiting(plan: &Plan) -> Bytes {
    Bytes(floored_u64(plan.disk.rate.0 as f64 * WAITING)).max(LEAST_WAITING)
}

pub struct Daemons<'j> {
    java: &'j Java,
    pub conf: PathBuf,
    pub folder: PathBuf,
    pub master: Host,
}

impl<'j> Daemons<'j> {
    /// `folder/conf` has the settings.
    ///
    /// # Errors
    /// The folder of logs cannot be created.
    pub fn new(java: &'j Java, folder: PathBuf, master: Host) -> Result<Daemons<'j>, Failure> {
        let (conf, logs) = (folder.join("conf"), folder.join("logs"));
        fs::create_dir_all(&logs).map_err(|e| Failure::writing(&logs, &e))?;
        Ok(Daemons { java, conf, folder, master })
    }

    pub fn log(&self, of: &str) -> PathBuf {
        self.folder.join("logs").join(format!("{of}.log"))
    }

    /// Starts a program with this heap \[MiB\].
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(
        &self,
        (host, memory): (&Host, u32),
        class: &str,
        args: &[&str],
        log: &str,
    ) -> Result<Program, Failure> {
        let line = self.java.line(&self.conf, memory, class, args);
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        Program::start(host, &line, &self.log(log))
    }

    /// Runs a tool to its end, with its output in `out`.
    ///
    /// # Errors
    /// The tool fails or takes longer than `at_most`; interrupted.
    pub fn tool(
        &self,
        class: &str,
        args: &[&str],
        out: &Path,
        at_most: Duration,
    ) -> Result<(), Failure> {
        let line = self.java.line(&self.conf, MEMORY, class, args);
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        Program::run(&self.master, &line, (out, &self.log("tools")), at_most)
    }

    /// Flushes all disks and drops their data from memory.
    ///
    /// # Errors
    /// A program fails; interrupted.
    pub fn cold(&self, bed: &Testbed) -> Result<(), Failure> {
        let mut nodes = bed.hosts.iter().filter(|host| !host.disks.is_empty());
        nodes.try_for_each(|host| cold::cold(host, &self.log("tools")))
    }

    /// Deletes unused folders.
    ///
    /// # Errors
    /// A folder cannot be deleted.
    pub fn tidy(&self) -> Result<(), Failure> {
        for name in UNREAD {
            let path = self.folder.join(name);
            if path.exists() {
                fs::remove_dir_all(&path).map_err(|e| Failure::writing(&path, &e))?
            }
        }
        Ok(())
    }
}
