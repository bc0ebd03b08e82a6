//! What is known of blocks that no input lists: how many each node holds, and how much.
use units::Bytes;

/// Blocks whose map is drawn at run time, from the seed, to match what the NameNode's JMX counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Synthesis {
    /// Replicated blocks.
    pub blocks: u64,
    /// Of these, short of a replica already, or with one on its way (0 where all are safe).
    pub under_replicated: u64,
    /// Erasure-coded groups.
    pub groups: u64,
    /// Data and parity units of a group.
    pub coded: (u8, u8),
    /// By `NodeId`.
    pub held: Vec<Held>,
}

/// What a node holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Held {
    /// Replicas and internal blocks (JMX: `numBlocks`).
    pub blocks: u64,
    /// On its disks, checksums included (JMX: `used`).
    pub used: Bytes,
}

impl Synthesis {
    /// Replicas and internal blocks of all nodes.
    pub fn replicas(&self) -> u64 {
        self.held.iter().map(|held| held.blocks).sum()
    }
}
