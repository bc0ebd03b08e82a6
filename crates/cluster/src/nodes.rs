//! Who is there: DataNodes and racks.
use crate::{NodeId, RackId};
use rewind::Scalar;
use units::Bytes;

/// What the operator has asked of a DataNode (`DatanodeInfo.AdminStates`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Scalar)]
pub enum Admin {
    /// Serves and receives.
    #[default]
    InService,
    /// Its blocks are being copied away.
    Decommissioning,
    /// Done with; its replicas count no more.
    Decommissioned,
    /// On its way to a maintenance with a minimum of live replicas elsewhere.
    EnteringMaintenance,
    /// Down for a while; its replicas count as present.
    InMaintenance,
}

/// A DataNode as the NameNode knows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Host name, or the address where no input told the name.
    pub host: String,
    /// Transfer address, `ip:port` (JMX: `xferaddr`): what joins the tools' outputs.
    pub address: String,
    /// Its rack.
    pub rack: RackId,
    /// Sends heartbeats.
    pub alive: bool,
    /// Operator's wish.
    pub admin: Admin,
    /// Configured capacity.
    pub capacity: Bytes,
    /// Left for HDFS.
    pub remaining: Bytes,
    /// Open transfer threads, for `considerLoad`.
    pub xceivers: u32,
    /// Disks (storages).
    pub disks: u16,
}

/// A rack: the nodes below one uplink.
#[derive(Clone, PartialEq, Debug)]
pub struct Rack {
    /// As the topology script names it: `/rack1`.
    pub name: String,
    /// Its nodes, in the order of ids.
    pub nodes: Vec<NodeId>,
}

/// All nodes and racks.
#[derive(Clone, PartialEq, Debug)]
pub struct Cluster {
    /// Short name, for titles.
    pub name: String,
    /// By `NodeId`.
    pub nodes: Vec<Node>,
    /// By `RackId`.
    pub racks: Vec<Rack>,
}
