//! Imports a real HDFS cluster from the output of its tools (list: `systems/hdfs/docs/collect.md`).
//!
//! `hdfs fsck` lists blocks and replicas; the NameNode's `/jmx` only counts them. One of the two is
//! required. `-report` adds dead nodes, host names, racks and space; `-printTopology` racks and
//! host names; `hdfs-site.xml` settings. Nodes are joined by transfer address (`ip:port`). File
//! paths are dropped.
mod block_resolver;
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
pub(super) mod site;
pub(super) mod sniff;
mod topology;
mod write;
pub use self::import::{Imported, Sources};
pub use ::import::{ImportError, Input, OnProgress, Progress};
pub use counts::Counts;

/// Reads a cluster in memory of the packed block map. `tell` receives progress.
///
/// # Errors
/// Neither a listing nor a JMX dump; a file is unreadable, truncated, in another encoding or of
/// another tool; a duplicate block; a replica on a node that other files lack.
pub fn import(sources: &Sources, tell: &mut OnProgress<'_>) -> Result<Imported, ImportError> {
    match (&sources.fsck, &sources.jmx) {
        (None, Some(jmx)) => jmx::import(sources, jmx, tell),
        _ => self::import::import(sources, tell),
    }
}
