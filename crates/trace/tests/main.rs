//! One program for all tests of the crate: linking each takes seconds and 100 MB.
mod chrome;
mod dice;
mod drawn;
mod operations;
mod random;
mod reading;
mod tables;
mod walk;
