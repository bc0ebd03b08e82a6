//! The trace of a run: exact sums and histograms of all operations, and a sample of operations.
pub mod away;
mod bins;
pub mod calls;
pub mod directories;
mod history;
pub mod kinds;
mod names;
pub mod parts;
pub mod phases;
mod sample;

use crate::model::mdtest::Plan;
use crate::model::trace::Trace;
use crate::model::{Done, Lost, Record, Settings, Switching, Times};
use away::AWAY;
use bins::Bins;
use cluster::{Sheet, SystemData};
use directories::Directories;
use engine::{Sink, Stamp};
use kinds::{BUCKETS, Kinds, OPS};
use names::Names;
use parts::PARTS;
use ppmds_protocol::{Ino, OperationKind};
use sample::Sample;
use std::collections::BTreeMap;
use std::sync::Arc;
use system::{RunEnd, SimulatedRun, without};
use trace::operations::histogram;
use trace::reading::Reading;
use trace::{
    Histogram, ObjectiveRow, OptionalNumber, ResourceId, Sample as Use, Sum, TraceBuilder,
};
use units::Nanos;

const RATE_BINS: usize = 4_096;
/// Operations per client below which the first and last ones distort a steady rate.
const FEW: u64 = 8;

/// Results of a run beyond its trace.
#[derive(Default)]
pub struct RunResults {
    pub kinds: Kinds,
    pub directories: Directories,
    /// The replayed trace, if any.
    pub replayed: Option<Arc<Trace>>,
    /// Directories that a trace's clients made, with the indices of their paths.
    pub named: BTreeMap<Ino, u32>,
    /// mdtest's SUMMARY; empty without mdtest.
    pub summary: Vec<phases::Summary>,
    pub history: Option<String>,
}

impl RunResults {
    pub fn of(own: &SystemData) -> Option<&RunResults> {
        own.as_deref().and_then(|own| own.downcast_ref::<RunResults>())
    }
}

pub struct Recorder {
    trace: TraceBuilder,
    names: Names,
    times: Times,
    switching: Switching,
    threads: u32,
    /// By operation, server and part: time \[ns\]; steps; then by operation lost messages and their
    /// time.
    sums: Vec<[u64; PARTS]>,
    pieces: Vec<u64>,
    lost: [(u64, u64); OPS],
    latencies: Vec<[u64; BUCKETS]>,
    /// Latencies of operations due in the window of an open loop.
    steady: Vec<u64>,
    /// Operations, and their summed latencies.
    rate: Bins,
    served: Bins,
    servers: usize,
    /// For each client: time of its first answer and of its last.
    clients: Vec<(Nanos, Nanos)>,
    /// End of an open loop.
    until: Option<Nanos>,
    sample: Option<Sample>,
    operations: u64,
    steps: u64,
    /// Time of servers' NICs for messages other than plain answers \[ns\].
    between: u64,
    directories: Directories,
    stale: u64,
    failed: u64,
    moved: u64,
    messages: u64,
    transactions: u64,
    crashes: u64,
    kinds: Kinds,
    history: history::History,
    phases: phases::Phases,
    plan: Option<Plan>,
    replayed: Option<Arc<Trace>>,
    named: BTreeMap<Ino, u32>,
    rows: u64,
    most_rows: u64,
    sent_most: u64,
    store_busiest: Nanos,
    end: Nanos,
}

