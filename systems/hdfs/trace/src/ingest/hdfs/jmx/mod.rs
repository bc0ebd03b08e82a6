//! The NameNode's `/jmx`: nodes, and the number of replicas and bytes on each, but not which
//! blocks.
//!
//! With an fsck listing it replaces `hdfs dfsadmin -report`. Alone it suffices to draw a block map
//! with equal counts at run time.
mod beans;
mod block_counts;
mod dump;
mod import;
mod nodes;
mod read;
pub(super) use self::import::import;
pub(super) use read::read;
