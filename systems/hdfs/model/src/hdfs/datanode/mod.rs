//! A DataNode: heartbeats, and both ends of a copy (`DataNode.DataTransfer`, `DataXceiver`).
mod reconstruction;
mod tasks;

use super::{
    messages::{CopyId, Event, Leg, Order, Purpose, Record},
    setup::Setup,
};
use cluster::{DiskId, NodeId};
use engine::{Context, Model, Nanos, Rewind, Shared, Table, Timer};
use hardware::transport::flow;
use tasks::Tasks;

#[derive(Rewind)]
pub struct DataNode {
    pub(super) setup: Shared<Setup>,
    pub(super) me: NodeId,
    lost: bool,
    /// Orders being sent; a pipeline is one order.
    pub(super) sending: Table<CopyId, Order>,
    pub(super) receiving: Table<CopyId, Order>,
    /// The disk of the next replica (`RoundRobinVolumeChoosingPolicy`).
    next_disk: u16,
    failed: Table<DiskId, ()>,
    heart: Option<Timer>,
    pub(super) tasks: Tasks,
}

impl DataNode {
    pub fn new(setup: Shared<Setup>, me: NodeId) -> DataNode {
        let lost = !setup.cluster.nodes[me.at()].alive;
        let (sending, receiving) = (Table::new(), Table::new());
        let (failed, heart) = (Table::new(), None);
        let tasks = Tasks::default();
        DataNode { setup, me, lost, sending, receiving, next_disk: 0, failed, heart, tasks }
    }

    fn boot(&mut self, cx: &impl Context<Event, Record>) {
        let disks = self.setup.resources().disks(self.me).max(1);
        self.next_disk =
            units::narrow::<u16>(cx.draw("volume-phase", self.me.0 as u64, 0).below(disks as u64));
        if !self.setup.event_driven() {
            let period = self.setup.hdfs.heartbeat_interval;
            let phase = cx.draw("heartbeat-phase", self.me.0 as u64, 0).below(period.0.max(1));
            self.heart = Some(cx.timer(Nanos(phase), Event::HeartbeatDue))
        }
    }

    fn heartbeat(&mut self, cx: &impl Context<Event, Record>) {
        let node = self.me;
        let count = |all: &Table<CopyId, Order>, counts: fn(Purpose) -> bool| {
            units::narrow::<u32>(all.values().filter(|order| counts(order.purpose)).count())
        };
        // Moves (`copyBlock`) and parts are sent by threads that accept connections, not as
        // transfers.
        let serves = |p| matches!(p, Purpose::Move | Purpose::Part);
        let transfers = count(&self.sending, |p| p == Purpose::Replicate);
        let sending = transfers.saturating_add(self.tasks.xmits());
        // Incoming connections, plus those in the cluster's report. The sender of a copy needs no
        // such thread (`DataNode.getActiveTransferThreadCount`); a node that others read from does.
        let others = self.setup.cluster.nodes[node.at()].xceivers;
        let xceivers =
            others + count(&self.receiving, Purpose::writes_disk) + count(&self.sending, serves);
        self.tell_namenode(Event::Heartbeat { node, sending, xceivers }, cx);
        let period = self.setup.hdfs.heartbeat_interval;
        self.heart = Some(cx.timer(period, Event::HeartbeatDue))
    }

    fn tell_namenode(&self, event: Event, cx: &impl Context<Event, Record>) {
        let to = self.setup.lps.namenode;
        cx.notify(to, event)
    }

    pub(super) fn send_event(&self, node: NodeId, event: Event, cx: &impl Context<Event, Record>) {
        let to = self.setup.lps.datanodes.at(node.0);
        cx.notify(to, event)
    }

    /// Starts a copy as its source. A failed disk sends none; HDFS detects that by its timeout.
    pub(super) fn send(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        let refused = self.has_too_many_moves(&order)
            || order.source_disk().is_some_and(|disk| self.failed.contains(&disk));
        self.sending.insert(order.first, order);
        match refused {
            true => self.refused(order, cx),
            false => self.send_event(order.targets()[0], Event::Open(order), cx),
        }
    }

    /// A copy is coming: chooses its disk, then notifies the next target or starts the flow.
    fn open(&mut self, mut order: Order, cx: &impl Context<Event, Record>) {
        if self.has_too_many_moves(&order) || !self.has_task_of(&order) {
            return self.send_event(order.source, Event::Refused(order), cx);
        }
        if order.purpose.writes_disk() {
            let Some(disk) = self.choose_disk() else {
                return self.send_event(order.source, Event::Refused(order), cx);
            };
            order.write_to(self.me, disk)
        }
        self.receiving.insert(order.leg_to(self.me).copy, order);
        if let Some(next) = order.next_target(self.me) {
            return self.send_event(next, Event::Open(order), cx);
        }
        cx.record(Record::Flows(order));
        let source = self.setup.lps.datanodes.at(order.source.0).port();
        self.setup.flow(&order, (order.source != self.me).then_some(source), cx)
    }

