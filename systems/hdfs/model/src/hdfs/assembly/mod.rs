//! Builds a trace from the records of a run: opens and closes intervals, and links each to what it
//! waited for.
mod bins;
mod busy_times;
mod copies;
mod open_copies;
mod parts;
mod queueing;
mod tables;
mod waits;

use super::{
    balancer::Tally,
    ledger::Ledger,
    messages::{CopyId, Leg, Purpose, Reason, Record},
    reasons::Holder,
    setup::Setup,
};
use bins::{Bins, sample};
use busy_times::BusyTimes;
use cluster::{BlockIndex, NodeId};
use engine::Nanos;
use hdfs_trace::{
    Blocks, CapacityChange, Count, CounterId, Disks, Interval, IntervalId, Outcome, ResourceId,
    Trace, kind,
};
use open_copies::OpenCopy;
use queueing::Rounds;
use std::collections::{BTreeMap, BTreeSet};
use units::Bytes;

/// Turns records, in the order of their stamps, into tables.
pub struct Assembly<'a> {
    setup: &'a Setup,
    trace: Trace,
    blocks: Blocks,
    disks: Disks,
    /// Client requests; they follow all other intervals in the trace.
    requests: Vec<Interval>,
    ledger: Ledger<'a>,
    tally: Tally,
    waiting: BTreeMap<BlockIndex, (Nanos, Reason)>,
    /// Per block: copies that broke off and that the NameNode still counts on.
    overdue: BTreeMap<BlockIndex, Vec<Leg>>,
    given_up: u64,
    rounds: Rounds,
    copies: BTreeMap<CopyId, OpenCopy>,
    /// Copies and flows of tasks that broke off: records about them may still come.
    dropped: BTreeSet<CopyId>,
    bins: Bins,
    busy: BusyTimes,
    /// Last transfer that ended at a source and freed its stream.
    freed_by: BTreeMap<NodeId, IntervalId>,
    /// Event-driven pacing: by block, the transfer of its last known copy.
    arrived: BTreeMap<BlockIndex, IntervalId>,
    /// When nodes last fell silent, or a disk of them failed.
    silent: BTreeMap<NodeId, Nanos>,
    /// Silent nodes not yet declared dead.
    unmissed: BTreeMap<NodeId, Nanos>,
    /// Nodes asked to leave, until the NameNode processes them: since when.
    leaves: BTreeMap<NodeId, Nanos>,
    /// Time of the first fault, and of the first declaration.
    fault: Option<Nanos>,
    declared: Option<Nanos>,
    unrepaired: Vec<(BlockIndex, Option<Reason>)>,
}

