//! Real systems' own files, read as what the models and the analysis use.
pub mod foreground;
pub mod hdfs;
pub mod hdfs_log;
