//! Makes a trace of the records of a run: opens and closes intervals, and links each to what it
//! waited for.
use super::{
    balancer::Tally,
    bins::Bins,
    ledger::Ledger,
    messages::{CopyId, Leg, Order, Purpose, Reason, Record},
    queueing::Rounds,
    reasons::Holder,
    setup::Setup,
    tables,
};
use crate::hardware::{Kind, ResourceId};
use cluster::{BlockIndex, NodeId, Sharing};
use engine::Nanos;
use std::collections::{BTreeMap, BTreeSet};
use trace::{CapacityChange, Cause, Counter, Interval, IntervalKind, Sample, Trace};
use units::Bytes;

/// A copy that is not known yet.
struct Underway {
    leg: Leg,
    /// Of which task of a group.
    task: CopyId,
    /// Since when it waits at its source, and why; of a pipeline the first copy waits for all.
    waits: Option<(Nanos, Reason)>,
    started: Option<Nanos>,
    /// When the last byte arrived, and the interval that says so.
    done: Option<(Nanos, u64)>,
    /// What limits it, since when.
    held: Option<(Nanos, u32)>,
    /// Closed parts.
    parts: Vec<Part>,
    /// Queue sharing: time spent by resource.
    spent: Vec<(Option<u32>, Nanos)>,
}

/// From when to when a resource (`None`: the way between racks) held a copy up.
type Part = (Nanos, Nanos, Option<u32>);

/// Turns records, in the order of their stamps, into tables.
pub struct Assembly<'a> {
    setup: &'a Setup,
    trace: Trace,
    ledger: Ledger<'a>,
    tally: Tally,
    waiting: BTreeMap<BlockIndex, (Nanos, Reason)>,
    rounds: Rounds,
    copies: BTreeMap<CopyId, Underway>,
    /// Flows of tasks that came to nothing: they may still be heard of.
    dropped: BTreeSet<CopyId>,
    bins: Bins,
    /// The transfer that last ended at a source: what freed its stream.
    freed_by: BTreeMap<NodeId, u64>,
    silent: BTreeMap<NodeId, Nanos>,
    /// Nodes that are to leave and have not been looked at: since when.
    leaves: BTreeMap<NodeId, Nanos>,
    /// When the first node fell silent, and when one was first declared dead.
    fault: Option<Nanos>,
    declared: Option<Nanos>,
    unrepaired: Vec<(BlockIndex, Option<Reason>)>,
}

