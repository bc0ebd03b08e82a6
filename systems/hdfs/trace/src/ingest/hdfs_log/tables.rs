//! Builds the trace's tables.
use super::ledger::{COUNTERS, Sample};
use super::log_history::{Copy, LogHistory, Round};
use super::rebuilt_cluster::RebuiltCluster;
use super::settings::Settings;
use crate::{
    Blocks, Cause, Count, CounterId, Interval, NodeId, Setting, SettingId, Trace, begin,
    counter_name, datanode, kind,
};
use trace::IntervalKind;
use units::Nanos;

/// Settings that can explain a wait, in the order of the trace's table.
#[derive(Clone, Copy)]
enum Holder {
    Recheck,
    Interval,
    Multiplier,
    Heartbeat,
}

/// All tables except the run table.
pub(super) struct TableBuilder<'a> {
    story: &'a LogHistory,
    rebuilt: &'a RebuiltCluster,
    settings: &'a Settings,
    /// Time 0 of the trace \[ms\].
    zero: i64,
    trace: Trace,
    blocks: Blocks,
}

/// Omits everything before the first loss.
pub(super) fn tables(
    story: &LogHistory,
    rebuilt: &RebuiltCluster,
    settings: &Settings,
    samples: &[Sample],
) -> Trace {
    let zero = rebuilt.losses.first().map_or(0, |loss| loss.silent);
    let (trace, blocks) = (names(rebuilt, settings), Blocks::default());
    let mut tables = TableBuilder { story, rebuilt, settings, zero, trace, blocks };
    tables.detections();
    story.copies.iter().for_each(|copy| tables.copy(copy));
    tables.counters(samples);
    tables.trace
}

fn names(rebuilt: &RebuiltCluster, settings: &Settings) -> Trace {
    let cluster = &rebuilt.cluster;
    let lost = |id: u32| rebuilt.losses.iter().any(|loss| loss.node.0 == id);
    let nodes = cluster.nodes.iter().zip(cluster.labels()).zip(0..);
    let seconds = |ms: i64| format!("{}s", ms as f64 / 1e3);
    let rows = [
        ("dfs.namenode.heartbeat.recheck-interval", seconds(settings.recheck)),
        ("dfs.namenode.redundancy.interval.seconds", seconds(settings.interval)),
        ("dfs.namenode.replication.work.multiplier.per.iteration", settings.multiplier.to_string()),
        ("dfs.heartbeat.interval", seconds(settings.heartbeat)),
    ];
    Trace {
        racks: cluster.racks.iter().map(|rack| rack.name.clone()).collect(),
        nodes: nodes
            .map(|((node, name), id)| datanode(name, &node.address, node.rack.at(), !lost(id)))
            .collect(),
        settings: rows.map(|(key, value)| Setting { key: key.into(), value }).into(),
        counter_names: COUNTERS.map(counter_name).into(),
        ..begin()
    }
}

impl TableBuilder<'_> {
    fn at(&self, ms: i64) -> Nanos {
        Nanos(u64::try_from(ms - self.zero).unwrap_or(0) * 1_000_000)
    }

    fn node(&self, story: u32) -> Option<NodeId> {
        Some(NodeId::of(self.rebuilt.places[story as usize].at()))
    }

    fn detections(&mut self) {
        for loss in &self.rebuilt.losses {
            let (from, to) = (self.at(loss.silent), self.at(loss.declared));
            let cause = Holder::Recheck.cause();
            let node = Some(NodeId::of(loss.node.at()));
            let row = Interval { node, cause, ..Interval::new(kind::DETECTION, from, to) };
            self.trace.intervals.push(row)
        }
    }

    fn copy(&mut self, copy: &Copy) {
        let first = self.rebuilt.losses.first().map_or(0, |loss| loss.declared);
        let ends = copy.known.or(copy.sent).or(copy.failed);
        if ends.or(copy.decided).is_none_or(|at| at < first) {
            return;
        }
        if let (Some(from), Some(to)) = (copy.queued, copy.decided.or(copy.known)) {
            self.queued(copy, from, to)
        }
        if let (Some(from), Some(to)) = (copy.decided, copy.started) {
            self.handout(copy, from, to)
        }
        let Some(to) = copy.sent.or(copy.known).or(copy.failed) else { return };
        let from = copy.started.or(copy.decided).unwrap_or(to).min(to);
        let row = Interval::new(kind::TRANSFER, self.at(from), self.at(to));
        let came = copy.known.is_some() || copy.sent.is_some();
        let amount = Some(copy.bytes).filter(|bytes| came && *bytes > 0);
        let (node, peer) = (copy.source.and_then(|n| self.node(n)), self.node(copy.target));
        self.push(copy, Interval { node, peer, amount, ..row });
        if let (Some(from), Some(to)) = (copy.sent, copy.known) {
            let row = Interval::new(kind::REPORT, self.at(from), self.at(to));
            self.push(copy, Interval { node: peer, ..row })
        }
    }

    /// The wait before the first round is due to the interval. Later waits are due to the
    /// multiplier if the round decided most of its quota (live nodes × multiplier).
    fn queued(&mut self, copy: &Copy, from: i64, to: i64) {
        let rounds: Vec<Round> =
            self.story.rounds.iter().copied().filter(|r| from < r.at && r.at < to).collect();
        let mut start = from;
        let mut cause = Holder::Interval.cause();
        for round in rounds {
            self.part(copy, kind::QUEUED, start, round.at, cause);
            (start, cause) = (round.at, self.passed_over(round))
        }
        self.part(copy, kind::QUEUED, start, to, cause)
    }

    fn passed_over(&self, round: Round) -> Cause {
        let silent = self.rebuilt.losses.iter().filter(|loss| loss.declared <= round.at).count();
        let live = (self.rebuilt.cluster.nodes.len() - silent) as u64;
        let quota = live * self.settings.multiplier;
        // A round may skip part of its blocks because their sources are busy.
        let full = round.left > 0 && 2 * round.decided > quota;
        if full { Holder::Multiplier.cause() } else { Cause::Unexplained }
    }

    /// A heartbeat fetches a copy: it explains at most one interval of the wait.
    fn handout(&mut self, copy: &Copy, from: i64, to: i64) {
        let fetched = (from + self.settings.heartbeat).min(to);
        self.part(copy, kind::HANDOUT, from, fetched, Holder::Heartbeat.cause());
        self.part(copy, kind::HANDOUT, fetched, to, Cause::Unexplained)
    }

    fn part(&mut self, copy: &Copy, kind: IntervalKind, from: i64, to: i64, cause: Cause) {
        if to > from {
            let source = copy.source.filter(|_| kind == kind::HANDOUT);
            let node = source.and_then(|n| self.node(n));
            let row = Interval::new(kind, self.at(from), self.at(to));
            self.push(copy, Interval { node, cause, ..row })
        }
    }

    fn push(&mut self, copy: &Copy, row: Interval) {
        let subject = Some(self.blocks.add(&mut self.trace, copy.block));
        self.trace.intervals.push(Interval { subject, ..row })
    }

    fn counters(&mut self, samples: &[Sample]) {
        let mut before = None;
        for (at, values) in samples {
            for (name, value) in values.iter().enumerate() {
                if before.is_none_or(|b: [u64; 4]| b[name] != *value) {
                    let (counter, value) = (CounterId::of(name), Some(*value as f64));
                    self.trace.counters.push(Count { counter, at: self.at(*at), value })
                }
            }
            before = Some(*values)
        }
    }
}

impl Holder {
    fn cause(self) -> Cause {
        Cause::Setting(SettingId::of(self as usize))
    }
}
