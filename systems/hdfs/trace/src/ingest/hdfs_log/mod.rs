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
mod clusters;
mod damaged_lines;
mod event;
mod gaps;
mod import;
mod ledger;
mod line_errors;
mod log_history;
mod merge;
mod merged_events;
mod nodes;
mod notes;
mod parts;
mod read_progress;
mod rebuilt_cluster;
mod settings;
mod sniff;
mod tables;
pub use self::import::{ImportedLogs, Sources, import};
