//! One program for all tests of the crate: each that is linked takes seconds and a hundred MB.
mod bad_input;
mod cluster_file;
mod common;
mod mutations;
mod scaled;
mod scenarios;
