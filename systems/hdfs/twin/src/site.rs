//! Site files of a cluster of daemons.
use crate::setup::{MASTER, TwinSetup};
use std::fs;
use std::path::{Path, PathBuf};
use system::Failure;
use testbed::bed::Host;
use testbed::twin::site::{Conf, Properties, on_disks, owned};

/// Logs decisions and new replicas with their times.
const LOGGED: &str = "log4j.logger.BlockStateChange=DEBUG\n";

/// Declares a dead node within a minute instead of about ten: only the repair is measured.
const RECHECK: (&str, &str) = ("dfs.namenode.heartbeat.recheck-interval", "1000");

/// Hadoop keeps 1 GiB of a disk free by default, half of a testbed's disk.
const SPARE: &str = "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space";

/// Returns the absolute path of the folder.
///
/// # Errors
/// A file cannot be written.
pub(crate) fn write(wanted: &TwinSetup, hosts: &[Host], folder: &Path) -> Result<PathBuf, Failure> {
    let conf = Conf {
        hosts,
        master: MASTER,
        pages: &["hdfs", "datanode", "static"],
        files: &format!("hdfs://{MASTER}:8020"),
        logged: LOGGED,
    };
    let folder =
        conf.write(folder, &|folder| vec![("hdfs-site.xml", hdfs(wanted, hosts, folder))])?;
    exclude(&folder, "")?;
    Ok(folder)
}

/// Writes the list of nodes to decommission, one per line.
///
/// # Errors
/// The list cannot be written.
pub(crate) fn exclude(folder: &Path, hosts: &str) -> Result<(), Failure> {
    let path = folder.join(EXCLUDED);
    fs::write(&path, hosts).map_err(|e| Failure::writing(&path, &e))
}

const EXCLUDED: &str = "conf/excluded";

fn hdfs(wanted: &TwinSetup, hosts: &[Host], folder: &Path) -> Properties {
    let mut all = owned(&[
        ("dfs.namenode.name.dir", &folder.join("name").display().to_string()),
        ("dfs.datanode.data.dir", &on_disks(hosts, "dfs")),
        ("dfs.namenode.http-address", &format!("{MASTER}:9870")),
        ("dfs.hosts.exclude", &folder.join(EXCLUDED).display().to_string()),
        ("dfs.blocksize", &wanted.block.0.to_string()),
        ("dfs.namenode.datanode.registration.ip-hostname-check", "false"),
        // A small disk only has blocks: no reserve is needed.
        ("dfs.datanode.du.reserved", "0"),
        (SPARE, "0"),
        RECHECK,
    ]);
    all.retain(|(key, _)| {
        wanted.site.iter().all(|(given, _)| given != key) || key == "dfs.blocksize"
    });
    all.extend(wanted.site.iter().filter(|(key, _)| key != "dfs.blocksize").cloned());
    all
}