impl Recorder {
    pub fn new(sheet: &Sheet, settings: &Settings, seed: u64, whole: bool) -> Recorder {
        let mut trace = TraceBuilder::new();
        let names = Names::new(&mut trace, sheet, settings);
        let servers = settings.servers as usize;
        let bins = (262_144 / servers).clamp(16, 128);
        Recorder {
            trace,
            names,
            times: settings.times,
            switching: settings.switching,
            threads: settings.store.map_or(0, |(threads, _)| threads),
            sums: vec![[0; PARTS]; OPS * servers],
            pieces: vec![0; OPS * servers],
            lost: [(0, 0); OPS],
            latencies: vec![[0; BUCKETS]; OPS],
            steady: vec![0; BUCKETS],
            rate: Bins::new(RATE_BINS, 2),
            served: Bins::new(bins, servers),
            servers,
            clients: vec![(Nanos::MAX, Nanos::ZERO); settings.clients as usize],
            until: settings.workload.open.map(|(_, until)| until),
            sample: whole.then(|| Sample::new(seed, settings.workload.expected(settings.clients))),
            operations: 0,
            steps: 0,
            between: 0,
            directories: Directories::default(),
            stale: 0,
            failed: 0,
            moved: 0,
            messages: 0,
            transactions: 0,
            crashes: 0,
            kinds: Kinds::default(),
            history: history::History::of(settings),
            phases: phases::Phases::default(),
            plan: settings.workload.plan().cloned(),
            replayed: settings.workload.trace().cloned(),
            named: BTreeMap::new(),
            rows: 0,
            most_rows: 0,
            sent_most: 0,
            store_busiest: Nanos::ZERO,
            end: Nanos::ZERO,
        }
    }

    pub fn add(&mut self, record: &Record) {
        match record {
            Record::Done(done) => self.done(done),
            Record::Lost(Lost { op, start, end }) => {
                let lost = &mut self.lost[*op as usize];
                *lost = (lost.0 + 1, lost.1 + (*end - *start).0)
            }
            Record::Server { rows, store_busy, sent, transactions, moved, crashes, .. } => {
                self.messages += sent;
                self.transactions += transactions;
                self.moved += moved;
                self.crashes += u64::from(*crashes);
                self.rows += rows;
                self.most_rows = self.most_rows.max(*rows);
                self.store_busiest = self.store_busiest.max(*store_busy)
            }
            Record::Client { sent, .. } => {
                self.messages += sent;
                self.sent_most = self.sent_most.max(*sent)
            }
            Record::Sent { server, at, took } => {
                self.served.add(*at, *server as usize, took.0);
                self.between += took.0
            }
            Record::Cost(cost) => self.kinds.cost(cost),
            Record::Seen(seen) => self.history.seen(seen),
            Record::Answered { client, number, outcome, saw } => {
                self.history.answered(*client, *number, outcome, saw)
            }
            Record::Named { ino, path } => {
                self.named.insert(*ino, *path);
            }
            Record::Phase { phase, operations, from, to } => {
                self.phases.add(*phase, *operations, (*from, *to))
            }
        }
    }

    /// Merges the records of two threads; the order does not matter.
    pub fn and(mut self, other: Recorder) -> Recorder {
        add(self.sums.iter_mut().flatten(), other.sums.iter().flatten());
        add(self.pieces.iter_mut(), other.pieces.iter());
        add(self.latencies.iter_mut().flatten(), other.latencies.iter().flatten());
        add(self.steady.iter_mut(), other.steady.iter());
        for (mine, other) in self.lost.iter_mut().zip(other.lost) {
            *mine = (mine.0 + other.0, mine.1 + other.1)
        }
        for (mine, other) in self.clients.iter_mut().zip(other.clients) {
            *mine = (mine.0.min(other.0), mine.1.max(other.1))
        }
        self.rate.include(other.rate);
        self.served.include(other.served);
        if let (Some(sample), Some(other)) = (&mut self.sample, other.sample) {
            sample.include(other)
        }
        self.operations += other.operations;
        self.steps += other.steps;
        self.between += other.between;
        self.directories.include(&other.directories);
        self.stale += other.stale;
        self.failed += other.failed;
        self.moved += other.moved;
        self.messages += other.messages;
        self.transactions += other.transactions;
        self.crashes += other.crashes;
        self.kinds.include(&other.kinds);
        self.history.include(other.history);
        self.phases.include(&other.phases);
        self.named.extend(other.named);
        self.rows += other.rows;
        self.most_rows = self.most_rows.max(other.most_rows);
        self.sent_most = self.sent_most.max(other.sent_most);
        self.store_busiest = self.store_busiest.max(other.store_busiest);
        self.end = self.end.max(other.end);
        self
    }

