//! Placement and re-replication policies of HDFS as pure functions of a view: no clock, no I/O,
//! random choices come from [`Dice`].
//!
//! One folder per kind of decision, one policy per file. A decision in ten lines:
//!
//! ```
//! use cluster::{BlockIndex, NodeId, RackId};
//! use hdfs_scenario::Pacing;
//! use hdfs_policy::rereplication::{LostBlock, Memory, Source, registry};
//! use hdfs_policy::{NodeView, View};
//! use units::Bytes;
//!
//! // One rack of five nodes; 0 and 1 hold a block that should have three replicas.
//! let nodes = [NodeView::new(RackId(0), Bytes::mib(1 << 20)); 5];
//! let racks = [(0..5).map(NodeId).collect::<Vec<_>>()];
//! let (load_factor, load, avoid_stale) = (None, (0, 5), false);
//! let (nodes, racks, uplinks) = (&nodes, &racks, &[]);
//! let view = View { nodes, racks, load_factor, load, avoid_stale, uplinks };
//! let live = [NodeId(0), NodeId(1)];
//! let sources = live.map(|node| Source::new(node, true));
//! let lost = LostBlock {
//!     block: BlockIndex(0), bytes: Bytes::mib(128), expected: 3,
//!     live: &live, sources: &sources, taken: &live, only_rack: false,
//! };
//! let ring = registry::find("ring", Pacing::Hdfs3).expect("a known name");
//! let mut dice = |n: u64| n / 2;
//! let copy = ring.repair(&lost, view, &mut Memory::new(5, 1), &mut dice).expect("healthy");
//! // The successor of 0 holds the block, so 1 sends to its own.
//! assert_eq!((copy.source, copy.target), (NodeId(1), NodeId(2)));
//! ```
#![deny(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_sign_loss))]
pub mod dice;
mod doc;
pub mod placement;
pub mod rereplication;
pub mod view;
pub use dice::Dice;
pub use view::{Fitness, NodeView, Uplink, View};
