//! Copies from the decision until the NameNode knows them or they break off.
use super::{
    Assembly,
    open_copies::OpenCopy,
    parts::{held_cause, longest},
    tables::row_of,
};
use crate::hdfs::{
    messages::{CopyId, Leg, Order, Purpose, Reason, Record},
    reasons::Holder,
};
use cluster::{NodeId, Sharing};
use engine::Nanos;
use hardware::ResourceId;
use hdfs_trace::{Cause, Interval, kind};
use units::Bytes;

impl Assembly<'_> {
    pub(super) fn decide(&mut self, order: Order, reason: Reason, at: Nanos) {
        self.close_wait_of(order.block, Some(order.source), at);
        for leg in order.legs() {
            let new = OpenCopy {
                leg,
                task: order.task,
                waits: (leg.copy == order.task).then_some((at, reason)),
                started: None,
                done: None,
                held: None,
                parts: vec![],
                held_by: None,
                way: vec![],
                given_up: false,
            };
            self.copies.insert(leg.copy, new);
        }
    }

    /// Whether the record is about a flow or copy that broke off before.
    pub(super) fn is_stray(&self, record: &Record) -> bool {
        match record {
            Record::Started(Leg { copy, .. })
            | Record::Broken(Leg { copy, .. })
            | Record::Done(Leg { copy, .. })
            | Record::Limited { copy, .. }
            | Record::Held { copy, .. } => self.dropped.contains(copy),
            _ => false,
        }
    }

    pub(super) fn start(&mut self, leg: Leg, at: Nanos) {
        self.close_handout(leg.copy, at);
        let under = self.underway(leg.copy);
        (under.leg, under.started) = (leg, Some(at));
        if self.setup.model.sharing == Sharing::Queue {
            self.put_on_its_way(leg)
        }
    }

    /// In a pipeline the resources of every copy hold up all of them: late data is forwarded late,
    /// and data that cannot be forwarded is not received.
    fn put_on_its_way(&mut self, leg: Leg) {
        let worked = |id: ResourceId| (id.0, self.busy.busy_time(id.0));
        let passes =
            |leg: Leg| self.setup.path_of_copy(&leg).into_iter().map(worked).collect::<Vec<_>>();
        let own = passes(leg);
        let task = self.copies[&leg.copy].task;
        let is_other = |under: &OpenCopy| under.leg.copy != leg.copy && under.started.is_some();
        let is_pipeline = matches!(leg.purpose, Purpose::Replicate | Purpose::Write);
        let of_task = self.copies.range(task..).take_while(|(_, under)| under.task == task);
        let others = of_task.filter(|(_, under)| is_pipeline && is_other(under));
        let others: Vec<Leg> = others.map(|(_, under)| under.leg).collect();
        let way: Vec<_> = others.iter().flat_map(|leg| passes(*leg)).chain(own.clone()).collect();
        others.iter().for_each(|other| self.underway(other.copy).way.extend(&own));
        self.underway(leg.copy).way = way
    }

    pub(super) fn limit(&mut self, copy: CopyId, resource: u32, at: Nanos) {
        let under = self.underway(copy);
        match under.held {
            Some((_, same)) if same == resource => return,
            Some((since, old)) if at > since => under.parts.push((since, at, Some(old))),
            _ => {}
        }
        under.held = Some((at, resource))
    }

    /// Records the transfer and its parts.
    pub(super) fn record_done(&mut self, leg: Leg, at: Nanos, bytes: Bytes) {
        let under = self.underway(leg.copy);
        if let Some((since, resource)) = under.held.take().filter(|(since, _)| at > *since) {
            under.parts.push((since, at, Some(resource)))
        }
        let (start, held_by) = (under.started.unwrap_or(at), under.held_by);
        let mut parts = std::mem::take(&mut under.parts);
        let way = std::mem::take(&mut under.way);
        if parts.is_empty() && at > start {
            let by = held_by.or_else(|| self.busy.busiest(&way).map(Some));
            parts.extend(by.map(|resource| (start, at, resource)))
        }
        let (node, peer) = (row_of(leg.sender), row_of(leg.target));
        let row = Interval {
            node: Some(node),
            peer: Some(peer),
            resource: leg.source_disk.and_then(|disk| self.disks.read(node, disk.0)),
            peer_resource: leg.written_to().and_then(|disk| self.disks.written(peer, disk.0)),
            amount: Some(bytes.0).filter(|bytes| *bytes > 0),
            cause: longest(self.setup, &parts),
            ..Interval::new(kind::TRANSFER, start, at)
        };
        let id = self.push(leg.block, row);
        self.underway(leg.copy).done = Some((at, id));
        if leg.source_disk.is_some() && leg.purpose == Purpose::Replicate {
            self.freed_by.insert(leg.sender, id);
        }
        for (from, to, resource) in parts {
            let cause = held_cause(self.setup, resource);
            let part = Interval::new(kind::HELD, from, to);
            self.push(leg.block, Interval { parent: Some(id), cause, ..part });
        }
    }

    /// All flows of a task have ended: the blocks it rebuilt are complete, and its node's stream is
    /// free.
    pub(super) fn record_closed(&mut self, task: CopyId) {
        let of_task = |under: &&OpenCopy| under.task == task;
        let flows: Vec<Leg> =
            self.copies.range(task..).map(|(_, u)| u).take_while(of_task).map(|u| u.leg).collect();
        let last = flows.iter().filter_map(|leg| self.copies[&leg.copy].done).max();
        for leg in flows {
            match leg.purpose {
                Purpose::Part => drop(self.copies.remove(&leg.copy)),
                _ => self.underway(leg.copy).done = last,
            }
            if let (true, Some((_, id))) = (leg.copy == task, last) {
                self.freed_by.insert(leg.sender, id);
            }
        }
    }

    pub(super) fn record_broken(&mut self, leg: Leg, at: Nanos) {
        self.dropped.insert(leg.copy);
        self.close_handout(leg.copy, at);
        let under = self.underway(leg.copy);
        let is_whole = under.done.is_some() && leg.purpose.is_of_task();
        if under.started.is_some() && !is_whole {
            self.record_done(leg, at, Bytes(0))
        }
        let given_up = self.underway(leg.copy).given_up;
        self.copies.remove(&leg.copy);
        // HDFS's NameNode is not notified: it waits until the copy times out. Parts are not
        // awaited.
        let awaited = leg.purpose != Purpose::Part && !given_up;
        if !self.setup.event_driven() && awaited {
            self.overdue.entry(leg.block).or_default().push(leg);
            self.wait_for_overdue(leg.block, at)
        }
    }

    /// Event by event the NameNode detects a dead source at once and decides its unstarted orders
    /// again.
    pub(super) fn drop_orders(&mut self, source: NodeId, at: Nanos) {
        let orders = self.copies.values().filter(|under| under.started.is_none());
        let there = orders.map(|under| under.leg).filter(|leg| leg.sender == source);
        for leg in there.collect::<Vec<Leg>>() {
            self.close_handout(leg.copy, at);
            self.copies.remove(&leg.copy);
            self.dropped.insert(leg.copy);
        }
    }

    /// The NameNode no longer counts on a copy, though it may be under way.
    pub(super) fn give_up(&mut self, leg: Leg) {
        self.given_up += 1;
        if let Some(under) = self.copies.get_mut(&leg.copy) {
            under.given_up = true
        }
        self.forget_overdue(leg.block, |overdue| overdue.copy == leg.copy)
    }

    pub(super) fn record_known(&mut self, leg: Leg, at: Nanos) {
        if let Some(done) = self.copies.remove(&leg.copy).and_then(|under| under.done) {
            self.report(leg, done.0, at);
            if self.setup.event_driven() {
                self.arrived.insert(leg.block, done.1);
            }
        }
        if let Some((_, Reason::PendingTimeout)) = self.waiting.get(&leg.block) {
            // Another copy has replaced one that broke off.
            self.close_wait(leg.block, at)
        }
        self.forget_overdue(leg.block, |overdue| overdue.target == leg.target);
        self.ledger.add(&leg, at);
        if !self.ledger.is_risky(leg.block) {
            // A returned node has replaced other copies that the block waited for.
            self.close_wait(leg.block, at)
        }
        self.wait_for_overdue(leg.block, at);
        self.count(at)
    }

    /// From the last byte until the NameNode knows: report interval, then message latency.
    pub(super) fn report(&mut self, leg: Leg, done: Nanos, at: Nanos) {
        let leaves = (done + self.setup.hdfs.incremental_report_interval).min(at);
        let parts = [(done, leaves, Holder::ReportInterval), (leaves, at, Holder::Latency)];
        for (from, to, holder) in parts.into_iter().filter(|(from, to, _)| to > from) {
            let (node, cause) = (Some(row_of(leg.target)), holder.cause());
            self.push(leg.block, Interval { node, cause, ..Interval::new(kind::REPORT, from, to) });
        }
    }

    pub(super) fn underway(&mut self, copy: CopyId) -> &mut OpenCopy {
        self.copies.get_mut(&copy).expect("a copy that was decided")
    }

    /// Ends the current wait of a copy at its source.
    pub(super) fn close_handout(&mut self, copy: CopyId, at: Nanos) {
        let under = self.underway(copy);
        let leg = under.leg;
        let Some((mut start, reason)) = under.waits.take() else { return };
        let mut cause = self.cause(reason, Some(leg.sender));
        if let Cause::Interval(id) = cause {
            // After the blocking copy has ended, the wait is for the next heartbeat, or for the
            // message that a stream is free.
            let free = self.trace.intervals[id.at()].end.clamp(start, at);
            self.push_handout(leg, start, free, cause);
            let event_driven = self.setup.event_driven();
            let then = if event_driven { Holder::Latency } else { Holder::Heartbeat };
            (start, cause) = (free, then.cause())
        }
        let gone = self.fell_silent(leg.sender).clamp(start, at);
        self.push_handout(leg, start, gone, cause);
        self.push_handout(leg, gone, at, Holder::PendingTimeout.cause())
    }

    /// When the node stopped fetching orders; only the timeout detects that they are lost. `MAX`
    /// for live nodes and event-driven pacing, which has no such wait.
    fn fell_silent(&self, node: NodeId) -> Nanos {
        match self.trace.nodes[node.at()].alive || self.setup.event_driven() {
            true => Nanos::MAX,
            false => self.silent.get(&node).copied().unwrap_or(Nanos::MAX),
        }
    }

    fn push_handout(&mut self, leg: Leg, start: Nanos, end: Nanos, cause: Cause) {
        if end > start {
            let row = Interval::new(kind::HANDOUT, start, end);
            self.push(leg.block, Interval { node: Some(row_of(leg.sender)), cause, ..row });
        }
    }
}
