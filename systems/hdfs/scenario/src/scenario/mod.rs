//! A scenario as everything below uses it: typed, complete, validated.
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
use cluster::{Cluster, DiskId, Hardware, NodeId, RackId, Setting, Sharing};
pub(crate) use foreground::is_given as foreground_is_given;
pub use foreground::{Foreground, ForegroundLine, foreground_file};
use std::path::PathBuf;
use units::{Bytes, BytesPerSec, Nanos};

/// The NameNode's and DataNodes' settings that the model obeys (their real keys in the doc of
/// each).
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
    /// `dfs.datanode.data.transfer.bandwidthPerSec` [bytes/s]; 0 is no limit.
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
    /// At once, whenever a stream is free (what the S0 document's simulation must have done).
    EventDriven,
    /// Hadoop 1.x `FSNamesystem`.
    Hdfs1,
    /// Hadoop 3.x `BlockManager`.
    Hdfs3,
}

/// `[policy]`
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyKeys {
    /// Name of `hdfs_policy::rereplication`, validated there.
    pub rereplication: String,
    pub pacing: Pacing,
    /// Event-driven pacing: outgoing copies of one source at a time.
    pub streams_per_source: u32,
}

/// `[model]`
#[derive(Clone, PartialEq, Debug)]
pub struct ModelKeys {
    pub sharing: Sharing,
    /// Queue: bytes that stand in line as one.
    pub chunk: Bytes,
    /// Fluid: a flow's weight is 1/latency (SimGrid's CM02) instead of 1.
    pub latency_weights: bool,
}

/// `[workload]`: the blocks of a synthetic cluster.
#[derive(Clone, PartialEq, Debug)]
pub struct Workload {
    /// Blocks that the lost node holds; the map is drawn until it holds so many.
    pub blocks_on_lost_node: u32,
    /// Length of each block, or of each internal block of a group.
    pub block_bytes: Bytes,
    /// Data and parity blocks of each group (k and m of RS-k-m); `None`: whole replicas.
    pub code: Option<(u8, u8)>,
    /// Only blocks with a replica on a node that an event names are drawn.
    pub concerned_only: bool,
}

/// Where the blocks come from.
#[derive(Clone, PartialEq, Debug)]
pub enum Blocks {
    /// Beside the imported cluster file.
    Parquet {
        path: PathBuf,
        /// SHA-256 that the cluster file names.
        sha256: String,
        /// Blocks and erasure-coded groups in it, by the cluster file.
        blocks: u64,
        /// Replicas and internal blocks in it, by the cluster file.
        replicas: u64,
    },
    /// Drawn from the seed to match what each node of an imported cluster holds.
    Synthesised(Synthesis),
    /// Drawn from the seed by `BlockPlacementPolicyDefault`.
    Drawn(Workload),
    Given(BlockMap),
}

/// `[[event]]`
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    pub at: Nanos,
    pub kind: EventKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// The node falls silent, until it is back.
    NodeLost(NodeId),
    /// A silent node is back with all that it held.
    NodeBack(NodeId),
    /// One disk fails; its node lives.
    DiskLost(NodeId, DiskId),
    /// The node is to be emptied (`dfs.hosts.exclude`).
    Decommission(NodeId),
    /// The node will go away for a while (`dfs.namenode.maintenance.replication.min`).
    Maintenance(NodeId),
    /// A disk serves at no more than this rate from now on.
    SlowDisk(NodeId, DiskId, BytesPerSec),
    /// A node's NIC does, each way.
    SlowNic(NodeId, BytesPerSec),
    /// A rack's uplink does, each way.
    SlowUplink(RackId, BytesPerSec),
}

impl EventKind {
    /// The node whose blocks it is about; none where something only gets slow.
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

/// The node that events name first, of several at one time that of the least id: the one on which
/// the blocks of a synthetic cluster are counted. The order of the list does not matter.
pub fn first_named(events: &[Event]) -> Option<NodeId> {
    let named = events.iter().filter_map(|event| Some((event.at, event.kind.node()?)));
    named.min().map(|(_, node)| node)
}

/// `[run]`
#[derive(Clone, PartialEq, Debug)]
pub struct RunKeys {
    /// Ends at this time, or (`None`, "redundant") when every block that can be repaired is.
    pub until: Option<Nanos>,
    /// Seeds 1…n of a comparison.
    pub seeds: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Scenario {
    /// The file's stem.
    pub name: String,
    pub file: PathBuf,
    /// SHA-256 over all keys and values, so that equal scenarios have equal hashes whatever their
    /// files look like.
    pub hash: String,
    pub cluster: Cluster,
    pub blocks: Blocks,
    /// `[workload.foreground]`
    pub foreground: Option<Foreground>,
    pub hardware: Hardware,
    /// `[hdfs-site]`
    pub hdfs: HdfsSite,
    /// `[workload.balancer]` and the settings that bind it; `None` where it does not run.
    pub balancer: Option<Balancer>,
    /// `[policy]`
    pub policy: PolicyKeys,
    /// `[model]`
    pub model: ModelKeys,
    /// `[[event]]`, in the file's order.
    pub events: Vec<Event>,
    /// `[run]`
    pub run: RunKeys,
    /// Every key with its value and where it came from.
    pub settings: Vec<Setting>,
}
