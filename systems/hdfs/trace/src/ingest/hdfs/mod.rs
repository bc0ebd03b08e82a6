//! A real HDFS cluster from its own tools' outputs: `systems/hdfs/docs/collect.md` says which.
//!
//! `hdfs fsck` has the blocks and where their replicas are; the NameNode's `/jmx` counts each
//! node's replicas instead: one of the two is needed. `-report` adds who is dead, host names, racks
//! and space; `-printTopology` racks and host names; `hdfs-site.xml` the settings. They are joined
//! by the DataNodes' transfer addresses (`ip:port`). Paths of files are not kept.
mod check;
mod counts;
mod fsck;
mod import;
mod inputs;
pub(super) mod jmx;
mod join;
mod namenode;
pub(super) mod natural;
mod report;
mod settle;
pub(super) mod site;
pub(super) mod sniff;
mod topology;
mod write;
pub use self::import::{Imported, Sources};
pub use ::import::{ImportError, Input, OnProgress, Progress};
pub use counts::Counts;

/// Reads a cluster's files; memory is that of the block map, packed. `tell` hears of progress.
///
/// # Errors
/// Neither a listing nor a JMX dump; a file that cannot be read, is cut, in another encoding,
/// another tool's; a block twice; a replica on a node that the other files do not know.
pub fn import(sources: &Sources, tell: &mut OnProgress<'_>) -> Result<Imported, ImportError> {
    match (&sources.fsck, &sources.jmx) {
        (None, Some(jmx)) => jmx::import(sources, jmx, tell),
        _ => self::import::import(sources, tell),
    }
}
