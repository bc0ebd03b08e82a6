//! A mount of the service by FUSE: the kernel's requests become operations of a client.
//!
//! ```text
//!  kernel ── request ──► filesystem ── a task each ──► operations ──► client ──► servers
//!                                                       names: the entries of an inode
//!                                                       files: contents of open files
//! ```
//!
//! Contents are written back at `close` and `fsync`, which wait for the service. Another mount sees
//! them from its next `open` on, as with NFS.
mod files;
mod filesystem;
mod names;
mod operations;

use crate::Error;
use crate::client::{Client, ClientOptions};
use crate::cluster::Cluster;
use filesystem::Mounted;
use fuser::{Config, MountOption, SessionACL};
use operations::Operations;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Longest wait of a request for a server that is away; then it fails with EIO.
const DEADLINE: Duration = Duration::from_secs(600);
/// Interval between two checks whether to stop.
const CHECK: Duration = Duration::from_millis(100);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MountOptions {
    pub is_read_only: bool,
    /// Other users see the mount too. Needs root, or `user_allow_other` in /etc/fuse.conf.
    pub is_for_all: bool,
}

/// Mounts the service until `stop` returns true or the directory is unmounted.
///
/// # Errors
/// No server answers, or the system does not mount it.
pub fn mount(
    cluster: &Cluster,
    directory: &Path,
    options: MountOptions,
    ready: &mut dyn FnMut(),
    stop: &dyn Fn() -> bool,
) -> Result<(), Error> {
    let place = directory.display();
    if !directory.is_dir() {
        return Err(Error::BadInput(format!("{place}: expected a directory that exists")));
    }
    let failed = |what: &str, e: &std::io::Error| Error::Failed(format!("{place}: {what}: {e}"));
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(|e| failed("no runtime for sockets", &e))?;
    let patient = ClientOptions { deadline: DEADLINE };
    let client = runtime.block_on(Client::connect(cluster, patient))?;
    let operations = Arc::new(Operations::new(client));
    let mounted =
        Mounted { operations: Arc::clone(&operations), runtime: runtime.handle().clone() };
    let mut config = Config::default();
    config.mount_options = vec![
        MountOption::FSName(format!("tenbin-{:016x}", cluster.id)),
        MountOption::Subtype(String::from("tenbin")),
        MountOption::DefaultPermissions,
        MountOption::NoDev,
        MountOption::NoAtime,
        if options.is_read_only { MountOption::RO } else { MountOption::RW },
    ];
    config.acl = if options.is_for_all { SessionACL::All } else { SessionACL::Owner };
    let session = fuser::spawn_mount(mounted, directory, &config);
    let session = session.map_err(|e| failed("cannot mount: FUSE (/dev/fuse) refuses", &e))?;
    ready();
    while !stop() && !session.guard.is_finished() {
        std::thread::sleep(CHECK)
    }
    let ended = match session.guard.is_finished() {
        true => session.join(),
        false => session.umount_and_join(),
    };
    if let Some(Operations { client, .. }) = Arc::into_inner(operations) {
        runtime.block_on(client.close())
    }
    ended.map_err(|e| failed("cannot unmount", &e))
}
