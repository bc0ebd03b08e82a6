//! One program for all tests of the crate: linking each takes seconds and a hundred MB.
mod behaviour;
mod without;
