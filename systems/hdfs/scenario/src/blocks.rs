//! Location of blocks on nodes and disks, in columns: imported, or drawn from a seed.
use cluster::{BlockIndex, DiskId, NodeId, count32};
use units::Bytes;

/// State of a replica, by fsck's `-replicaDetails`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum ReplicaState {
    Live = 0,
    /// The checksum is wrong: not a source, to be deleted.
    Corrupt = 1,
    /// Above the block's replication: to be deleted.
    Excess = 2,
    /// On a decommissioning node: a source, but not counted.
    Decommissioning = 3,
    /// On a decommissioned node: not counted.
    Decommissioned = 4,
    /// On a node entering maintenance: a source, but not counted as live.
    EnteringMaintenance = 5,
    /// On a node in maintenance: not a source, not counted as live.
    InMaintenance = 6,
    /// On a node without recent heartbeats: counted, possibly lost.
    Stale = 7,
}

impl ReplicaState {
    /// Indexed by discriminant.
    pub const ALL: [ReplicaState; 8] = [
        ReplicaState::Live,
        ReplicaState::Corrupt,
        ReplicaState::Excess,
        ReplicaState::Decommissioning,
        ReplicaState::Decommissioned,
        ReplicaState::EnteringMaintenance,
        ReplicaState::InMaintenance,
        ReplicaState::Stale,
    ];
}

/// A replica, or one internal block of an erasure-coded group. 8 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replica {
    pub node: NodeId,
    pub disk: DiskId,
    pub state: ReplicaState,
    /// Erasure-coded: index of the internal block (its id − the group's id); else 0.
    pub index: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Redundancy {
    Replicated(u16),
    /// One group of `data` + `parity` internal blocks.
    ErasureCoded {
        data: u8,
        parity: u8,
    },
}

/// All blocks, one row each; the replicas of block i are `replica[first[i]..first[i + 1]]`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BlockMap {
    /// HDFS block id; negative for an erasure-coded group.
    pub id: Vec<i64>,
    /// Length of the block, or of the entire group \[bytes\].
    pub bytes: Vec<u64>,
    pub redundancy: Vec<Redundancy>,
    /// One longer than `id`.
    pub first: Vec<u32>,
    /// In storage order, in which the NameNode scans replicas.
    pub replica: Vec<Replica>,
}

impl BlockMap {
    pub fn len(&self) -> u32 {
        count32(self.id.len())
    }
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }
    pub fn replicas(&self, block: BlockIndex) -> &[Replica] {
        &self.replica[self.first[block.at()] as usize..self.first[block.at() + 1] as usize]
    }
    pub fn bytes(&self, block: BlockIndex) -> Bytes {
        Bytes(self.bytes[block.at()])
    }
    pub fn push(&mut self, id: i64, bytes: u64, redundancy: Redundancy, replicas: &[Replica]) {
        if self.first.is_empty() {
            self.first.push(0)
        }
        self.id.push(id);
        self.bytes.push(bytes);
        self.redundancy.push(redundancy);
        self.replica.extend_from_slice(replicas);
        self.first.push(count32(self.replica.len()))
    }
}
