//! The cluster as a policy sees it.
use cluster::{Admin, NodeId, RackId};
use rewind::Scalar;
use units::{Bytes, u32_of};

/// One DataNode, as the NameNode knows it now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct NodeView {
    pub rack: RackId,
    /// Not declared dead.
    pub alive: bool,
    /// No heartbeat for a while (`dfs.namenode.stale.datanode.interval`).
    pub stale: bool,
    /// [`Admin`] as a number.
    pub admin: u8,
    /// Free space for HDFS, less blocks scheduled to arrive.
    pub free: Bytes,
    /// Transfer threads in its last heartbeat.
    pub xceivers: u32,
    /// Copies ordered that no heartbeat has fetched yet
    /// (`DatanodeDescriptor.getNumberOfBlocksToBeReplicated`).
    pub queued: u32,
    pub sending: u32,
    /// Copies under way to it.
    pub receiving: u32,
}

impl NodeView {
    /// A live, idle node in service.
    pub fn new(rack: RackId, free: Bytes) -> NodeView {
        let admin = Admin::InService as u8;
        let (stale, xceivers, queued, sending, receiving) = (false, 0, 0, 0, 0);
        NodeView { rack, alive: true, stale, admin, free, xceivers, queued, sending, receiving }
    }
    /// Alive and not leaving: may receive (`DatanodeInfo.isInService`).
    pub fn in_service(&self) -> bool {
        self.alive && self.admin == Admin::InService as u8
    }
    /// Neither decommissioning nor decommissioned: its replicas count for the racks, even in
    /// maintenance.
    pub fn stays(&self) -> bool {
        let left = [Admin::Decommissioning, Admin::Decommissioned];
        left.iter().all(|admin| self.admin != *admin as u8)
    }
    /// Decommissioning or entering maintenance.
    pub fn leaving(&self) -> bool {
        self.admin == Admin::Decommissioning as u8 || self.admin == Admin::EnteringMaintenance as u8
    }
}

/// Connection of a rack to the other racks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Uplink {
    /// Copies that keep it full, in each direction; at least 1.
    pub carries: u32,
    /// Copies decided and not finished that leave the rack.
    pub leaving: u32,
    /// The same for copies that enter it. Racks joined by one link share both counts.
    pub entering: u32,
}

#[derive(Clone, Copy)]
pub struct View<'a> {
    /// Indexed by `NodeId`.
    pub nodes: &'a [NodeView],
    /// Indexed by `RackId`: the rack's nodes in the order of ids, dead ones included.
    pub racks: &'a [Vec<NodeId>],
    /// `dfs.namenode.redundancy.considerLoad.factor`; `None`: load is not considered.
    pub load_factor: Option<f64>,
    /// Sum of `xceivers` over nodes in service, and the number of these nodes.
    pub load: (u64, u32),
    /// Stale nodes receive nothing (`dfs.namenode.avoid.write.stale.datanode`).
    pub avoid_stale: bool,
    /// Indexed by `RackId`; empty if the model does not count copies per uplink.
    pub uplinks: &'a [Uplink],
}

impl<'a> View<'a> {
    pub fn node(&self, id: NodeId) -> &'a NodeView {
        &self.nodes[id.at()]
    }
    pub fn rack(&self, id: NodeId) -> RackId {
        self.node(id).rack
    }
    /// Whether `id` may receive `bytes` now (`isGoodDatanode` without its rack limit).
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
    /// More transfer threads than the factor times the mean (`excludeNodeByLoad`); no node is if
    /// the mean is 0.
    fn overloaded(&self, node: &NodeView) -> bool {
        let (sum, nodes) = self.load;
        let Some(factor) = self.load_factor else { return false };
        sum > 0 && nodes > 0 && f64::from(node.xceivers) > factor * sum as f64 / f64::from(nodes)
    }
    /// Whether a live node of the rack [stays](NodeView::stays). HDFS's topology drops racks of
    /// dead nodes, and HDFS-16456 does not count racks of decommissioning nodes
    /// (`getNumOfNonEmptyRacks`).
    pub fn is_populated(&self, rack: RackId) -> bool {
        self.racks[rack.at()].iter().any(|&id| self.node(id).alive && self.node(id).stays())
    }
    /// Racks that are [populated](View::is_populated), in the order of ids.
    pub fn populated_racks(&self) -> impl Iterator<Item = RackId> + use<'a> {
        let view = *self;
        (0..u32_of(self.racks.len())).map(RackId).filter(move |&rack| view.is_populated(rack))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fitness {
    Fit,
    /// Fit except for its load: too many transfer threads now.
    Loaded,
    /// Dead, leaving, too full, or stale if stale nodes are avoided.
    Unfit,
}
