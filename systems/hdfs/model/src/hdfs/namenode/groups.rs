//! Holders of the internal blocks of an erasure-coded group, and what it lacks.
use super::{NameNode, low_redundancy, view};
use crate::hdfs::{
    setup::{counts, held, readable},
    striped::Code,
};
use cluster::{Admin, BlockIndex, DiskId, NodeId};
use hdfs_policy::placement;
use hdfs_scenario::ReplicaState;
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug)]
pub(super) struct Internal {
    pub node: NodeId,
    pub disk: DiskId,
    pub index: u8,
    /// On a node in service.
    pub live: bool,
    /// Live, or on a leaving node.
    pub readable: bool,
    /// Not on a decommissioning or decommissioned node: counts for the racks, even in maintenance.
    pub stays: bool,
}

pub(super) struct Group {
    pub code: Code,
    /// In storage order.
    pub internal: Vec<Internal>,
    /// Internal blocks under way.
    pub coming: usize,
    /// Nodes that hold or will receive one, in any state.
    pub taken: Vec<NodeId>,
    /// Internal blocks required in service.
    pub wanted: usize,
}

impl Group {
    pub(super) fn live(&self) -> BTreeSet<u8> {
        self.internal.iter().filter(|i| i.live).map(|i| i.index).collect()
    }

    /// In storage order.
    pub(super) fn live_nodes(&self) -> Vec<NodeId> {
        self.internal.iter().filter(|i| i.live).map(|i| i.node).collect()
    }

    /// Nodes that count for the racks, even in maintenance (`getBlockPlacementStatus`).
    pub(super) fn staying(&self) -> Vec<NodeId> {
        self.internal.iter().filter(|i| i.stays).map(|i| i.node).collect()
    }

    /// Nodes that count for the racks but are not in service.
    pub(super) fn resting(&self) -> impl Iterator<Item = NodeId> + use<'_> {
        self.internal.iter().filter(|i| i.stays && !i.live).map(|i| i.node)
    }

    /// Live internal blocks with a second live copy, in storage order.
    pub(super) fn doubles(&self) -> impl Iterator<Item = &Internal> + use<'_> {
        let live = || self.internal.iter().filter(|i| i.live);
        live().filter(move |i| live().filter(|o| o.index == i.index).count() > 1)
    }

    pub(super) fn readable(&self) -> BTreeSet<u8> {
        self.internal.iter().filter(|i| i.readable).map(|i| i.index).collect()
    }

    /// Indices without a readable copy, ascending.
    pub(super) fn missing_indices(&self) -> Vec<u8> {
        let held = self.readable();
        self.code.indices().filter(|index| !held.contains(index)).collect()
    }

    /// Readable blocks that only leaving nodes hold, one per index, in storage order.
    pub(super) fn leaving(&self) -> Vec<Internal> {
        let mut held = self.live();
        let only = self.internal.iter().filter(|i| i.readable && !i.live);
        only.filter(|i| held.insert(i.index)).copied().collect()
    }
}

impl NameNode {
    /// `None` if the block is replicated.
    pub(super) fn group(&self, block: BlockIndex) -> Option<Group> {
        let code = self.setup.code(block)?;
        let holders = self.holders(block);
        let at_start = self.initial_replicas(block).map(|r| (r.node, r.disk, r.index, r.state));
        let made = self.copies_of(block).map(|(copy, (node, disk))| {
            let index = self.striped.index.get(&copy).copied().expect("a copy of a group");
            (node, disk, index, ReplicaState::Live)
        });
        let internal = at_start
            .chain(made)
            .filter(|&(node, ..)| self.nodes[node.at()].alive)
            .filter(|&(_, _, index, state)| code.has(index) && held(state))
            .map(|(node, disk, index, state)| {
                let view = &self.nodes[node.at()];
                let live = counts(state) && view.in_service();
                let readable = live || readable(state) && (view.in_service() || view.leaving());
                Internal { node, disk, index, live, readable, stays: view.stays() }
            });
        Some(Group {
            code,
            internal: internal.collect(),
            coming: holders.coming.len(),
            taken: holders.taken,
            wanted: usize::from(self.required_replicas(block)),
        })
    }

    /// As `has_enough_replicas` for replicas: internal blocks under way count if the group then has
    /// enough.
    pub(super) fn has_enough_blocks(&self, group: &Group) -> bool {
        let coming_is = group.coming > 0 && group.live().len() + group.coming >= group.wanted;
        coming_is || self.is_group_safe(group)
    }

    /// Enough internal blocks in service, on enough racks.
    pub(super) fn is_group_safe(&self, group: &Group) -> bool {
        group.live().len() >= group.wanted && self.is_spread(group.code, &group.staying())
    }

    pub(super) fn is_spread(&self, code: Code, staying: &[NodeId]) -> bool {
        let view = view(&self.setup, &self.nodes, self.load, &self.traffic);
        placement::fault_tolerant_rule_met(staying, view, usize::from(code.total()))
    }

    /// Its queue (`getPriorityStriped`): by internal blocks in service or under way above the
    /// required number.
    pub(super) fn group_level(&self, group: &Group) -> u8 {
        let live = group.live();
        let out_of_service: BTreeSet<u8> =
            group.internal.iter().map(|i| i.index).filter(|i| !live.contains(i)).collect();
        let Code { parity, .. } = group.code;
        low_redundancy::group_level(
            live.len() + group.coming,
            out_of_service.len(),
            usize::from(group.code.real_data()),
            usize::from(parity),
            group.wanted,
        )
    }

    pub(super) fn is_decommissioning(&self, node: NodeId) -> bool {
        self.nodes[node.at()].admin == Admin::Decommissioning as u8
    }
}
