//! Real systems' own files, read as what the models and the analysis use.
pub mod hdfs;
pub mod hdfs_log;
