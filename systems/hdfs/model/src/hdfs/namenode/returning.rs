//! Nodes that return (`DatanodeManager.registerDatanode`), and the excess replicas that result.
use super::NameNode;
use crate::hdfs::messages::{Event, Record};
use cluster::{BlockIndex, NodeId};
use engine::{Context, Shared};

impl NameNode {
    /// A node registers again and reports its blocks.
    pub(super) fn handle_return(&mut self, node: NodeId, cx: &impl Context<Event, Record>) {
        self.undeclared = self.undeclared.saturating_sub(1);
        self.last_heartbeat.set(node.at(), cx.now());
        if self.nodes[node.at()].alive {
            // It was never declared dead. The timeout detects that its copies broke off.
            self.undeclared = self.undeclared.saturating_sub(1);
            return self.stop_if_done(cx);
        }
        let setup = Shared::clone(&self.setup);
        let xceivers = setup.cluster.nodes[node.at()].xceivers;
        self.nodes.update(node.at(), |n| {
            (n.alive, n.stale) = (true, false);
            (n.queued, n.sending, n.xceivers) = (0, 0, xceivers)
        });
        self.notify_balancer(Event::Serves(node, self.nodes[node.at()].in_service()), cx);
        if self.nodes[node.at()].in_service() {
            self.load = (self.load.0 + u64::from(xceivers), self.load.1 + 1)
        }
        for block in self.blocks_on(node) {
            self.update_and_trim(block, None, cx)
        }
        if setup.event_driven() {
            self.start_streams(cx)
        }
        self.stop_if_done(cx)
    }

    /// Deletes live replicas above the number that the file expects, whatever is in maintenance
    /// (`shouldProcessExtraRedundancy` of `getExpectedRedundancyNum`). It prefers a node whose rack
    /// holds another, then the one with the least free space
    /// (`BlockPlacementPolicyDefault.chooseReplicaToDelete`). After a move `(from, to)` it takes
    /// `from` first unless the racks forbid it. Deletion costs no I/O.
    pub(super) fn trim(
        &mut self,
        block: BlockIndex,
        mut moved: Option<(NodeId, NodeId)>,
        cx: &impl Context<Event, Record>,
    ) {
        loop {
            let most = self.setup.expected_replicas(block) as usize;
            if self.initial_replicas(block).count() + self.copies_of(block).count() <= most {
                return;
            }
            let holders = self.holders(block);
            if holders.live.len() <= most {
                return;
            }
            let rack = |id: NodeId| self.nodes[id.at()].rack;
            let alone =
                |id: NodeId| holders.live.iter().filter(|o| rack(**o) == rack(id)).count() < 2;
            let worst = |id: &NodeId| (alone(*id), self.nodes[id.at()].free, *id);
            let hinted = moved.take().and_then(|moved| self.choose_hinted(moved, &holders.live));
            let worst = || holders.live.iter().copied().min_by_key(worst);
            let node = hinted.or_else(worst).expect("more than wanted");
            self.delete_excess(block, node, self.setup.bytes(block));
            cx.record(Record::Removed { block, node });
            self.notify_balancer(Event::Replica(block, node, None), cx)
        }
    }
}