    /// The next working disk, round-robin; `None` if all have failed.
    fn choose_disk(&mut self) -> Option<DiskId> {
        let disks = self.setup.resources().disks(self.me).max(1);
        let turns = (0..disks).map(|turn| DiskId((self.next_disk + turn) % disks));
        let disk = turns.into_iter().find(|disk| !self.failed.contains(disk))?;
        self.next_disk = (disk.0 + 1) % disks;
        Some(disk)
    }

    /// The source's stream is free.
    fn sent(&mut self, order: Order, whole: bool, cx: &impl Context<Event, Record>) {
        if !self.sending.discard(&order.first) {
            return;
        }
        match order.purpose {
            Purpose::Move if !whole => return self.move_ended(&order, false, cx),
            Purpose::Move => return,
            Purpose::Rebuilt if whole => return self.flow_ended(order, cx),
            Purpose::Rebuilt => return self.fail_task(order.task, cx),
            _ => {}
        }
        if self.setup.event_driven() {
            if !whole {
                self.tell_namenode(Event::Failed(order), cx)
            }
            self.tell_namenode(Event::Freed(order), cx)
        }
    }

    /// A flow with an end at this node has ended; ignored if the node has given it up.
    fn ended(&mut self, reply: &flow::Reply, cx: &impl Context<Event, Record>) {
        let (flow::Reply::Done { tag } | flow::Reply::Broken { tag, .. }) = *reply;
        let whole = matches!(reply, flow::Reply::Done { .. });
        let (sent, received) = (self.sending.get(&CopyId(tag)).copied(), self.received(tag));
        match (sent, whole) {
            (Some(order), true) => self.sent(order, true, cx),
            (Some(order), false) => self.refused(order, cx),
            (None, _) => {}
        }
        match (received, whole) {
            (Some(order), true) => self.written(order, cx),
            (Some(order), false) => self.gone(order, cx),
            (None, _) => {}
        }
    }

    /// The order with this number, if this node is its last target.
    fn received(&self, first: u32) -> Option<Order> {
        let copies = CopyId(first)..=CopyId(first + units::u32_of(Order::MOST_TARGETS) - 1);
        let mut orders = self.receiving.range(copies).map(|(_, order)| *order);
        orders.find(|order| order.first.0 == first && order.next_target(self.me).is_none())
    }

    /// A target is gone, and with it the pipeline. (HDFS would continue with the targets before
    /// it.) Several targets may report it; the first report counts.
    fn refused(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        if self.sending.contains(&order.first) {
            if !order.purpose.is_of_task() {
                broken(&order, cx)
            }
            order.targets().iter().for_each(|to| self.send_event(*to, Event::Gone(order), cx));
            self.sent(order, false, cx)
        }
    }

    /// The last byte is on the disks of this target and of those after it.
    fn written(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        if !self.receiving.contains(&order.leg_to(self.me).copy) {
            // The order broke off while these bytes were under way.
            return;
        }
        if let Some(before) = order.previous_node(self.me) {
            self.send_event(before, Event::Written(order), cx)
        }
        self.arrived(order, cx)
    }

    /// `BlockBalanceThrottler.acquire`: moves sent and received count together.
    fn has_too_many_moves(&self, order: &Order) -> bool {
        let Some(balancer) = self.setup.balancer.as_ref() else { return false };
        let all = self.sending.values().chain(self.receiving.values());
        let moves = all.filter(|o| o.purpose == Purpose::Move).count();
        order.purpose == Purpose::Move && moves >= balancer.keys.concurrent_moves as usize
    }

    /// The answer to `replaceBlock`.
    fn move_ended(&self, order: &Order, whole: bool, cx: &impl Context<Event, Record>) {
        for to in self.setup.lps.balancer.iter() {
            cx.notify(to, Event::Moved { copy: order.first, whole })
        }
    }

    /// A moved replica is on its disk (`notifyNamenodeReceivedBlock`, with a hint).
    fn move_arrived(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        self.receiving.discard(&order.first);
        self.move_ended(&order, true, cx);
        match self.setup.hdfs.incremental_report_interval {
            Nanos::ZERO => self.tell_namenode(Event::ReceivedMove(order), cx),
            wait => cx.after(wait, Event::MoveReportDue(order)),
        }
    }

    /// All bytes are here. A rebuilt block is complete only when its task is.
    fn arrived(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        match order.purpose {
            Purpose::Move => self.move_arrived(order, cx),
            Purpose::Part => self.flow_ended(order, cx),
            Purpose::Rebuilt => {}
            _ => {
                let leg = order.leg_to(self.me);
                self.receiving.discard(&leg.copy);
                self.report(leg, cx)
            }
        }
    }

    pub(super) fn report(&self, leg: Leg, cx: &impl Context<Event, Record>) {
        match self.setup.hdfs.incremental_report_interval {
            Nanos::ZERO => self.tell_namenode(Event::Received(leg), cx),
            wait => cx.after(wait, Event::ReportDue(leg)),
        }
    }

    /// The source or another target is gone: the last target, which started the flow, ends it.
    fn gone(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        self.drop_received(&order, cx);
        match order.purpose {
            Purpose::Move => self.move_ended(&order, false, cx),
            Purpose::Part => self.fail_task(order.task, cx),
            _ => {}
        }
    }

