//! HDFS scenarios: the scenario file and its validation, the imported cluster, block locations.
//!
//! A scenario is read in layers (defaults, imported cluster file, scenario file, `--set`). Each
//! value is checked against the tables of [`keys`]:
//!
//! ```
//! use hdfs_scenario::{Pacing, Scenario};
//!
//! let text = r#"
//! [cluster]
//! racks = 1
//! nodes_per_rack = 8
//!
//! [workload]
//! blocks_on_lost_node = 560
//!
//! [[event]]
//! at = "0s"
//! kind = "node-lost"
//! target = "dn-r1-08"
//! "#;
//! let scenario = Scenario::from_str(text, "eight.toml", &[]).unwrap();
//! assert_eq!(scenario.cluster.nodes.len(), 8);
//! assert_eq!(scenario.policy.pacing, Pacing::Hdfs3);
//!
//! let wrong = Scenario::from_str(&text.replace("racks", "rakcs"), "eight.toml", &[]).unwrap_err();
//! assert!(wrong.to_string().contains("eight.toml:3: cluster.rakcs: unknown key"));
//! ```
// A number that does not fit is an error or is reported, and never becomes another number.
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
mod blocks;
pub mod check;
pub mod cluster_file;
pub mod keys;
pub mod notes;
mod scenario;
mod synthesis;
mod synthetic;
mod targets;
pub use blocks::*;
pub use cluster_file::{BlockFile, Imported, ImportedBlocks, SourcedValue};
pub use scenario::*;
pub use synthesis::*;
pub use targets::nodes_called;