    fn done(&mut self, done: &Done) {
        let parts = parts::parts(done, &self.times, self.switching);
        let place = done.op as usize * self.servers + done.server as usize;
        self.sums[place].iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        self.pieces[place] += 1;
        self.steps += 1;
        self.served.add(done.end, done.server as usize, self.times.at_server().0);
        self.end = self.end.max(done.end);
        if let Some(failed) = done.last {
            let latency = (done.end - done.wanted).0;
            self.operations += 1;
            self.failed += u64::from(failed);
            self.kinds.count(done.op, failed);
            self.directories.add(done.directory, latency);
            let bucket = histogram::bucket(latency) as usize;
            self.latencies[done.op as usize][bucket] += 1;
            if self.open_window().is_some_and(|(from, to)| from <= done.wanted && done.wanted < to)
            {
                self.steady[bucket] += 1
            }
            self.rate.add_from(done.end, 0, [1, latency]);
            let client = &mut self.clients[done.client as usize];
            *client = (client.0.min(done.end), client.1.max(done.end))
        } else {
            self.stale += u64::from(
                done.asked != OperationKind::Servers && done.asked != OperationKind::Readdir,
            )
        }
        if let Some(sample) = &mut self.sample {
            sample.take(done, &parts, &self.names)
        }
    }

    /// The window of an open loop, without the first tenth, in which queues build up.
    fn open_window(&self) -> Option<(Nanos, Nanos)> {
        self.until.map(|until| (Nanos(until.0 / 10), until))
    }

    /// The window in which all clients are at work: from the last client's first answer to the
    /// first client's last. An open loop leaves out its first tenth. The whole run if the window is
    /// under a tenth of it, or if clients have too few operations.
    fn steady(&self) -> (Nanos, Nanos) {
        if let Some((from, until)) = self.open_window() {
            return (from, until.min(self.end));
        }
        let idle = |client: &&(Nanos, Nanos)| client.0 <= client.1;
        let all = || self.clients.iter().filter(idle);
        let from = all().map(|client| client.0).max().unwrap_or_default();
        let to = all().map(|client| client.1).min().unwrap_or_default();
        let long = to.saturating_sub(from).0 * 10 >= self.end.0;
        match long && self.operations >= FEW * all().count() as u64 {
            true => (from, to),
            false => (Nanos::ZERO, self.end),
        }
    }

    /// Operations per second in a window, from its complete bins.
    fn rate_in(&self, window: (Nanos, Nanos)) -> f64 {
        let (first, behind) = self.rate.inside(window);
        if behind <= first + 1 || window.1 == self.end {
            let span = (window.1 - window.0).as_secs().max(1e-9);
            let all = self.rate.inside((window.0, Nanos(self.end.0 + self.rate.width().0)));
            return self.rate.sum(all, 0) as f64 / span;
        }
        let span = self.rate.width().as_secs() * (behind - first) as f64;
        self.rate.sum((first, behind), 0) as f64 / span
    }

