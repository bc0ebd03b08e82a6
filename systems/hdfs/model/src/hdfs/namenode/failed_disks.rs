//! A disk fails and its node lives (`HeartbeatManager.heartbeatCheck`, failed storages).
use super::NameNode;
use crate::hdfs::messages::{Event, Record};
use cluster::{BlockIndex, DiskId, NodeId};
use engine::{Context, Shared};
use units::Bytes;

impl NameNode {
    /// A node has reported a failed disk. Its blocks are processed at the next recheck, as those of
    /// dead nodes.
    pub(super) fn disk_lost(
        &mut self,
        node: NodeId,
        disk: DiskId,
        cx: &impl Context<Event, Record>,
    ) {
        self.failing.push_back((node, disk));
        if self.setup.event_driven() {
            self.remove_failed_disks(cx);
            self.start_streams(cx);
            self.stop_if_done(cx)
        }
    }

    pub(super) fn remove_failed_disks(&mut self, cx: &impl Context<Event, Record>) {
        while let Some((node, disk)) = self.failing.pop_front() {
            self.undeclared = self.undeclared.saturating_sub(1);
            self.failed.insert((node, disk), ());
            self.empty_without_disks(node);
            cx.record(Record::Declared(node));
            let setup = Shared::clone(&self.setup);
            let here = |block: &BlockIndex| {
                let replicas = setup.blocks.replicas(*block);
                replicas.iter().any(|r| (r.node, r.disk) == (node, disk))
            };
            let added = self.added.iter().filter(|(_, at)| **at == (node, disk));
            let added: Vec<BlockIndex> = added.map(|((block, _), _)| *block).collect();
            let held = setup.by_node.of(node).iter().copied().filter(here);
            let blocks: Vec<BlockIndex> = held.chain(added).collect();
            for &block in &blocks {
                self.notify_balancer(Event::Replica(block, node, None), cx)
            }
            self.add_needed(blocks.into_iter(), cx)
        }
    }

    /// A node whose disks have all failed has no space.
    fn empty_without_disks(&mut self, node: NodeId) {
        let disks = self.setup.resources().disks(node).max(1);
        if (0..disks).all(|disk| self.failed.contains(&(node, DiskId(disk)))) {
            self.nodes.update(node.at(), |n| n.free = Bytes(0))
        }
    }
}
