//! One program for all tests of the crate, because linking each takes seconds and 100 MB.
mod common;
mod fluid;
mod lv08;
mod oracle;
mod resources;
mod rewind;
mod station;
mod transport;
