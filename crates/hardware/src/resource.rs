//! One thing that can limit a transfer: a disk, a NIC, a link, a setting.
use cluster::{DiskId, NodeId, RackId};
use rewind::Scalar;

/// Dense from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct ResourceId(pub u32);

impl ResourceId {
    pub fn at(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a resource, without its place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Kind {
    /// A disk whose reads and writes share one budget.
    Disk,
    DiskRead,
    DiskWrite,
    /// From a node to its rack's switch.
    NicOut,
    /// From the rack's switch to a node.
    NicIn,
    /// From a rack to the core.
    UplinkOut,
    /// From the core to a rack.
    UplinkIn,
    /// The one link that joins two racks, both ways together.
    InterRackLink,
    /// A setting's limit of the copies that a node sends.
    CopyLimit,
    /// A setting's limit of the balancer's moves that a node sends and receives, in total.
    BalanceLimit,
}

/// A resource and its place; see [`Kind`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Resource {
    Disk(NodeId, DiskId),
    DiskRead(NodeId, DiskId),
    DiskWrite(NodeId, DiskId),
    NicOut(NodeId),
    NicIn(NodeId),
    UplinkOut(RackId),
    UplinkIn(RackId),
    InterRackLink,
    CopyLimit(NodeId),
    BalanceLimit(NodeId),
}

impl Resource {
    pub fn kind(&self) -> Kind {
        match self {
            Resource::Disk(..) => Kind::Disk,
            Resource::DiskRead(..) => Kind::DiskRead,
            Resource::DiskWrite(..) => Kind::DiskWrite,
            Resource::NicOut(_) => Kind::NicOut,
            Resource::NicIn(_) => Kind::NicIn,
            Resource::UplinkOut(_) => Kind::UplinkOut,
            Resource::UplinkIn(_) => Kind::UplinkIn,
            Resource::InterRackLink => Kind::InterRackLink,
            Resource::CopyLimit(_) => Kind::CopyLimit,
            Resource::BalanceLimit(_) => Kind::BalanceLimit,
        }
    }
    /// `None` for what joins racks.
    pub fn node(&self) -> Option<NodeId> {
        match *self {
            Resource::Disk(node, _)
            | Resource::DiskRead(node, _)
            | Resource::DiskWrite(node, _) => Some(node),
            Resource::NicOut(node) | Resource::NicIn(node) => Some(node),
            Resource::CopyLimit(node) | Resource::BalanceLimit(node) => Some(node),
            _ => None,
        }
    }
    pub fn disk(&self) -> Option<DiskId> {
        match *self {
            Resource::Disk(_, disk)
            | Resource::DiskRead(_, disk)
            | Resource::DiskWrite(_, disk) => Some(disk),
            _ => None,
        }
    }
    pub fn rack(&self) -> Option<RackId> {
        match *self {
            Resource::UplinkOut(rack) | Resource::UplinkIn(rack) => Some(rack),
            _ => None,
        }
    }
}
