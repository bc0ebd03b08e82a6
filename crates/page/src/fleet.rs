//! Racks, nodes, their resources and what they did, in columns. The pages of each rack and of each
//! node, and the lists of all nodes and of all operations, are made from these when they are
//! opened: written out they would be larger by far.
use crate::kind::Kind;
use crate::section::Share;
use serde::{Deserialize, Serialize};

/// Everything behind the first screen, of one run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Fleet {
    /// "now, seed 1".
    pub of: String,
    /// What times are counted from: "since declared dead".
    pub since: String,
    /// Reduced data: "200 hottest of 4 800 shown".
    pub tags: Vec<String>,
    /// Names.
    pub racks: Vec<String>,
    /// Nodes.
    pub nodes: Vec<FleetNode>,
    /// Disks, NICs, uplinks.
    pub resources: Vec<FleetResource>,
    /// Width of a cell of `use` \[s\].
    pub cell_s: f64,
    /// Whole percents, row by row as in `resources`; empty where idle throughout or left out.
    #[serde(rename = "use")]
    pub usage: Vec<Vec<u8>>,
    /// By rack and kind, in place of the resources that were left out; empty where none was.
    pub envelopes: Vec<Envelope>,
    /// Copies.
    pub operations: Operations,
    /// What limited them.
    pub causes: Vec<FleetCause>,
    /// What all of them waited for, mean over blocks.
    pub waited: Vec<Share>,
}

/// A node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FleetNode {
    /// Host.
    pub name: String,
    /// Place in `racks`.
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
    /// Place in `nodes`.
    pub node: Option<u32>,
    /// Place in `racks`.
    pub rack: Option<u32>,
    /// [bytes/s]
    pub capacity: u64,
}

/// What something waited for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FleetCause {
    /// Hue.
    pub kind: Kind,
    /// A setting with its value, or a resource.
    pub name: String,
}

/// Use of a rack's disks or network, where single resources were left out. Whole percents a cell;
/// empty where idle throughout.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Envelope {
    /// Place in `racks`.
    pub rack: u32,
    /// Hue.
    pub kind: Kind,
    /// How many resources.
    pub members: u32,
    /// Mean over them.
    pub mean: Vec<u8>,
    /// Busiest of them.
    pub max: Vec<u8>,
}

/// Copies of blocks from node to node, in columns of equal length, by start. Times in seconds,
/// counted from what [`Fleet::since`] says.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Operations {
    /// The block's number (as f64: a JSON number, exact below 2⁵³).
    pub block: Vec<f64>,
    /// Place in `nodes`.
    pub source: Vec<u32>,
    /// Place in `nodes`.
    pub target: Vec<u32>,
    /// Disk in the source; 65535 where none is known.
    pub source_disk: Vec<u16>,
    /// Disk in the target; likewise.
    pub target_disk: Vec<u16>,
    /// End of the wait in the queue.
    pub decided_s: Vec<f64>,
    /// First byte.
    pub start_s: Vec<f64>,
    /// Last byte.
    pub end_s: Vec<f64>,
    /// Moved \[bytes\].
    pub bytes: Vec<u64>,
    /// What limited it: place in `causes`.
    pub cause: Vec<u32>,
    /// What the longest wait in the queue was for, likewise; empty where queues are not known.
    pub held: Vec<u32>,
}
