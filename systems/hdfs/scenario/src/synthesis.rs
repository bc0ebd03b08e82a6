//! What is known of blocks that no input lists: how many each node holds, and how much.
use crate::{Blocks, Scenario};
use cluster::{Admin, NodeId};
use std::collections::BTreeSet;
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

    /// Concerned blocks are drawn if they are at most one of so many.
    const PART: u64 = 4;

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

impl Scenario {
    /// The nodes that events name or that are leaving already, where only the blocks on them are
    /// drawn (and those that are short already); `None` where all blocks are.
    pub fn concerned(&self) -> Option<Vec<NodeId>> {
        let named = self.events.iter().filter_map(|event| event.kind.node());
        match &self.blocks {
            Blocks::Drawn(workload) => workload.concerned_only.then(|| in_order(named)),
            Blocks::Synthesised(s) => {
                let all = in_order(named.chain(self.leaving()));
                let few = || s.on(&all).saturating_mul(Synthesis::PART) <= s.blocks + s.groups;
                (s.concerned && self.balancer.is_none() && few()).then_some(all)
            }
            Blocks::Parquet { .. } | Blocks::Given(_) => None,
        }
    }

    /// Nodes whose blocks are being copied from the first moment on. Who has left, or rests, has
    /// nothing that waits for it.
    fn leaving(&self) -> impl Iterator<Item = NodeId> {
        let leaves =
            |admin: Admin| matches!(admin, Admin::Decommissioning | Admin::EnteringMaintenance);
        let nodes = self.cluster.nodes.iter().zip(0..);
        nodes.filter(move |(node, _)| leaves(node.admin)).map(|(_, at)| NodeId(at))
    }
}

fn in_order(nodes: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
    nodes.collect::<BTreeSet<NodeId>>().into_iter().collect()
}
