//! Logs of a NameNode and its DataNodes: a real loss and its repair.
//!
//! ```text
//!  files ─► merge (by time) ─► event (a line) ─► story ─┬─► tables: a trace as of a simulation
//!                                                       └─► rebuilt: cluster, block map, settings
//! ```
//!
//! The NameNode's log has dead nodes, queued blocks, decisions and new replicas (`BlockStateChange`
//! at DEBUG; at INFO only deaths and new replicas). DataNodes' logs have the start and end of
//! copies. Unknown, and *unexplained*: heartbeats, disks, resource use, and waits at a source
//! beyond a heartbeat.
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
