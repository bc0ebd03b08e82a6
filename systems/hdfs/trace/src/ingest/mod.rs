//! Imports of real systems' files.
pub mod foreground;
pub mod hdfs;
pub mod hdfs_log;
