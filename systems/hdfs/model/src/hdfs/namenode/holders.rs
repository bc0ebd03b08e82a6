//! Present holders of a block: the map at the start without dead nodes, plus copies since.
use super::{NameNode, view};
use crate::hdfs::{
    messages::CopyId,
    setup::{counts, held, readable},
};
use cluster::{Admin, BlockIndex, DiskId, NodeId};
use hdfs_policy::placement;
use hdfs_scenario::Replica;
use units::Bytes;

#[derive(Default)]
pub(super) struct Holders {
    /// Live replicas, in storage order.
    pub live: Vec<NodeId>,
    /// Nodes that count for the racks: live ones, and those in maintenance
    /// (`getBlockPlacementStatus`: "Nodes under maintenance should be counted as valid replicas").
    pub spread: Vec<NodeId>,
    /// Readable replicas (live, or on leaving nodes) and their disks.
    pub readable: Vec<(NodeId, DiskId)>,
    /// Targets of copies under way.
    pub coming: Vec<NodeId>,
    /// Nodes that hold or will receive it, in any state.
    pub taken: Vec<NodeId>,
}

impl Holders {
    fn clear(&mut self) {
        let Holders { live, spread, readable, coming, taken } = self;
        [live, spread, coming, taken].into_iter().for_each(Vec::clear);
        readable.clear()
    }
}

impl NameNode {
    pub(super) fn holders(&self, block: BlockIndex) -> Holders {
        let mut found = Holders::default();
        self.find_holders(block, &mut found);
        found
    }

    /// As `holders`, but reuses the lists of `found`: a scan of millions of mostly safe blocks
    /// allocates nothing.
    pub(super) fn find_holders(&self, block: BlockIndex, found: &mut Holders) {
        found.clear();
        for r in self.initial_replicas(block) {
            let node = &self.nodes[r.node.at()];
            if !node.alive {
                continue;
            }
            found.taken.push(r.node);
            if counts(r.state) && node.in_service() {
                found.live.push(r.node)
            }
            if held(r.state) && node.stays() {
                found.spread.push(r.node)
            }
            if readable(r.state) && (node.in_service() || node.leaving()) {
                found.readable.push((r.node, r.disk))
            }
        }
        for (_, (node, disk)) in self.copies_of(block) {
            let view = &self.nodes[node.at()];
            if view.alive {
                found.taken.push(node);
                found.readable.push((node, disk));
                if view.in_service() {
                    found.live.push(node)
                }
                if view.stays() {
                    found.spread.push(node)
                }
            }
        }
        let all_copies = (block, CopyId(0))..=(block, CopyId(u32::MAX));
        for ((_, copy), ()) in self.pending_of.range(all_copies) {
            let target = self.pending.get(copy).expect("a pending copy").leg.target;
            found.coming.push(target);
            found.taken.push(target)
        }
    }

    /// Whether a live node holds a block or will receive it, in any state.
    pub(super) fn is_held_or_pending(&self, block: BlockIndex, node: NodeId) -> bool {
        let mut held = self.initial_replicas(block).map(|r| r.node);
        let mut made = self.copies_of(block).map(|(_, at)| at.0);
        let is_it = |holder: NodeId| holder == node;
        let holds = self.nodes[node.at()].alive && (held.any(is_it) || made.any(is_it));
        holds || self.find_pending(block, node).is_some()
    }

    /// Replicas of the map at the start that were neither deleted as excess nor lost with their
    /// disk.
    pub(super) fn initial_replicas(&self, block: BlockIndex) -> impl Iterator<Item = &Replica> {
        let here = move |r: &&Replica| {
            let is_gone = self.removed.contains(&(block, r.node));
            !is_gone && !self.failed.contains(&(r.node, r.disk))
        };
        self.setup.blocks.replicas(block).iter().filter(here)
    }

    /// Replicas made in this run, on working disks.
    pub(super) fn copies_of(
        &self,
        block: BlockIndex,
    ) -> impl Iterator<Item = (CopyId, (NodeId, DiskId))> {
        let all = (block, CopyId(0))..=(block, CopyId(u32::MAX));
        let copies = self.added.range(all).map(|(&(_, copy), &at)| (copy, at));
        copies.filter(|(_, at)| !self.failed.contains(at))
    }

    /// Blocks with a replica on a node, the newest first: copies, then the map at the start.
    pub(super) fn blocks_on(&self, node: NodeId) -> Vec<BlockIndex> {
        let copied = self.added.iter().filter(|(_, at)| at.0 == node).map(|((b, _), _)| *b);
        let copied: Vec<BlockIndex> = copied.collect();
        copied.into_iter().rev().chain(self.setup.by_node.of(node).iter().copied()).collect()
    }

    /// Deletes an excess replica and frees its space. The node may receive the block again later.
    pub(super) fn delete_excess(&mut self, block: BlockIndex, node: NodeId, bytes: Bytes) {
        let made = self.copies_of(block).find(|(_, at)| at.0 == node);
        match made.map(|(copy, _)| copy) {
            Some(copy) => drop(self.added.discard(&(block, copy))),
            None => drop(self.removed.insert((block, node), ())),
        }
        self.nodes.update(node.at(), |n| n.free += bytes)
    }

    /// Replicas or internal blocks required in service. Each one held in maintenance or entering it
    /// replaces one, down to the minimum (`getExpectedLiveRedundancyNum`).
    pub(super) fn required_replicas(&self, block: BlockIndex) -> u16 {
        let at_start = self.initial_replicas(block).filter(|r| held(r.state)).map(|r| r.node);
        let holders = at_start.chain(self.copies_of(block).map(|(_, at)| at.0));
        let resting = holders.filter(|node| self.rests(*node)).count();
        let resting = u16::try_from(resting).unwrap_or(u16::MAX);
        self.setup
            .expected_replicas(block)
            .saturating_sub(resting)
            .max(self.setup.needed_to_read(block))
    }

    /// Whether a live node is in maintenance or entering it.
    fn rests(&self, node: NodeId) -> bool {
        let node = &self.nodes[node.at()];
        let admin = |admin: Admin| node.admin == admin as u8;
        node.alive && (admin(Admin::InMaintenance) || admin(Admin::EnteringMaintenance))
    }

    /// Whether nothing needs to be decided: the block is safe, or will be after the copies under
    /// way (`hasEnoughEffectiveReplicas`).
    pub(super) fn has_enough_replicas(&self, block: BlockIndex, holders: &Holders) -> bool {
        let coming = holders.coming.len();
        let effective = holders.live.len() + coming;
        let coming_is = coming > 0 && effective >= self.required_replicas(block) as usize;
        coming_is || self.is_safe(block, holders)
    }

    /// Enough live replicas, on enough racks.
    pub(super) fn is_safe(&self, block: BlockIndex, holders: &Holders) -> bool {
        if let Some(group) = self.group(block) {
            return self.is_group_safe(&group);
        }
        // Fast path: most of millions of blocks have all replicas.
        let (live, most) = (holders.live.len(), self.setup.expected_replicas(block).max(1).into());
        let view = view(&self.setup, &self.nodes, self.load, &self.traffic);
        (live >= most || live >= self.required_replicas(block) as usize)
            && placement::rack_rule_met(&holders.spread, view, self.setup.expected_replicas(block))
    }
}
