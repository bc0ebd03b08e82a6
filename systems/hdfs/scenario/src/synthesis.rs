//! Block counts of an imported cluster without a list of blocks.
use cluster::NodeId;
use units::Bytes;

/// Blocks whose map is drawn from the seed at run time, to match the NameNode's JMX counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Synthesis {
    pub blocks: u64,
    /// Blocks with missing or pending replicas; 0: all are safe.
    pub under_replicated: u64,
    pub groups: u64,
    /// Data and parity units of a group.
    pub coded: (u8, u8),
    /// By `NodeId`.
    pub held: Vec<NodeContent>,
    /// The complete map is too large: only blocks that events concern are drawn, if they are the
    /// smaller part.
    pub concerned: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NodeContent {
    pub blocks: u64,
    /// On its disks, including checksums (JMX: `used`).
    pub used: Bytes,
}

impl Synthesis {
    /// Replicas above which only a part is drawn where possible: drawing more takes longer than a
    /// run.
    pub const WHOLE: u64 = 3_000_000;

    pub fn replicas(&self) -> u64 {
        self.held.iter().map(|held| held.blocks).sum()
    }

    /// Upper bound of the blocks on these nodes or with missing replicas.
    pub fn on(&self, nodes: &[NodeId]) -> u64 {
        let held = |node: &NodeId| self.held.get(node.at()).map_or(0, |held| held.blocks);
        nodes.iter().map(held).sum::<u64>() + self.under_replicated
    }
}
