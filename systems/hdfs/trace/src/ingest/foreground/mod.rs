//! Client load of a cluster from two `/jmx` pages of each DataNode.
//!
//! Counters start with the daemon, so the load is a difference over time. `clients.rs` subtracts
//! traffic that is not from clients.
mod activity;
mod clients;
mod import;
mod interval;
mod load;
mod names;
mod snapshot;
mod write;
pub use self::import::{Imported, Sources, import};
pub use load::{Load, NodeShare};
