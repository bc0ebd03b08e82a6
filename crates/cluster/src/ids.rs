//! Small integers that name things; the names themselves stand in the [`Cluster`](crate::Cluster).
use rewind::Scalar;

/// A node's place in `Cluster::nodes`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct NodeId(pub u32);

/// A rack's place in `Cluster::racks`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct RackId(pub u32);

/// A disk's place in its node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct DiskId(pub u16);

/// A block's place in the block map (not its real id).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct BlockIndex(pub u32);

/// How many there are, or the place of one, as ids have it.
///
/// # Panics
/// More than 2³² − 1: readers refuse that many nodes, racks and blocks before.
pub fn count32(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 nodes, racks, blocks and replicas")
}

impl NodeId {
    /// The one at this place of `Cluster::nodes`.
    ///
    /// # Panics
    /// As [`count32`].
    pub fn nth(place: usize) -> NodeId {
        NodeId(count32(place))
    }

    /// As an index of `Cluster::nodes`.
    pub fn at(self) -> usize {
        self.0 as usize
    }
}

impl RackId {
    /// The one at this place of `Cluster::racks`.
    ///
    /// # Panics
    /// As [`count32`].
    pub fn nth(place: usize) -> RackId {
        RackId(count32(place))
    }

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
