//! models
pub mod hardware;
pub mod hdfs;
