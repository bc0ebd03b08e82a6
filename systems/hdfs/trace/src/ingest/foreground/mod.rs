//! What clients asked of a cluster, from two `/jmx` pages of each DataNode and the time between.
//!
//! A DataNode counts since it started: the differences are what was read and written meanwhile.
//! Not all of it is a client's; `clients.rs` says what is taken out and by which counter.
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
