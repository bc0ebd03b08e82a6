//! One binary for all tests of the crate: each takes seconds to link and a hundred MB.
mod benches;
mod hdfs;
mod hdfs_synthesis;
