//! Commands that no other system has.
mod monitor;
pub use monitor::Monitor;
