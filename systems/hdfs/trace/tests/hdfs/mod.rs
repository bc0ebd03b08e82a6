//! The import of HDFS's own files, on real samples.
mod bad_input;
mod hadoop2;
mod mutations;
mod samples;
mod support;
mod traits;
