//! Detection of dead nodes (`HeartbeatManager`), and orders handed out with heartbeats
//! (`DatanodeManager.handleHeartbeat`).
use super::{NameNode, Pending, QueuedOrder, pending_period};
use crate::hdfs::messages::{CopyId, Event, Order, Reason, Record};
use cluster::NodeId;
use engine::{Context, Delay, Nanos};
use units::u32_of;

/// Kinds of orders that share a heartbeat: copies of blocks, copies of internal blocks, and
/// reconstruction tasks.
const COPY: usize = 0;
const GROUP_COPY: usize = 1;
const TASK: usize = 2;

impl NameNode {
    pub(super) fn heartbeat(
        &mut self,
        node: NodeId,
        sending: u32,
        xceivers: u32,
        cx: &impl Context<Event, Record>,
    ) {
        let view = self.nodes[node.at()];
        if !view.alive {
            return;
        }
        self.last_heartbeat.set(node.at(), cx.now());
        if view.in_service() {
            self.load.0 = self.load.0 + xceivers as u64 - view.xceivers as u64
        }
        self.nodes
            .update(node.at(), |n| (n.sending, n.xceivers, n.stale) = (sending, xceivers, false));
        self.hand_out(node, cx)
    }

    /// Hands out `max-streams` orders less those that the node still sends. Each kind gets its
    /// share of the queue, rounded up (`DatanodeManager.handleHeartbeat`).
    fn hand_out(&mut self, node: NodeId, cx: &impl Context<Event, Record>) {
        let view = &self.nodes[node.at()];
        let busy = view.sending > 0;
        let mine = (node, CopyId(0))..=(node, CopyId(u32::MAX));
        let waiting: Vec<QueuedOrder> = self.outbox.range(mine).map(|(_, waits)| *waits).collect();
        let mut room = self.room(node, &waiting);
        for waits in waiting {
            let room = &mut room[self.kind(&waits.order)];
            if *room > 0 {
                *room -= 1;
                self.fetch(waits.order, cx)
            } else {
                let why = if busy { Reason::HandoutBusy } else { Reason::Handout };
                self.wait_at_source(waits, why, cx)
            }
        }
    }

    /// Orders of each kind that a heartbeat may fetch. A decommissioning node may fetch copies of
    /// internal blocks up to the hard limit.
    fn room(&self, node: NodeId, waiting: &[QueuedOrder]) -> [u32; 3] {
        let (h, sending) = (&self.setup.hdfs, self.nodes[node.at()].sending);
        let soft = h.max_streams.saturating_sub(sending);
        let hard = match self.is_decommissioning(node) {
            true => h.max_streams_hard_limit.saturating_sub(sending),
            false => soft,
        };
        let mut count = [0u64; 3];
        waiting.iter().for_each(|waits| count[self.kind(&waits.order)] += 1);
        let all = count.iter().sum::<u64>().max(1);
        let part = |kind: usize, of: u32| {
            let part = (count[kind] * u64::from(of)).div_ceil(all);
            u32::try_from(part).expect("a part of 32 bits")
        };
        [part(COPY, soft), part(GROUP_COPY, hard), part(TASK, soft)]
    }

    fn kind(&self, order: &Order) -> usize {
        match self.setup.code(order.block) {
            None => COPY,
            Some(_) if order.purpose.is_of_task() => TASK,
            Some(_) => GROUP_COPY,
        }
    }

    /// The source fetches an order.
    pub(super) fn fetch(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        self.outbox.discard(&(order.source, order.first));
        self.nodes.update(order.source.at(), |n| n.queued -= 1);
        cx.record(Record::HandoutWaits { copy: order.first, reason: Reason::Latency });
        let legs = self.legs_of(&order);
        for leg in legs.into_iter().filter(|leg| self.late.contains(&leg.copy)).collect::<Vec<_>>()
        {
            // The next heartbeat counts it as being sent.
            self.late.insert(leg.copy, (order.source, cx.now()));
        }
        self.command(order, cx)
    }

    pub(super) fn command(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        let to = self.setup.lps.datanodes.at(order.source.0);
        let delay = Delay::link(cx.link(to));
        match order.purpose.is_of_task() {
            true => cx.send(to, delay, Event::Rebuild(self.striped.take(order.task))),
            false => cx.send(to, delay, Event::Copy(order)),
        }
    }

