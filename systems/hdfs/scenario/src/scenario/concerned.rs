//! The nodes that a scenario concerns, where only their blocks are drawn.
use super::{Blocks, Scenario};
use cluster::{Admin, NodeId};
use std::collections::BTreeSet;

/// Concerned blocks are drawn if they are at most one of so many.
const PART: u64 = 4;

impl Scenario {
    /// The nodes that events name or that are leaving already, where only the blocks on them are
    /// drawn (and those that are short already); `None` where all blocks are.
    pub fn concerned(&self) -> Option<Vec<NodeId>> {
        let named = self.events.iter().filter_map(|event| event.kind.node());
        match &self.blocks {
            Blocks::Drawn(workload) => workload.concerned_only.then(|| in_order(named)),
            Blocks::Synthesised(s) => {
                let all = in_order(named.chain(self.leaving()));
                let few = || s.on(&all).saturating_mul(PART) <= s.blocks + s.groups;
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
