//! Real systems' own files, read as what the models and the analysis use.
pub mod hdfs;
