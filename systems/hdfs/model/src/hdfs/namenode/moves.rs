//! The NameNode's side of the balancer.
use super::NameNode;
use crate::hdfs::messages::{Event, Order, Record};
use cluster::{NodeId, RackId};
use engine::Context;

impl NameNode {
    /// A moved replica has arrived (`blockReceivedAndDeleted` with a hint): the block loses another
    /// only if it then has too many. A block at risk keeps both.
    pub(super) fn received_move(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        for leg in order.legs() {
            self.receive_replica(leg, order.replaced_node(), cx)
        }
    }

    /// `BlockPlacementPolicyDefault.useDelHint`: deletes the hinted replica if no rack is lost:
    /// another replica is on its rack, or the new one is alone on its own.
    pub(super) fn choose_hinted(
        &self,
        (from, to): (NodeId, NodeId),
        live: &[NodeId],
    ) -> Option<NodeId> {
        let rack = |node: NodeId| self.nodes[node.at()].rack;
        let on = |r: RackId| live.iter().filter(|node| rack(**node) == r).count();
        let fits = on(rack(from)) > 1 || on(rack(to)) == 1;
        (live.contains(&from) && fits).then_some(from)
    }

    /// Whether the run lasts until the balancer ends.
    pub(super) fn waits_for_balancer(&self) -> bool {
        self.undeclared > 0 && self.setup.balancer.as_ref().is_some_and(|b| b.alone)
    }

    /// The balancer has ended; a run with nothing else ends, too.
    pub(super) fn balanced(&mut self, cx: &impl Context<Event, Record>) {
        if !self.waits_for_balancer() {
            return;
        }
        self.undeclared = 0;
        if self.setup.event_driven() {
            self.start_streams(cx)
        }
        self.stop_if_done(cx)
    }

    /// The real balancer queries the NameNode before each iteration; here it receives every change.
    pub(super) fn notify_balancer(&self, event: Event, cx: &impl Context<Event, Record>) {
        if let Some(to) = self.setup.lps.balancer.iter().next() {
            cx.notify(to, event)
        }
    }
}
