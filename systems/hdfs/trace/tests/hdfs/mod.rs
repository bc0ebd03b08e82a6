//! The import of HDFS's own files, on real samples.
mod bad_input;
mod hadoop2;
mod mutations;
mod samples;
mod site_file;
mod support;
mod traits;