impl<'a> Assembly<'a> {
    pub fn new(setup: &'a Setup) -> Assembly<'a> {
        let trace = tables::names(setup);
        let mut new = Assembly {
            setup,
            blocks: Blocks::default(),
            disks: Disks::of(&trace),
            requests: vec![],
            trace,
            ledger: Ledger::new(setup),
            tally: Tally::default(),
            waiting: BTreeMap::new(),
            overdue: BTreeMap::new(),
            given_up: 0,
            rounds: Rounds::default(),
            copies: BTreeMap::new(),
            dropped: BTreeSet::new(),
            bins: Bins::new(setup.resources()),
            busy: BusyTimes::default(),
            freed_by: BTreeMap::new(),
            arrived: BTreeMap::new(),
            silent: BTreeMap::new(),
            unmissed: BTreeMap::new(),
            leaves: BTreeMap::new(),
            fault: None,
            declared: None,
            unrepaired: vec![],
        };
        new.count(Nanos::ZERO);
        new
    }

    pub fn record(&mut self, at: Nanos, record: &Record) {
        if self.tally.takes(at, record) || self.is_stray(record) {
            return;
        }
        match *record {
            Record::Silent(node) => self.silence(node, at),
            Record::Declared(node) => self.declare(node, at),
            Record::Leaves { node, maintenance } => self.leave(node, maintenance, at),
            Record::Returned(node) => self.restore_node(node, at),
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
            Record::Awaits(block) => self.await_copies(block, at),
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
            Record::Held { copy, by } => self.underway(copy).held_by = Some(by),
            Record::Done(leg) => self.record_done(leg, at, leg.bytes),
            Record::Closed(task) => self.record_closed(task),
            Record::Broken(leg) => self.record_broken(leg, at),
            Record::GivenUp(leg) => self.give_up(leg),
            Record::Known(leg) => self.record_known(leg, at),
            Record::Slow { resource, rate } => {
                self.bins.set_capacity(resource, rate);
                let resource = ResourceId::of(resource as usize);
                self.trace.capacities.push(CapacityChange { resource, at, capacity: rate })
            }
            Record::Use { resource, rate, queue } if self.is_load(resource) => {
                let used = self.bins.rate_in_use(resource, rate, queue);
                self.trace.series.push(sample(resource, at, used, queue))
            }
            Record::Busy { resource, since, busy } => self.works(resource, (since, at), busy),
            Record::Request { order, begun, tries } => {
                self.requests.push(tables::request(&order, begun, Some(at), tries))
            }
            Record::Unserved { order, begun } => {
                self.requests.push(tables::request(&order, begun, None, 0))
            }
            Record::Unrepaired { block, reason, .. } => self.unrepaired.push((block, reason)),
            Record::Streamed(_) | Record::Flows(_) | Record::Use { .. } => {}
            // Handled by the tally.
            Record::Moves(_) | Record::Utilisation { .. } | Record::BalancerEnds { .. } => {}
        }
    }

    /// (blocks at risk, copies given up so far)
    pub fn risk_counts(&self) -> (u64, u64) {
        (self.ledger.at_risk(), self.given_up)
    }

    /// The trace, with the times of the loss in the run table, and unrepaired blocks. `cut`: the
    /// time limit or the user ended the run before the repair.
    pub fn finish(mut self, end: Nanos, cut: bool) -> (Trace, Vec<(BlockIndex, Option<Reason>)>) {
        self.bins.finish(&mut self.trace.series);
        self.close_all(end, cut);
        self.trace.intervals.extend(self.requests.into_iter().map(|row| ended(row, end)));
        // Without faults the repair begins with the run. A fault that was not reached or not
        // detected has no time.
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
        let beyond = Some(self.ledger.beyond()).filter(|blocks| *blocks > 0);
        about.extend(beyond.map(|blocks| ("blocks_beyond_nodes".into(), blocks.to_string())));
        about.extend(self.tally.about());
        (self.trace, self.unrepaired)
    }

    /// Closes open intervals at the end, copies first, since blocks wait for them. A copy that is
    /// cut has moved 0 bytes, as one that broke off.
    fn close_all(&mut self, end: Nanos, cut: bool) {
        let legs: Vec<Leg> = self.copies.values().map(|under| under.leg).collect();
        // A task's blocks are complete only after its last flow.
        let goes_on = |under: &&OpenCopy| under.leg.purpose.is_of_task() && under.done.is_none();
        let going: BTreeSet<CopyId> =
            self.copies.values().filter(goes_on).map(|under| under.task).collect();
        for leg in legs {
            self.close_handout(leg.copy, end);
            let is_known = self.ledger.has_added(&leg);
            match *self.underway(leg.copy) {
                OpenCopy { done: Some(_), .. } if leg.purpose == Purpose::Part => {}
                OpenCopy { done: Some(_), task, .. } if going.contains(&task) => {}
                // A repeated copy of a known replica: the NameNode ignores its report.
                OpenCopy { done: Some(_), .. } if is_known => {}
                OpenCopy { done: Some((done, _)), .. } if cut => self.report(leg, done, end),
                OpenCopy { started: Some(_), .. } if cut => self.record_done(leg, end, Bytes(0)),
                _ => {}
            }
        }
        let waiting: Vec<BlockIndex> = self.waiting.keys().copied().collect();
        for block in waiting {
            self.close_wait(block, end)
        }
    }

    /// Limits of settings are not resources.
    fn is_load(&self, resource: u32) -> bool {
        resource < self.setup.resources().hardware()
    }

    fn works(&mut self, resource: u32, (since, at): (Nanos, Nanos), busy: Nanos) {
        self.busy.add(resource, busy);
        if self.is_load(resource) {
            self.bins.add(resource, (since, at), busy, &mut self.trace.series)
        }
    }

    fn silence(&mut self, node: NodeId, at: Nanos) {
        self.fault.get_or_insert(at);
        self.silent.insert(node, at);
        self.unmissed.insert(node, at);
        self.trace.nodes[node.at()].alive = false;
        self.ledger.silence(node, at);
        self.count(at)
    }

    /// Closes waits that were for this node only. If the node was never declared dead but others
    /// were, its silence is a detection interval: its blocks were at risk too, undetected.
    fn restore_node(&mut self, node: NodeId, at: Nanos) {
        self.trace.nodes[node.at()].alive = true;
        self.ledger.restore_node(node, at);
        self.count(at);
        if let (Some(start), Some(_)) = (self.unmissed.remove(&node), self.declared) {
            self.push_detection(node, start, at, Holder::Recheck)
        }
        let waiting = self.waiting.keys().copied();
        let safe: Vec<BlockIndex> = waiting.filter(|block| !self.ledger.is_risky(*block)).collect();
        safe.into_iter().for_each(|block| self.close_wait(block, at))
    }

    fn push_detection(&mut self, node: NodeId, start: Nanos, end: Nanos, holder: Holder) {
        let (node, cause) = (Some(tables::row_of(node)), holder.cause());
        let row = Interval { node, cause, ..Interval::new(kind::DETECTION, start, end) };
        self.trace.intervals.push(row)
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
        self.unmissed.remove(&node);
        self.push_detection(node, start, at, holder);
        if self.setup.event_driven() && !self.trace.nodes[node.at()].alive {
            self.drop_orders(node, at)
        }
        // Blocks at risk again may still count on copies that broke off long ago.
        let counted_on: Vec<BlockIndex> = self.overdue.keys().copied().collect();
        counted_on.into_iter().for_each(|block| self.wait_for_overdue(block, at))
    }

    fn push(&mut self, block: BlockIndex, row: Interval) -> IntervalId {
        let subject = self.blocks.add(&mut self.trace, self.setup.blocks.id[block.at()]);
        self.trace.intervals.push(Interval { subject: Some(subject), ..row });
        IntervalId::of(self.trace.intervals.len() - 1)
    }

    fn count(&mut self, at: Nanos) {
        for (name, value) in self.ledger.changes() {
            let (counter, value) = (CounterId::of(name as usize), Some(value as f64));
            self.trace.counters.push(Count { counter, at, value })
        }
    }
}

/// Marks a request without an end as cut at the end of the run.
fn ended(row: Interval, end: Nanos) -> Interval {
    match row.end {
        Nanos::MAX => Interval { end: end.max(row.start), outcome: Outcome::Cut, ..row },
        _ => row,
    }
}
