//! Holders of blocks as the balancer knows them, as `getBlocks` would return: the map at the start
//! and the NameNode's messages since.
use super::balancing::used_bytes;
use crate::hdfs::setup::{Setup, counts};
use cluster::{BlockIndex, DiskId, NodeId};
use engine::{Array, Rewind, Shared, Table};

#[derive(Rewind)]
pub struct KnownReplicas {
    setup: Shared<Setup>,
    /// Whether the NameNode knows a node as live and in service.
    serving: Array<bool>,
    /// Bytes of each node's blocks.
    used: Array<u64>,
    /// Replicas made since the start.
    added: Table<(BlockIndex, NodeId), DiskId>,
    added_to: Table<(NodeId, BlockIndex), ()>,
    /// Deleted replicas.
    deleted: Table<(BlockIndex, NodeId), ()>,
}

impl KnownReplicas {
    /// O(replicas).
    pub fn new(setup: Shared<Setup>) -> KnownReplicas {
        let serves = setup.cluster.nodes.iter().map(takes_part).collect();
        let used = used_bytes(&setup.blocks, setup.cluster.nodes.len()).into_iter().collect();
        let (added, added_to, gone) = (Table::new(), Table::new(), Table::new());
        KnownReplicas { setup, serving: serves, used, added, added_to, deleted: gone }
    }

    pub fn is_serving(&self, node: NodeId) -> bool {
        self.serving[node.at()]
    }

    /// Bytes of blocks.
    pub fn used(&self, node: NodeId) -> u64 {
        self.used[node.at()]
    }

    pub fn set_serving(&mut self, node: NodeId, serves: bool) {
        self.serving.set(node.at(), serves)
    }

    pub fn add(&mut self, block: BlockIndex, node: NodeId, disk: DiskId) {
        if !self.added.insert((block, node), disk) {
            return;
        }
        self.added_to.insert((node, block), ());
        let bytes = self.setup.held_bytes(block).0;
        self.used.update(node.at(), |used| *used += bytes)
    }

    pub fn remove(&mut self, block: BlockIndex, node: NodeId) {
        if !self.deleted.contains(&(block, node)) {
            self.deleted.insert((block, node), ());
            let bytes = self.setup.held_bytes(block).0;
            self.used.update(node.at(), |used| *used = used.saturating_sub(bytes))
        }
    }

    /// Live replicas with their disks, in storage order.
    pub fn holders(&self, block: BlockIndex) -> Vec<(NodeId, DiskId)> {
        let at_start = self.setup.blocks.replicas(block).iter().filter(|r| counts(r.state));
        let at_start = at_start.map(|r| (r.node, r.disk));
        let all = (block, NodeId(0))..=(block, NodeId(u32::MAX));
        let added = self.added.range(all).map(|(&(_, node), &disk)| (node, disk));
        let here = |&(node, _): &(NodeId, DiskId)| {
            self.is_serving(node) && !self.deleted.contains(&(block, node))
        };
        at_start.chain(added).filter(here).collect()
    }

    /// Whether a node holds or has held a block: the NameNode would then not count another on it.
    pub fn has_block(&self, node: NodeId, block: BlockIndex) -> bool {
        let at_start = self.setup.blocks.replicas(block).iter().any(|r| r.node == node);
        at_start || self.added.contains(&(block, node))
    }

    /// Disk by disk, then those added since.
    pub fn blocks_of(&self, node: NodeId) -> Vec<BlockIndex> {
        let all = (node, BlockIndex(0))..=(node, BlockIndex(u32::MAX));
        let added = self.added_to.range(all).map(|((_, block), ())| *block);
        let held = self.setup.by_node.of(node).iter().copied().chain(added);
        let here = |block: &BlockIndex| !self.deleted.contains(&(*block, node));
        held.filter(here).filter(|block| self.setup.is_replicated(*block)).collect()
    }
}

fn takes_part(node: &cluster::Node) -> bool {
    node.alive && node.admin == cluster::Admin::InService
}