    fn wait_at_source(
        &mut self,
        old: QueuedOrder,
        reason: Reason,
        cx: &impl Context<Event, Record>,
    ) {
        let Order { source, first, .. } = old.order;
        if old.reason != reason {
            self.outbox.update(&(source, first), |w| w.reason = reason);
            cx.record(Record::HandoutWaits { copy: first, reason })
        }
    }

    /// `HeartbeatManager.Monitor`: a node is dead after 2 × recheck interval + 10 × heartbeat
    /// interval, checked once per recheck interval (`heartbeatExpireInterval`).
    pub(super) fn check_heartbeats(&mut self, cx: &impl Context<Event, Record>) {
        let h = &self.setup.hdfs;
        let period = h.heartbeat_recheck_interval;
        let expire = Nanos(2 * period.0 + 10 * h.heartbeat_interval.0);
        let silent = |t: Nanos| cx.now().saturating_sub(t);
        let alive = |n: &usize| self.nodes[*n].alive;
        let dead: Vec<usize> = (0..self.nodes.len())
            .filter(alive)
            .filter(|n| silent(self.last_heartbeat[*n]) > expire)
            .collect();
        for node in dead {
            self.declare(NodeId(u32_of(node)), cx)
        }
        self.remove_failed_disks(cx);
        self.stop_if_done(cx);
        cx.after(period, Event::RecheckTick)
    }

    /// `DatanodeInfo.isStale`
    pub(super) fn mark_stale(&mut self, now: Nanos) {
        for node in 0..self.nodes.len() {
            let silent = now.saturating_sub(self.last_heartbeat[node]);
            let stale = silent > self.setup.hdfs.stale_interval;
            if self.nodes[node].stale != stale {
                self.nodes.update(node, |n| n.stale = stale)
            }
        }
    }

    /// `removeDeadDatanode`: its replicas are gone.
    pub(super) fn declare(&mut self, node: NodeId, cx: &impl Context<Event, Record>) {
        let view = self.nodes[node.at()];
        self.undeclared = self.undeclared.saturating_sub(1);
        if !view.alive {
            return;
        }
        if view.in_service() {
            self.load = (self.load.0 - view.xceivers as u64, self.load.1 - 1)
        }
        self.nodes.update(node.at(), |n| n.alive = false);
        cx.record(Record::Declared(node));
        self.notify_balancer(Event::Serves(node, false), cx);
        self.drop_orders(node, cx);
        let blocks = self.blocks_on(node);
        self.add_needed(blocks.into_iter(), cx);
        if self.setup.event_driven() {
            self.break_off(node, cx);
            self.start_streams(cx)
        }
        self.stop_if_done(cx)
    }

    /// Orders that a dead node has not fetched are lost; the timeout detects the missing copies.
    fn drop_orders(&mut self, node: NodeId, cx: &impl Context<Event, Record>) {
        let mine = (node, CopyId(0))..=(node, CopyId(u32::MAX));
        let gone: Vec<Order> = self.outbox.range(mine).map(|(_, waits)| waits.order).collect();
        for order in gone {
            self.outbox.discard(&(node, order.first));
            self.legs_of(&order).into_iter().for_each(|leg| cx.record(Record::Broken(leg)));
            self.striped.take(order.task);
        }
    }

    /// Requeues blocks whose copies did not arrive in time (`processPendingReconstructions`).
    /// Orders that wait at their source are still executed.
    pub(super) fn expire(&mut self, cx: &impl Context<Event, Record>) {
        let timeout = self.setup.hdfs.pending_timeout;
        let too_late = |p: &&Pending| cx.now().saturating_sub(p.since) > timeout;
        let late: Vec<Pending> = self.pending.values().filter(too_late).copied().collect();
        for Pending { leg, source, .. } in &late {
            self.forget(*leg);
            cx.record(Record::GivenUp(*leg));
            self.late.insert(leg.copy, (*source, cx.now()));
        }
        for Pending { leg, .. } in late {
            self.update_needed(leg.block, cx)
        }
        cx.after(pending_period(&self.setup.hdfs), Event::PendingTick)
    }
}
