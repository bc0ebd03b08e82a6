//! What the balancer moves, as the NameNode learns of it; and what it asks the NameNode.
use super::NameNode;
use crate::hdfs::messages::{Event, Order, Record};
use cluster::{NodeId, RackId};
use engine::Context;

impl NameNode {
    /// A moved replica has arrived (`blockReceivedAndDeleted` with a hint): the block has one more,
    /// and loses one only if that is too many. A block that is short keeps both.
    pub(super) fn received_move(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        for leg in order.legs() {
            self.received(leg, order.instead_of(), cx)
        }
    }

    /// `BlockPlacementPolicyDefault.useDelHint`: the hint is taken where another replica is on its
    /// rack, or where the new one is alone on its own: then no rack is lost.
    pub(super) fn hinted(&self, (from, to): (NodeId, NodeId), live: &[NodeId]) -> Option<NodeId> {
        let rack = |node: NodeId| self.nodes[node.at()].rack;
        let on = |r: RackId| live.iter().filter(|node| rack(**node) == r).count();
        let fits = on(rack(from)) > 1 || on(rack(to)) == 1;
        (live.contains(&from) && fits).then_some(from)
    }

    /// Whether the run lasts until the balancer has ended, which it has not.
    pub(super) fn waits_for_balancer(&self) -> bool {
        self.undeclared > 0 && self.setup.balancer.as_ref().is_some_and(|b| b.alone)
    }

    /// The balancer has ended. Where nothing else happens, that is what the run waits for.
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

    /// What the balancer would be told if it asked: it does so before each iteration, and here
    /// hears of what has changed since.
    pub(super) fn tell_balancer(&self, event: Event, cx: &impl Context<Event, Record>) {
        if let Some(to) = self.setup.lps.balancer.iter().next() {
            cx.tell(to, event)
        }
    }
}