impl<'a> Assembly<'a> {
    /// Nothing has happened yet.
    pub fn new(setup: &'a Setup) -> Assembly<'a> {
        let mut new = Assembly {
            setup,
            trace: tables::names(setup),
            ledger: Ledger::new(setup),
            tally: Tally::default(),
            waiting: BTreeMap::new(),
            rounds: Rounds::default(),
            copies: BTreeMap::new(),
            dropped: BTreeSet::new(),
            bins: Bins::default(),
            freed_by: BTreeMap::new(),
            silent: BTreeMap::new(),
            leaves: BTreeMap::new(),
            fault: None,
            declared: None,
            unrepaired: vec![],
        };
        new.count(Nanos::ZERO);
        new
    }

    /// The next record.
    pub fn record(&mut self, at: Nanos, record: &Record) {
        if self.tally.takes(at, record) || self.is_stray(record) {
            return;
        }
        match *record {
            Record::Silent(node) => self.silence(node, at),
            Record::Declared(node) => self.declare(node, at),
            Record::Leaves { node, maintenance } => self.leave(node, maintenance, at),
            Record::Returned(node) => {
                self.trace.nodes[node.at()].alive = true;
                self.ledger.back(node, at);
                self.count(at)
            }
            Record::DiskFailed(node, disk) => {
                self.fault.get_or_insert(at);
                self.silent.insert(node, at);
                self.ledger.fail_disk(node, disk, at);
                self.count(at)
            }
            Record::Removed { block, node } => {
                self.ledger.remove(block, node, at);
                self.count(at)
            }
            Record::Waits { block, reason } => {
                self.close_wait(block, at);
                self.waiting.insert(block, (at, reason));
            }
            Record::Round { quota, looked, passed_over } => {
                self.rounds.push(at, quota, looked, passed_over)
            }
            Record::Decided { order, reason } => self.decide(order, reason, at),
            Record::HandoutWaits { copy, reason } => {
                self.close_handout(copy, at);
                self.underway(copy).waits = Some((at, reason))
            }
            Record::Started(leg) => self.start(leg, at),
            Record::Limited { copy, resource } => self.limit(copy, resource, at),
            Record::Spent { copy, resource, time } => {
                self.underway(copy).spent.push((resource, time))
            }
            Record::Done(leg) => self.done(leg, at, leg.bytes),
            Record::Closed(task) => self.closed(task),
            Record::Broken(leg) => self.broken(leg, at),
            Record::Known(leg) => self.known(leg, at),
            Record::Slow { resource, rate } => {
                self.trace.capacities.push(CapacityChange { resource, at, capacity: rate })
            }
            // What a setting lets through is no load of a resource.
            Record::Use { resource, .. } if resource >= self.setup.resources.hardware() => {}
            Record::Use { resource, rate, queue } => {
                let series = &mut self.trace.series;
                match self.setup.model.sharing {
                    Sharing::Fluid => series.push(Sample { resource, at, used: rate, queue }),
                    Sharing::Queue => self.bins.set(resource, at, rate, series),
                }
            }
            Record::Request { order, begun, tries } => {
                self.trace.requests.push(tables::request(&order, begun, Some(at), tries))
            }
            Record::Unserved { order, begun } => {
                self.trace.requests.push(tables::request(&order, begun, None, 0))
            }
            Record::Unrepaired { block, reason, .. } => self.unrepaired.push((block, reason)),
            // The tally has taken them.
            Record::Moves(_) | Record::Utilisation { .. } | Record::BalancerEnds { .. } => {}
        }
    }

    /// The tables, with what the run table needs to know about the loss.
    /// `cut`: time or the user ended the run, not the repair.
    pub fn finish(mut self, end: Nanos, cut: bool) -> (Trace, Vec<(BlockIndex, Option<Reason>)>) {
        self.bins.finish(end, &mut self.trace.series);
        self.close_all(end, cut);
        // Without faults the repair begins with the run. A fault that the run does not reach, or
        // that nobody has noticed, has no time.
        let declared = self.declared.or((!self.setup.faults).then_some(Nanos::ZERO));
        let redundant = declared.zip(self.ledger.redundant_since).map(|(d, at)| at.max(d));
        let about = &mut self.trace.run;
        let times = [
            ("fault_s", self.fault),
            ("declared_s", declared),
            ("end_s", Some(end)),
            ("redundant_s", redundant),
            ("cut_s", cut.then_some(end)),
        ];
        for (key, at) in times.into_iter().filter_map(|(key, at)| Some((key, at?))) {
            about.push((key.into(), at.as_secs().to_string()))
        }
        about.push(("unrepaired".into(), self.unrepaired.len().to_string()));
        about.extend(self.tally.about());
        (self.trace, self.unrepaired)
    }

    /// What still waits at the end, and what goes on when the run is cut, up to there: first the
    /// copies, which blocks wait for. A copy that is cut has moved 0 bytes, as one that broke off.
    fn close_all(&mut self, end: Nanos, cut: bool) {
        let legs: Vec<Leg> = self.copies.values().map(|under| under.leg).collect();
        // What a task rebuilds is not whole before the last of its flows has ended.
        let goes_on = |under: &&Underway| under.leg.purpose.is_of_task() && under.done.is_none();
        let going: BTreeSet<CopyId> =
            self.copies.values().filter(goes_on).map(|under| under.task).collect();
        for leg in legs {
            self.close_handout(leg.copy, end);
            match *self.underway(leg.copy) {
                Underway { done: Some(_), .. } if leg.purpose == Purpose::Part => {}
                Underway { done: Some(_), task, .. } if going.contains(&task) => {}
                Underway { done: Some((done, _)), .. } if cut => self.report(leg, done, end),
                Underway { started: Some(_), .. } if cut => self.done(leg, end, Bytes(0)),
                _ => {}
            }
        }
        let waiting: Vec<BlockIndex> = self.waiting.keys().copied().collect();
        for block in waiting {
            self.close_wait(block, end)
        }
    }

    fn silence(&mut self, node: NodeId, at: Nanos) {
        self.fault.get_or_insert(at);
        self.silent.insert(node, at);
        self.trace.nodes[node.at()].alive = false;
        self.ledger.silence(node, at);
        self.count(at)
    }

    fn leave(&mut self, node: NodeId, maintenance: bool, at: Nanos) {
        self.fault.get_or_insert(at);
        self.leaves.insert(node, at);
        self.ledger.leave(node, maintenance, at);
        self.count(at)
    }

    fn declare(&mut self, node: NodeId, at: Nanos) {
        self.declared.get_or_insert(at);
        let silent = self.silent.get(&node).map(|since| (*since, Holder::Recheck));
        let leaves = self.leaves.remove(&node).map(|since| (since, Holder::Admin));
        let (start, holder) = leaves.or(silent).unwrap_or((at, Holder::Recheck));
        let recheck = Cause::Setting(holder as u32);
        self.trace.intervals.push(Interval {
            node: Some(node.0),
            ..interval(IntervalKind::Detection, start, at, recheck)
        })
    }

    fn decide(&mut self, order: Order, reason: Reason, at: Nanos) {
        if let Some((_, Reason::Stream(node))) = self.waiting.get_mut(&order.block) {
            // Whichever source it waited for before, this one's stream set it free.
            *node = order.source
        }
        self.close_wait(order.block, at);
        for leg in order.legs() {
            let new = Underway {
                leg,
                task: order.task,
                waits: (leg.copy == order.task).then_some((at, reason)),
                started: None,
                done: None,
                held: None,
                parts: vec![],
                spent: vec![],
            };
            self.copies.insert(leg.copy, new);
        }
    }

    /// Of a flow that has come to nothing.
    fn is_stray(&self, record: &Record) -> bool {
        match record {
            Record::Started(Leg { copy, .. })
            | Record::Done(Leg { copy, .. })
            | Record::Limited { copy, .. }
            | Record::Spent { copy, .. } => self.dropped.contains(copy),
            _ => false,
        }
    }

    fn start(&mut self, leg: Leg, at: Nanos) {
        self.close_handout(leg.copy, at);
        let under = self.underway(leg.copy);
        (under.leg, under.started) = (leg, Some(at))
    }

    /// Ends the present wait of a block in the queue.
    fn close_wait(&mut self, block: BlockIndex, at: Nanos) {
        let Some((start, reason)) = self.waiting.remove(&block) else { return };
        if matches!(reason, Reason::Multiplier | Reason::MaxStreams | Reason::HardLimit) {
            let (quota, _) = self.rounds.divide(start, at, reason);
            let h = &self.setup.hdfs;
            let hard_binds = h.max_streams_hard_limit < h.max_streams;
            let limit = match reason == Reason::HardLimit || hard_binds {
                true => Reason::HardLimit,
                false => Reason::MaxStreams,
            };
            self.push_queued(block, start, start + quota, Reason::Multiplier);
            return self.push_queued(block, start + quota, at, limit);
        }
        self.push_queued(block, start, at, reason)
    }

    fn push_queued(&mut self, block: BlockIndex, start: Nanos, end: Nanos, reason: Reason) {
        if end > start {
            let cause = self.cause(reason, None);
            self.push(block, interval(IntervalKind::Queued, start, end, cause));
        }
    }

    /// Ends the present wait of a copy at its source.
    fn close_handout(&mut self, copy: CopyId, at: Nanos) {
        let under = self.underway(copy);
        let leg = under.leg;
        let Some((mut start, reason)) = under.waits.take() else { return };
        let mut cause = self.cause(reason, Some(leg.sender));
        if let (Reason::HandoutBusy, Cause::Interval(id)) = (reason, cause) {
            // Once the copy that was in the way has ended, only the next heartbeat is waited for.
            let free = self.trace.intervals[id as usize].end.clamp(start, at);
            self.push_handout(leg, start, free, cause);
            (start, cause) = (free, Cause::Setting(Holder::Heartbeat as u32))
        }
        let gone = self.fell_silent(leg.sender).clamp(start, at);
        self.push_handout(leg, start, gone, cause);
        self.push_handout(leg, gone, at, Cause::Setting(Holder::PendingTimeout as u32))
    }

    /// From when on no heartbeat of a node fetches anything: that nothing will come of what waits
    /// there is found out by the timeout alone. Where sources are told at once, nothing waits.
    fn fell_silent(&self, node: NodeId) -> Nanos {
        match self.trace.nodes[node.at()].alive || self.setup.event_driven() {
            true => Nanos::MAX,
            false => self.silent.get(&node).copied().unwrap_or(Nanos::MAX),
        }
    }

    fn push_handout(&mut self, leg: Leg, start: Nanos, end: Nanos, cause: Cause) {
        if end > start {
            let row = interval(IntervalKind::Handout, start, end, cause);
            self.push(leg.block, Interval { node: Some(leg.sender.0), ..row });
        }
    }

    fn limit(&mut self, copy: CopyId, resource: u32, at: Nanos) {
        let under = self.underway(copy);
        match under.held {
            Some((_, same)) if same == resource => return,
            Some((since, old)) if at > since => under.parts.push((since, at, Some(old))),
            _ => {}
        }
        under.held = Some((at, resource))
    }

    /// The transfer and its parts.
    fn done(&mut self, leg: Leg, at: Nanos, bytes: Bytes) {
        let under = self.underway(leg.copy);
        if let Some((since, resource)) = under.held.take().filter(|(since, _)| at > *since) {
            under.parts.push((since, at, Some(resource)))
        }
        let (start, spent) = (under.started.unwrap_or(at), std::mem::take(&mut under.spent));
        let mut parts = std::mem::take(&mut under.parts);
        parts.extend(laid_out(start, at, &spent));
        let row = Interval {
            node: Some(leg.sender.0),
            peer: Some(leg.target.0),
            disk: leg.source_disk.map(|disk| disk.0),
            peer_disk: leg.written_to().map(|disk| disk.0),
            bytes,
            ..interval(IntervalKind::Transfer, start, at, longest(self.setup, &parts))
        };
        let id = self.push(leg.block, row);
        self.underway(leg.copy).done = Some((at, id));
        if leg.source_disk.is_some() && leg.purpose == Purpose::Replicate {
            self.freed_by.insert(leg.sender, id);
        }
        for (from, to, resource) in parts {
            let part = interval(IntervalKind::Held, from, to, held_cause(self.setup, resource));
            self.push(leg.block, Interval { parent: Some(id), ..part });
        }
    }

    /// All flows of a task have ended: what it rebuilt is whole from then on, and the stream of its
    /// node is free.
    fn closed(&mut self, task: CopyId) {
        let of_task = |under: &&Underway| under.task == task;
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

    fn broken(&mut self, leg: Leg, at: Nanos) {
        if leg.purpose.is_of_task() {
            self.dropped.insert(leg.copy);
        }
        self.close_handout(leg.copy, at);
        let under = self.underway(leg.copy);
        let is_whole = under.done.is_some() && leg.purpose.is_of_task();
        if under.started.is_some() && !is_whole {
            self.done(leg, at, Bytes(0))
        }
        self.copies.remove(&leg.copy);
        // HDFS's NameNode is not told: it goes on waiting until the copy is too late.
        if !self.setup.event_driven() && self.ledger.is_risky(leg.block) {
            self.waiting.entry(leg.block).or_insert((at, Reason::PendingTimeout));
        }
    }

    fn known(&mut self, leg: Leg, at: Nanos) {
        if let Some(done) = self.copies.remove(&leg.copy).and_then(|under| under.done) {
            self.report(leg, done.0, at)
        }
        if let Some((_, Reason::PendingTimeout)) = self.waiting.get(&leg.block) {
            // Another copy has made up for the one that broke off.
            self.close_wait(leg.block, at)
        }
        self.ledger.add(&leg, at);
        self.count(at)
    }

    /// From the last byte until the NameNode knows: the target waits to report, and word travels.
    fn report(&mut self, leg: Leg, done: Nanos, at: Nanos) {
        let leaves = (done + self.setup.hdfs.incremental_report_interval).min(at);
        let parts = [(done, leaves, Holder::ReportInterval), (leaves, at, Holder::Latency)];
        for (from, to, holder) in parts.into_iter().filter(|(from, to, _)| to > from) {
            let row = interval(IntervalKind::Report, from, to, Cause::Setting(holder as u32));
            self.push(leg.block, Interval { node: Some(leg.target.0), ..row });
        }
    }

    fn underway(&mut self, copy: CopyId) -> &mut Underway {
        self.copies.get_mut(&copy).expect("a copy that was decided")
    }

    fn push(&mut self, block: BlockIndex, row: Interval) -> u64 {
        let block = Some(self.setup.blocks.id[block.at()]);
        self.trace.intervals.push(Interval { block, ..row });
        self.trace.intervals.len() as u64 - 1
    }

    fn count(&mut self, at: Nanos) {
        for (name, value) in self.ledger.changes() {
            self.trace.counters.push(Counter { name, at, value: value as f64 })
        }
    }

    fn cause(&self, reason: Reason, source: Option<NodeId>) -> Cause {
        let freed =
            |node| self.freed_by.get(&node).map_or(Cause::Unexplained, |id| Cause::Interval(*id));
        match reason {
            Reason::Stream(node) => freed(node),
            Reason::HandoutBusy => source.map_or(Cause::Unexplained, freed),
            other => other.holder().map_or(Cause::Unexplained, |h| Cause::Setting(h as u32)),
        }
    }
}

/// The resource, or the setting that throttles it.
fn held_cause(setup: &Setup, resource: Option<u32>) -> Cause {
    let Some(resource) = resource else { return Cause::Setting(Holder::Latency as u32) };
    match setup.resources.get(ResourceId(resource)).kind() {
        Kind::CopyLimit => Cause::Setting(Holder::Bandwidth as u32),
        _ => Cause::Resource(resource),
    }
}

/// What limited the transfer longest.
fn longest(setup: &Setup, parts: &[Part]) -> Cause {
    let mut total: BTreeMap<Option<u32>, u64> = BTreeMap::new();
    for (from, to, resource) in parts {
        *total.entry(*resource).or_default() += (*to - *from).0
    }
    let most = total.into_iter().max_by_key(|&(r, ns)| (ns, std::cmp::Reverse(r)));
    most.map_or(Cause::Unexplained, |(r, _)| held_cause(setup, r))
}

/// Queue sharing: the chunks overlap, so the time of the transfer is divided as they spent theirs.
fn laid_out(start: Nanos, end: Nanos, spent: &[(Option<u32>, Nanos)]) -> Vec<Part> {
    let sum: u128 = spent.iter().map(|(_, t)| t.0 as u128).sum();
    let (mut so_far, mut from, mut parts) = (0u128, start, vec![]);
    for (resource, time) in spent {
        so_far += time.0 as u128;
        let to = start + Nanos(((end - start).0 as u128 * so_far / sum.max(1)) as u64);
        if to > from {
            parts.push((from, to, *resource))
        }
        from = to
    }
    parts
}

fn interval(kind: IntervalKind, start: Nanos, end: Nanos, cause: Cause) -> Interval {
    Interval {
        kind,
        parent: None,
        block: None,
        node: None,
        peer: None,
        disk: None,
        peer_disk: None,
        start,
        end,
        bytes: Bytes(0),
        cause,
    }
}
