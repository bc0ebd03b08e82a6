//! The systems that are simulated.
pub mod hdfs;
