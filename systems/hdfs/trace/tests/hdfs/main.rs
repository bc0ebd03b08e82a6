//! The import of HDFS's own files, on real samples.
mod bad_input;
mod mutations;
mod samples;
mod support;
mod traits;
