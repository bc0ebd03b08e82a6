//! Indices of nodes, racks, disks and blocks; the [`Cluster`](crate::Cluster) has their names.
use rewind::Scalar;

/// Index in `Cluster::nodes`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct NodeId(pub u32);

/// Index in `Cluster::racks`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct RackId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct DiskId(pub u16);

/// Index in the block map, not the real block id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct BlockIndex(pub u32);

/// # Panics
/// Above 2³² − 1; readers reject such inputs.
pub fn count32(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 nodes, racks, blocks and replicas")
}

impl NodeId {
    pub fn nth(place: usize) -> NodeId {
        NodeId(count32(place))
    }

    pub fn at(self) -> usize {
        self.0 as usize
    }
}

impl RackId {
    pub fn nth(place: usize) -> RackId {
        RackId(count32(place))
    }

    pub fn at(self) -> usize {
        self.0 as usize
    }
}

impl BlockIndex {
    pub fn at(self) -> usize {
        self.0 as usize
    }
}
