//! A real HDFS cluster from its own tools' outputs: `docs/collect.md` says what to run.
//!
//! `hdfs fsck` has the blocks and where their replicas are, and is needed; `-report` adds who is
//! dead, host names, racks and space; `-printTopology` racks and host names; `hdfs-site.xml` the
//! settings. They are joined by the DataNodes' transfer addresses (`ip:port`). Paths of files are
//! not kept.
mod check;
mod counts;
mod error;
mod fsck;
mod import;
mod inputs;
mod join;
mod lines;
mod namenode;
mod natural;
mod report;
mod site;
mod sniff;
mod source;
mod topology;
mod write;
pub use counts::Counts;
pub use error::ImportError;
pub use import::{Imported, Sources, import};
pub use source::{Input, OnProgress, Progress};
