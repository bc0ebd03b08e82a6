//! What a policy sees of a cluster: plain rows, five lines to build in a test.
use cluster::{Admin, NodeId, RackId};
use rewind::Scalar;
use units::{Bytes, u32_of};

/// One DataNode, as the NameNode knows it at this moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct NodeView {
    pub rack: RackId,
    /// Not declared dead.
    pub alive: bool,
    /// No heartbeat for a while (`dfs.namenode.stale.datanode.interval`).
    pub stale: bool,
    /// Operator's wish.
    pub admin: u8,
    /// Free for HDFS, less what is scheduled to arrive.
    pub free: Bytes,
    /// Transfer threads reported by its last heartbeat.
    pub xceivers: u32,
    /// Copies it has been told to send and that no heartbeat has fetched yet
    /// (`DatanodeDescriptor.getNumberOfBlocksToBeReplicated`).
    pub queued: u32,
    pub sending: u32,
    /// Copies on their way to it.
    pub receiving: u32,
}

impl NodeView {
    /// A live node in service with room.
    pub fn new(rack: RackId, free: Bytes) -> NodeView {
        let admin = Admin::InService as u8;
        let (stale, xceivers, queued, sending, receiving) = (false, 0, 0, 0, 0);
        NodeView { rack, alive: true, stale, admin, free, xceivers, queued, sending, receiving }
    }
    /// Alive and not on its way out: may receive (`DatanodeInfo.isInService`).
    pub fn in_service(&self) -> bool {
        self.alive && self.admin == Admin::InService as u8
    }
    /// Not decommissioned, nor on the way there: what it holds counts for the racks, also while it
    /// rests.
    pub fn stays(&self) -> bool {
        let left = [Admin::Decommissioning, Admin::Decommissioned];
        left.iter().all(|admin| self.admin != *admin as u8)
    }
    /// Being decommissioned, or entering maintenance.
    pub fn leaving(&self) -> bool {
        self.admin == Admin::Decommissioning as u8 || self.admin == Admin::EnteringMaintenance as u8
    }
}

/// What joins a rack to the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Uplink {
    /// Copies that keep it full, each way; at least 1.
    pub carries: u32,
    /// Copies decided and not yet done that leave the rack,
    pub leaving: u32,
    /// and that enter it. Racks joined by one link share both counts.
    pub entering: u32,
}

/// The cluster at one moment.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// By `NodeId`.
    pub nodes: &'a [NodeView],
    /// By `RackId`: its nodes in the order of ids, dead ones included.
    pub racks: &'a [Vec<NodeId>],
    /// `dfs.namenode.redundancy.considerLoad.factor`, or `None` where load is not considered.
    pub load_factor: Option<f64>,
    /// Sum of `xceivers` over nodes in service, and their number.
    pub load: (u64, u32),
    /// Nodes without a fresh heartbeat receive nothing (`dfs.namenode.avoid.write.stale.datanode`).
    pub avoid_stale: bool,
    /// By `RackId`; empty where nobody counts what crosses them.
    pub uplinks: &'a [Uplink],
}

impl<'a> View<'a> {
    pub fn node(&self, id: NodeId) -> &'a NodeView {
        &self.nodes[id.at()]
    }
    /// The rack of a node.
    pub fn rack(&self, id: NodeId) -> RackId {
        self.node(id).rack
    }
    /// May `id` receive a block of so many bytes now? (`isGoodDatanode` without its rack limit.)
    pub fn fitness(&self, id: NodeId, bytes: Bytes) -> Fitness {
        let node = self.node(id);
        if !node.in_service() || (self.avoid_stale && node.stale) || node.free < bytes {
            Fitness::Unfit
        } else if self.overloaded(node) {
            Fitness::Loaded
        } else {
            Fitness::Fit
        }
    }
    /// More transfer threads than the factor times the mean; nobody is where the mean is 0
    /// (`excludeNodeByLoad`).
    fn overloaded(&self, node: &NodeView) -> bool {
        let (sum, nodes) = self.load;
        let Some(factor) = self.load_factor else { return false };
        sum > 0 && nodes > 0 && f64::from(node.xceivers) > factor * sum as f64 / f64::from(nodes)
    }
    /// Does any live node of the rack stay? A rack of dead nodes is not in HDFS's topology, and one
    /// of nodes that are being decommissioned is not counted (`getNumOfNonEmptyRacks`, HDFS-16456).
    pub fn peopled(&self, rack: RackId) -> bool {
        self.racks[rack.at()].iter().any(|&id| self.node(id).alive && self.node(id).stays())
    }
    /// Racks that count, in the order of ids.
    pub fn peopled_racks(&self) -> impl Iterator<Item = RackId> + use<'a> {
        let view = *self;
        (0..u32_of(self.racks.len())).map(RackId).filter(move |&rack| view.peopled(rack))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fitness {
    Fit,
    /// All is well but its load: too many transfer threads for the moment.
    Loaded,
    /// Dead, on its way out, stale where stale nodes are avoided, or too full.
    Unfit,
}
