//! Small integers that name things; the names themselves stand in the [`Cluster`](crate::Cluster).
use rewind::Scalar;

/// A DataNode's place in `Cluster::nodes`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct NodeId(pub u32);

/// A rack's place in `Cluster::racks`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct RackId(pub u32);

/// A disk's place in its node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct DiskId(pub u16);

/// A block's place in the block map (not HDFS's block id).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct BlockIndex(pub u32);

impl NodeId {
    /// As an index of `Cluster::nodes`.
    pub fn at(self) -> usize {
        self.0 as usize
    }
}

impl RackId {
    /// As an index of `Cluster::racks`.
    pub fn at(self) -> usize {
        self.0 as usize
    }
}

impl BlockIndex {
    /// As an index of the block map's columns.
    pub fn at(self) -> usize {
        self.0 as usize
    }
}
