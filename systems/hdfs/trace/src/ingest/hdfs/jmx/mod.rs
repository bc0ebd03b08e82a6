//! The NameNode's `/jmx`: who is there, and how many replicas and bytes each node holds; not which.
//!
//! Where fsck lists the blocks it stands in for `hdfs dfsadmin -report`. Alone it is enough for a
//! cluster whose block map is drawn at run time to match the counts.
mod beans;
mod counted;
mod dump;
mod import;
mod nodes;
mod read;
pub(super) use self::import::import;
pub(super) use read::read;
