//! One program for all tests of the crate: each that is linked takes seconds and a hundred MB.
mod chrome;
mod dice;
mod drawn;
mod operations;
mod random;
mod reading;
mod tables;
mod walk;
