//! Which node and disk holds which block: plain columns, made by an import or drawn.
use cluster::{BlockIndex, DiskId, NodeId, count32};
use units::Bytes;

/// How a replica counts (fsck's `-replicaDetails`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum ReplicaState {
    Live = 0,
    /// Its checksum is wrong: no source, to be deleted.
    Corrupt = 1,
    /// One too many: to be deleted.
    Excess = 2,
    /// On a decommissioning node: a source, does not count.
    Decommissioning = 3,
    /// On a decommissioned node: does not count.
    Decommissioned = 4,
    /// On a node entering maintenance: a source, does not count as live.
    EnteringMaintenance = 5,
    /// On a node in maintenance: no source, does not count as live.
    InMaintenance = 6,
    /// On a node without recent heartbeats: counts, may be gone.
    Stale = 7,
}

impl ReplicaState {
    /// All of them, each at the place of its number.
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

/// One replica, or one internal block of an erasure-coded group. 8 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replica {
    pub node: NodeId,
    /// On which of its disks.
    pub disk: DiskId,
    pub state: ReplicaState,
    /// Erasure-coded: index of the internal block (its id − the group's id); else 0.
    pub index: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Redundancy {
    /// `n` whole replicas.
    Replicated(u16),
    /// A group of `data` + `parity` internal blocks.
    ErasureCoded {
        /// k of RS-k-m.
        data: u8,
        /// m of RS-k-m.
        parity: u8,
    },
}

/// All blocks, in columns of one row a block; replicas of block i stand at `first[i]..first[i +
/// 1]`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BlockMap {
    /// HDFS's block id (negative: an erasure-coded group).
    pub id: Vec<i64>,
    /// Length of the block, or of the whole group \[bytes\].
    pub bytes: Vec<u64>,
    pub redundancy: Vec<Redundancy>,
    /// One longer than `id`.
    pub first: Vec<u32>,
    /// All replicas, block by block, in storage order (the order in which the NameNode looks at
    /// them).
    pub replica: Vec<Replica>,
}

impl BlockMap {
    pub fn len(&self) -> u32 {
        count32(self.id.len())
    }
    /// Whether there is no block.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }
    /// The replicas of a block.
    pub fn replicas(&self, block: BlockIndex) -> &[Replica] {
        &self.replica[self.first[block.at()] as usize..self.first[block.at() + 1] as usize]
    }
    /// A block's length.
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