    pub fn finish(mut self, ended: RunEnd) -> SimulatedRun {
        let window = self.steady();
        let rate = self.rate_in(window);
        self.write_sums();
        self.write_curves();
        let more = self.metrics(window);
        // A paced trace fixes the rate, so latency is the objective.
        if self.replayed.as_ref().is_some_and(|all| all.is_paced()) {
            let mean = self.mean_ms();
            self.trace.objective(ObjectiveRow::mean_ms("latency_ms_mean", self.end, mean))
        }
        self.trace.objective(ObjectiveRow::rate("operations_per_s", None, self.end, rate));
        let seconds = |t: Nanos| format!("{} s", t.as_secs());
        self.trace.about("rate from", seconds(window.0));
        self.trace.about("rate to", seconds(window.1));
        if let Some(sample) = self.sample.take() {
            sample.write(&mut self.trace)
        }
        let trace = self.trace.finish(self.end);
        let mut reading = Reading::of(&trace);
        reading.metrics.extend(more);
        let mut kinds = std::mem::take(&mut self.kinds);
        kinds.latencies(&self.latencies);
        let summary = self.plan.as_ref().map_or_else(Vec::new, |plan| self.phases.summary(plan));
        let history = self.history.lines();
        let directories = std::mem::take(&mut self.directories);
        // Losses have no share of the time that a run without the network would save, and a paced
        // operation starts no earlier without a resource.
        let lost: u64 = self.lost.iter().map(|lost| lost.0).sum();
        let paced =
            self.until.is_some() || self.replayed.as_ref().is_some_and(|all| all.is_paced());
        let (replayed, named) = (self.replayed.take(), std::mem::take(&mut self.named));
        let results = RunResults { kinds, directories, replayed, named, summary, history };
        let own: SystemData = Some(Arc::new(results));
        if !paced && lost == 0 {
            let without = without::metrics(&reading, &AWAY);
            reading.metrics.extend(without)
        }
        SimulatedRun { simulated: self.end, own, ..SimulatedRun::of(trace, reading, ended) }
    }

    fn mean_ms(&self) -> f64 {
        let all = self.rate.inside((Nanos::ZERO, Nanos(self.end.0 + self.rate.width().0)));
        self.rate.sum(all, 1) as f64 / self.operations.max(1) as f64 / 1e6
    }

    fn metrics(&self, window: (Nanos, Nanos)) -> Vec<(String, f64)> {
        let quantile = |part: f64| {
            // The build-up of an open loop is excluded from its rate and latencies.
            let all = |bucket: usize| match self.until {
                Some(_) => self.steady[bucket],
                None => self.latencies.iter().map(|op| op[bucket]).sum::<u64>(),
            };
            let buckets: Vec<(u32, u64)> =
                (0..BUCKETS).map(|at| (units::u32_of(at), all(at))).filter(|b| b.1 > 0).collect();
            histogram::quantile(&buckets, part).unwrap_or(0.0) / 1e6
        };
        let span = self.end.as_secs().max(1e-9);
        // Utilisation of the busiest server's NIC in the window.
        let inside = self.served.inside(window);
        let (inside, seconds) = match inside.1 >= inside.0 + 4 {
            true => (inside, self.served.width().as_secs() * (inside.1 - inside.0) as f64),
            false => (self.served.inside((Nanos::ZERO, Nanos::MAX)), span),
        };
        let most = (0..self.servers).map(|s| self.served.sum(inside, s)).max().unwrap_or(0);
        let busiest = most as f64 / seconds / 1e9;
        let Times { startup, client, switch, server } = self.times;
        // Pairs of request and answer.
        let at_server = self.times.at_server().0.max(1);
        let pairs = (self.steps as f64 + self.between as f64 / at_server as f64 / 2.0) / span;
        let at_switch = match self.switching {
            Switching::Port | Switching::Lp => {
                busiest * (startup + server.max(switch)).0 as f64 / at_server as f64
            }
            Switching::Document => pairs * (startup + client.max(switch)).as_secs(),
            Switching::Single => pairs * (startup * 2 + client + switch).as_secs(),
        };
        let store = match self.threads {
            0 => 0.0,
            threads => self.store_busiest.as_secs() / span / f64::from(threads),
        };
        let nic = self.sent_most as f64 * (startup + client).as_secs() / span;
        let named = |(name, value): (&str, f64)| (name.to_string(), value);
        [
            ("latency_ms_p50", quantile(0.5)),
            ("latency_ms_p99", quantile(0.99)),
            ("operations", self.operations as f64),
            ("messages", self.messages as f64),
            ("utilisation_max_client_nic", nic.min(1.0)),
            ("utilisation_max_server_nic", busiest.min(1.0)),
            ("utilisation_max_switch", at_switch.min(1.0)),
            ("utilisation_max_store", store.min(1.0)),
            ("operations_failed", self.failed as f64),
            ("stale_answers", self.stale as f64),
            ("rows_moved", self.moved as f64),
            ("transactions", self.transactions as f64),
            ("aborts", self.kinds.aborts() as f64),
            ("retries", self.kinds.retries() as f64),
            ("server_crashes", self.crashes as f64),
            ("rows", self.rows as f64),
            ("rows_most_of_a_server", self.most_rows as f64),
        ]
        .into_iter()
        .chain(self.until.map(|_| ("operations_wanted_per_s", self.wanted(window))))
        .map(named)
        .collect()
    }

