//! One program for all tests of the crate: each that is linked takes seconds and a hundred MB.
mod common;
mod fluid;
mod oracle;
mod resources;
mod rewind;
mod station;
mod transport;
