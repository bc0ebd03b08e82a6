//! Nodes whose blocks are drawn, if a scenario draws only a part of the block map.
use super::{Blocks, Scenario};
use cluster::{Admin, NodeId};
use std::collections::BTreeSet;

/// Only concerned blocks are drawn if they are at most 1/`PART` of all.
const PART: u64 = 4;

impl Scenario {
    /// Nodes named by events or already leaving, if only their blocks and blocks with missing
    /// replicas are drawn. `None`: all blocks are drawn.
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

    /// Nodes whose blocks are copied from the start. Decommissioned nodes and nodes in maintenance
    /// have no pending copies.
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
