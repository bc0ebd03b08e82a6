//! The logs of a NameNode and its DataNodes: a loss and its repair as they really went.
//!
//! ```text
//!  files ─► merge (by time) ─► event (a line) ─► story ─┬─► tables: the trace that a run has, too
//!                                                       └─► rebuilt: cluster, block map, settings
//! ```
//!
//! The NameNode's log has who was declared dead, the waiting blocks, the decisions and the new
//! replicas (`BlockStateChange` at DEBUG; at INFO only deaths and new replicas); DataNodes' logs
//! have when a copy was begun and sent. What logs cannot tell stays *unexplained*: heartbeats,
//! disks, the use of disks and links, why a source waited longer than a heartbeat.
mod broken;
mod clusters;
mod complaints;
mod event;
mod gaps;
mod import;
mod ledger;
mod merge;
mod merged_events;
mod nodes;
mod notes;
mod parts;
mod reading;
mod rebuilt;
mod settings;
mod sniff;
mod story;
mod tables;
pub use self::import::{Logged, Sources, import};
