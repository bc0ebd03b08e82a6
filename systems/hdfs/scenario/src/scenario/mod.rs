//! A typed, complete, validated scenario.
mod assemble;
mod balancer;
mod concerned;
mod foreground;
mod hash;
mod import;
mod read;
mod resolve;
mod typed;
use crate::{BlockMap, Synthesis};
pub use assemble::assembly;
pub use balancer::Balancer;
use cluster::{Cluster, DiskId, Hardware, Network, NodeId, RackId, Setting, Sharing};
pub(crate) use foreground::is_given as foreground_is_given;
pub use foreground::{Foreground, ForegroundLine, foreground_file};
use std::path::PathBuf;
use units::{Bytes, BytesPerSec, Nanos};

#[derive(Clone, PartialEq, Debug)]
pub struct HdfsSite {
    /// `dfs.replication`
    pub replication: u16,
    /// `dfs.blocksize`
    pub blocksize: Bytes,
    /// `dfs.heartbeat.interval`
    pub heartbeat_interval: Nanos,
    /// `dfs.namenode.heartbeat.recheck-interval`
    pub heartbeat_recheck_interval: Nanos,
    /// `dfs.namenode.redundancy.interval.seconds`
    pub redundancy_interval: Nanos,
    /// `dfs.namenode.replication.work.multiplier.per.iteration`
    pub work_multiplier: u32,
    /// `dfs.namenode.replication.max-streams`
    pub max_streams: u32,
    /// `dfs.namenode.replication.max-streams-hard-limit`
    pub max_streams_hard_limit: u32,
    /// `dfs.namenode.reconstruction.pending.timeout-sec`
    pub pending_timeout: Nanos,
    /// `dfs.namenode.redundancy.considerLoad`
    pub consider_load: bool,
    /// `dfs.namenode.redundancy.considerLoad.factor`
    pub consider_load_factor: f64,
    /// `dfs.namenode.decommission.interval`
    pub decommission_interval: Nanos,
    /// `dfs.blockreport.incremental.intervalMsec`
    pub incremental_report_interval: Nanos,
    /// `dfs.datanode.data.transfer.bandwidthPerSec` \[bytes/s\]; 0: no limit.
    pub transfer_bandwidth: u64,
    /// `dfs.namenode.redundancy.queue.restart.iterations`
    pub queue_restart_iterations: u32,
    /// `dfs.namenode.stale.datanode.interval`
    pub stale_interval: Nanos,
    /// `dfs.namenode.avoid.write.stale.datanode`
    pub avoid_write_stale: bool,
    /// `dfs.datanode.ec.reconstruction.xmits.weight`
    pub ec_xmits_weight: f64,
    /// `dfs.datanode.ec.reconstruction.threads`
    pub ec_threads: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pacing {
    /// Immediately, whenever a stream is free; the likely behaviour of the simulation in Higai et
    /// al. 2014.
    EventDriven,
    /// Hadoop 1.x `FSNamesystem`.
    Hdfs1,
    /// Hadoop 3.x `BlockManager`.
    Hdfs3,
}

/// When source and target of a copy are chosen, under event-driven pacing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourcesChosen {
    /// When the copy starts: a policy sees which sources have a free stream.
    AtStart,
    /// When the loss is detected, for all its blocks; each source sends its list in this order.
    Before,
}

#[derive(Clone, PartialEq, Debug)]
pub struct PolicyKeys {
    /// A policy of `hdfs_policy::rereplication`, validated there.
    pub rereplication: String,
    pub pacing: Pacing,
    /// Event-driven pacing: concurrent outgoing copies of one source.
    pub streams_per_source: u32,
    pub sources_chosen: SourcesChosen,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ModelKeys {
    pub sharing: Sharing,
    /// Queue model: unit of service \[bytes\].
    pub chunk: Bytes,
    /// Read by the fluid model only.
    pub network: Network,
}

/// `[workload]`: blocks of a synthetic cluster.
#[derive(Clone, PartialEq, Debug)]
pub struct Workload {
    /// Blocks that the lost node holds; the map is drawn until it holds this number.
    pub blocks_on_lost_node: u32,
    /// Length of each block, or of each internal block of a group.
    pub block_bytes: Bytes,
    /// Data and parity blocks of a group (k and m of RS-k-m); `None`: full replicas.
    pub code: Option<(u8, u8)>,
    /// Draws only blocks with a replica on a node that an event names.
    pub concerned_only: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Blocks {
    /// A file next to the imported cluster file.
    Parquet {
        path: PathBuf,
        sha256: String,
        /// Blocks and erasure-coded groups, from the cluster file.
        blocks: u64,
        /// Replicas and internal blocks, from the cluster file.
        replicas: u64,
    },
    /// Drawn from the seed to match the counts of each node of an imported cluster.
    Synthesised(Synthesis),
    /// Drawn from the seed by `BlockPlacementPolicyDefault`.
    Drawn(Workload),
    Given(BlockMap),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    pub at: Nanos,
    pub kind: EventKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// The node stops sending heartbeats until [`EventKind::NodeBack`].
    NodeLost(NodeId),
    NodeBack(NodeId),
    DiskLost(NodeId, DiskId),
    /// Decommission the node (`dfs.hosts.exclude`).
    Decommission(NodeId),
    /// Put the node into maintenance (`dfs.namenode.maintenance.replication.min`).
    Maintenance(NodeId),
    /// Caps a disk at this rate from now on.
    SlowDisk(NodeId, DiskId, BytesPerSec),
    /// Caps a node's NIC, each direction.
    SlowNic(NodeId, BytesPerSec),
    /// Caps a rack's uplink, each direction.
    SlowUplink(RackId, BytesPerSec),
}

impl EventKind {
    /// The node whose blocks are affected; `None`: the event only slows a device.
    pub fn node(self) -> Option<NodeId> {
        match self {
            EventKind::NodeLost(node)
            | EventKind::NodeBack(node)
            | EventKind::DiskLost(node, _)
            | EventKind::Decommission(node)
            | EventKind::Maintenance(node) => Some(node),
            EventKind::SlowDisk(..) | EventKind::SlowNic(..) | EventKind::SlowUplink(..) => None,
        }
    }
}

/// The node of the earliest event, the lowest id of several at one time. The blocks of a synthetic
/// cluster are counted on it.
pub fn first_named(events: &[Event]) -> Option<NodeId> {
    let named = events.iter().filter_map(|event| Some((event.at, event.kind.node()?)));
    named.min().map(|(_, node)| node)
}

#[derive(Clone, PartialEq, Debug)]
pub struct RunKeys {
    /// `None` ("redundant"): the run ends when every repairable block is repaired.
    pub until: Option<Nanos>,
    /// A comparison uses seeds 1 to n.
    pub seeds: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Scenario {
    /// The file name without extension.
    pub name: String,
    pub file: PathBuf,
    /// SHA-256 over all keys and values, independent of the format of the files.
    pub hash: String,
    pub cluster: Cluster,
    pub blocks: Blocks,
    pub foreground: Option<Foreground>,
    pub hardware: Hardware,
    pub hdfs: HdfsSite,
    /// `[workload.balancer]` and its settings; `None`: the balancer does not run.
    pub balancer: Option<Balancer>,
    pub policy: PolicyKeys,
    pub model: ModelKeys,
    /// `[[event]]`, in file order.
    pub events: Vec<Event>,
    pub run: RunKeys,
    /// Every key with its value and origin.
    pub settings: Vec<Setting>,
}