    /// Operations offered per second in the window of an open loop, answered or not.
    fn wanted(&self, window: (Nanos, Nanos)) -> f64 {
        let seconds = (window.1 - window.0).as_secs().max(1e-9);
        self.steady.iter().sum::<u64>() as f64 / seconds
    }

    fn write_sums(&mut self) {
        let mut sums = Vec::new();
        for op in OperationKind::ALL {
            let operation = self.names.operations[op as usize];
            let (times, total) = self.lost[op as usize];
            if times > 0 {
                let (kind, charged) = (self.names.retry, self.names.timeout());
                sums.push(Sum { at: Nanos::ZERO, operation, kind, charged, times, total })
            }
            for part in 0..PARTS {
                for server in 0..self.servers {
                    let place = op as usize * self.servers + server;
                    let total = self.sums[place][part];
                    if total > 0 {
                        let kind = self.names.parts[part];
                        let charged = self.names.charged(part, server, op);
                        let times = self.pieces[place];
                        sums.push(Sum { at: Nanos::ZERO, operation, kind, charged, times, total })
                    }
                }
            }
        }
        self.trace.sums(sums);
        let mut rows = Vec::new();
        for op in OperationKind::ALL {
            for (bucket, times) in (0u32..).zip(self.latencies[op as usize]) {
                if times > 0 {
                    let operation = self.names.operations[op as usize];
                    rows.push(Histogram { at: Nanos::ZERO, operation, node: None, bucket, times })
                }
            }
        }
        self.trace.histograms(rows)
    }

    /// Rate and latency of the run, and utilisation of servers' NICs, over time.
    fn write_curves(&mut self) {
        let bins = self.rate.inside((Nanos::ZERO, self.end)).1.max(1);
        let step = bins.div_ceil(240);
        let (rate, mean) = (
            self.trace.counter("rate", "1/s", None, None),
            self.trace.counter("latency", "ms", None, None),
        );
        for first in (0..bins).step_by(step) {
            let range = (first, (first + step).min(bins));
            let width = self.rate.width().as_secs() * (range.1 - range.0) as f64;
            let at = Nanos(first as u64 * self.rate.width().0);
            let (count, sum) = (self.rate.sum(range, 0), self.rate.sum(range, 1));
            self.trace.count(rate, at, Some(count as f64 / width));
            let value = (count > 0).then(|| sum as f64 / count as f64 / 1e6);
            self.trace.count(mean, at, value)
        }
        let width = self.served.width().0 as f64;
        let bins = self.served.inside((Nanos::ZERO, self.end)).1 + 1;
        for bin in 0..bins.min((262_144 / self.servers).clamp(16, 128)) {
            for server in 0..self.servers {
                let busy = (self.served.get(bin, server) as f64 / width).min(1.0);
                let at = Nanos(bin as u64 * self.served.width().0);
                let resource: ResourceId = self.names.server_nics[server];
                let (used, busy, queue) = (OptionalNumber::NONE, busy.into(), OptionalNumber::NONE);
                self.trace.sample(Use { resource, at, used, busy, queue })
            }
        }
    }
}

impl Sink<Record> for Recorder {
    const ORDERED: bool = false;
    fn take(&mut self, _: Stamp, record: Record) {
        self.add(&record)
    }
}

fn add<'a>(to: impl Iterator<Item = &'a mut u64>, from: impl Iterator<Item = &'a u64>) {
    to.zip(from).for_each(|(to, from)| *to += from)
}
