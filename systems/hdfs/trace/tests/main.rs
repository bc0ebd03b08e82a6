//! One program for all tests of the crate: each that is linked takes seconds and a hundred MB.
mod blocks_file;
mod foreground;
mod hdfs;
mod hdfs_log;
mod jmx;
mod packed;
mod stored;
mod traces;
