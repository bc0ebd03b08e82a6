//! What is known of blocks that no input lists: how many each node holds, and how much.
use cluster::NodeId;
use units::Bytes;

/// Blocks whose map is drawn at run time, from the seed, to match what the NameNode's JMX counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Synthesis {
    pub blocks: u64,
    /// Of these, short of a replica already, or with one on its way (0 where all are safe).
    pub under_replicated: u64,
    pub groups: u64,
    /// Data and parity units of a group.
    pub coded: (u8, u8),
    /// By `NodeId`.
    pub held: Vec<Held>,
    /// The whole map is too much: only the blocks that events concern are drawn, where they are
    /// the smaller part.
    pub concerned: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Held {
    /// Replicas and internal blocks (JMX: `numBlocks`).
    pub blocks: u64,
    /// On its disks, checksums included (JMX: `used`).
    pub used: Bytes,
}

impl Synthesis {
    /// A map of more replicas is too much where a part will do: to draw it takes longer than a run.
    pub const WHOLE: u64 = 3_000_000;

    /// Replicas and internal blocks of all nodes.
    pub fn replicas(&self) -> u64 {
        self.held.iter().map(|held| held.blocks).sum()
    }

    /// Blocks that are on these nodes or short, at most.
    pub fn on(&self, nodes: &[NodeId]) -> u64 {
        let held = |node: &NodeId| self.held.get(node.at()).map_or(0, |held| held.blocks);
        nodes.iter().map(held).sum::<u64>() + self.under_replicated
    }
}