    /// Stops receiving an order.
    pub(super) fn drop_received(&mut self, order: &Order, cx: &impl Context<Event, Record>) {
        if let Some(order) = self.receiving.remove(&order.leg_to(self.me).copy)
            && order.next_target(self.me).is_none()
        {
            self.setup.cut(&order, cx)
        }
    }

    fn lose(&mut self, cx: &impl Context<Event, Record>) {
        self.lost = true;
        if let Some(heart) = self.heart.take() {
            cx.cancel(heart);
        }
        self.fail_tasks(cx);
        cx.record(Record::Silent(self.me));
        self.cut_off(cx)
    }

    /// The other ends of this node's copies find their connections broken. (A task's node reports
    /// it once for all flows of the task.)
    fn cut_off(&self, cx: &impl Context<Event, Record>) {
        let is_copy = |o: &&Order| matches!(o.purpose, Purpose::Replicate | Purpose::Move);
        for order in self.sending.values().filter(is_copy) {
            broken(order, cx);
            order.targets().iter().for_each(|to| self.send_event(*to, Event::Gone(*order), cx))
        }
        for order in self.receiving.values() {
            self.send_event(order.source, Event::Refused(*order), cx)
        }
    }

    /// Restarts the node: it forgets its copies and reports the blocks on its disks.
    fn come_back(&mut self, cx: &impl Context<Event, Record>) {
        self.lost = false;
        self.sending.clear();
        self.receiving.clear();
        cx.record(Record::Returned(self.me));
        self.tell_namenode(Event::Back(self.me), cx);
        if !self.setup.event_driven() {
            self.heartbeat(cx)
        }
    }

    /// A disk fails: the next heartbeat reports it (`VolumeFailureSummary`).
    fn fail_disk(&mut self, disk: DiskId, cx: &impl Context<Event, Record>) {
        self.failed.insert(disk, ());
        cx.record(Record::DiskFailed(self.me, disk));
        self.break_off(disk, cx);
        if !self.setup.event_driven() {
            self.tell_namenode(Event::DiskLost(self.me, disk), cx)
        }
    }

    /// Connections to a lost node break. (Real sockets take up to a minute to detect this, the
    /// model none.)
    fn refuse(&self, event: &Event, cx: &impl Context<Event, Record>) {
        match *event {
            Event::Open(order) => self.send_event(order.source, Event::Refused(order), cx),
            Event::Copy(order) if order.purpose == Purpose::Part => {
                self.send_event(order.targets()[0], Event::Gone(order), cx)
            }
            Event::Rebuild(ref orders) => orders.iter().for_each(|order| broken(order, cx)),
            _ => {}
        }
    }

    /// Breaks off all copies that read or write a disk.
    fn break_off(&mut self, disk: DiskId, cx: &impl Context<Event, Record>) {
        let sent: Vec<Order> =
            self.sending.values().filter(|o| o.source_disk() == Some(disk)).copied().collect();
        sent.into_iter().for_each(|order| self.refused(order, cx));
        let mine = |o: &&Order| o.leg_to(self.me).written_to() == Some(disk);
        let received: Vec<Order> = self.receiving.values().filter(mine).copied().collect();
        for order in received {
            self.gone(order, cx);
            self.send_event(order.source, Event::Refused(order), cx)
        }
    }
}

impl Model for DataNode {
    type Event = Event;
    type Record = Record;

    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        if self.lost && !matches!(event, Event::Back(_)) {
            return self.refuse(event, cx);
        }
        match *event {
            Event::Boot => self.boot(cx),
            Event::Lost(_) => self.lose(cx),
            Event::Back(_) => self.come_back(cx),
            Event::DiskLost(_, disk) => self.fail_disk(disk, cx),
            Event::HeartbeatDue => self.heartbeat(cx),
            Event::Copy(order) => self.send(order, cx),
            Event::Open(order) => self.open(order, cx),
            Event::Flow(ref reply) => self.ended(reply, cx),
            Event::Refused(order) => self.refused(order, cx),
            Event::Rebuild(ref orders) => self.queue_task(orders, cx),
            Event::Closed(order) => self.handle_closed(order, cx),
            Event::Gone(order) => self.gone(order, cx),
            Event::Written(order) => self.written(order, cx),
            Event::ReportDue(leg) => self.tell_namenode(Event::Received(leg), cx),
            Event::MoveReportDue(order) => self.tell_namenode(Event::ReceivedMove(order), cx),
            _ => unreachable!("DataNode {} was sent {event:?}", self.me.0),
        }
    }

    /// A heartbeat reads the node's whole state and its row of the cluster. With thousands of nodes
    /// both have left the cache since the last heartbeat.
    #[inline(always)]
    fn foresee(&self, _event: &Event, step: u32) {
        match step {
            0 => engine::prefetch(std::slice::from_ref(self), 0),
            _ => engine::prefetch(&self.setup.cluster.nodes, self.me.at()),
        }
    }
}

/// Records that all copies of an order broke off.
fn broken(order: &Order, cx: &impl Context<Event, Record>) {
    order.legs().for_each(|leg| cx.record(Record::Broken(leg)))
}
