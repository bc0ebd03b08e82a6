//! Racks, nodes, their resources and operations, in columns. The UI builds the pages of racks and
//! nodes, and the lists, from these on demand: written out they would be far larger.
use crate::kind::Kind;
use crate::section::Share;
use serde::{Deserialize, Serialize};

/// Racks, nodes and operations of one run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Fleet {
    /// The run: "now, seed 1".
    pub of: String,
    /// Origin of all times: "since declared dead", "since the start".
    pub since: String,
    /// Reduced data: "200 hottest of 4 800 shown".
    pub tags: Vec<String>,
    /// Rack names; empty if the run does not know them.
    pub racks: Vec<String>,
    /// Nodes.
    pub nodes: Vec<FleetNode>,
    /// Disks, NICs, uplinks.
    pub resources: Vec<FleetResource>,
    /// Width of a cell of `use` \[s\].
    pub cell_s: f64,
    /// Utilisation in whole percents, row by row as in `resources`; empty if always idle or left
    /// out.
    #[serde(rename = "use")]
    pub usage: Vec<Vec<u8>>,
    /// By rack and kind, if resources were left out.
    pub envelopes: Vec<Envelope>,
    /// Copies; empty for systems without them.
    pub operations: Operations,
    /// Bottlenecks that [`Operations::cause`] and `held` refer to.
    pub causes: Vec<FleetCause>,
    /// What all copies waited for: mean over blocks.
    pub waited: Vec<Share>,
}

/// A node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FleetNode {
    /// Host name.
    pub name: String,
    /// Index into `racks`; 0 if these are empty.
    pub rack: u32,
    /// Not lost.
    pub alive: bool,
    /// Sent \[bytes\].
    pub sent_bytes: u64,
    /// Received \[bytes\].
    pub received_bytes: u64,
}

/// A disk, a NIC, an uplink.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FleetResource {
    /// "dn-r2-04 disk 6".
    pub name: String,
    /// Hue.
    pub kind: Kind,
    /// Index into `nodes`.
    pub node: Option<u32>,
    /// Index into `racks`.
    pub rack: Option<u32>,
    /// \[bytes/s\]; 0: unknown, or in another unit.
    pub capacity: u64,
}

/// A bottleneck of operations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FleetCause {
    /// Hue.
    pub kind: Kind,
    /// A setting with its value, or a resource.
    pub name: String,
}

/// Utilisation of a rack's disks or network if single resources were left out. Whole percents per
/// cell; empty if always idle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Envelope {
    /// Index into `racks`.
    pub rack: u32,
    /// Hue.
    pub kind: Kind,
    /// Number of resources.
    pub members: u32,
    /// Mean over the members.
    pub mean: Vec<u8>,
    /// The busiest member.
    pub max: Vec<u8>,
}

/// Copies of blocks between nodes, in columns of equal length, sorted by start. Times in seconds
/// since the origin [`Fleet::since`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Operations {
    /// Block number (f64: exact in JSON below 2⁵³).
    pub block: Vec<f64>,
    /// Index into `nodes`.
    pub source: Vec<u32>,
    /// Index into `nodes`.
    pub target: Vec<u32>,
    /// Disk of the source; 65535: unknown.
    pub source_disk: Vec<u16>,
    /// Disk of the target; 65535: unknown.
    pub target_disk: Vec<u16>,
    /// End of the queue wait.
    pub decided_s: Vec<f64>,
    /// Time of the first byte.
    pub start_s: Vec<f64>,
    /// Time of the last byte.
    pub end_s: Vec<f64>,
    /// Moved \[bytes\].
    pub bytes: Vec<u64>,
    /// The limiting bottleneck: index into `causes`.
    pub cause: Vec<u32>,
    /// The bottleneck of the longest queue wait: index into `causes`; empty if queues are unknown.
    pub held: Vec<u32>,
}
