//! Turns histories into one trace: jobs, tasks, attempts, and waits that the logs prove.
mod clocks;
pub mod kinds;
mod phases;
mod request_times;
pub mod stores;
mod trackers;
pub mod withheld;

use crate::import::conf::{Conf, SLOW_START};
use crate::import::history::{Attempt, Job, Node, Task, short};
use clocks::Clocks;
use kinds::{Kinds, fact, fact_of};
use std::borrow::Cow;
use std::collections::BTreeMap;
use trace::{
    Aggregation, Better, Cause, EntityId, Evidence, IntervalId, NodeId, ObjectiveRow, Outcome,
    SettingId, SourceId, Trace, TraceBuilder,
};
use units::Nanos;

/// Resolution of logged times.
const DOUBT: Nanos = Nanos::millis(1);

/// Default of [`SLOW_START`] in MapReduce.
const SLOW_START_DEFAULT: f64 = 0.05;

pub struct Log {
    trace: TraceBuilder,
    kinds: Kinds,
    zero: i64,
    end: Nanos,
    nodes: BTreeMap<Node, NodeId>,
    ports: Ports,
    clocks: Clocks,
}

/// Ports by which a scheduler's logs name nodes, if the histories record them.
pub type Ports = BTreeMap<NodeId, i64>;

struct JobWriter<'l> {
    log: &'l mut Log,
    job: &'l Job,
    entity: EntityId,
    slow_start: (SettingId, f64),
    /// Run of each attempt.
    runs: BTreeMap<&'l str, IntervalId>,
    tasks: BTreeMap<&'l str, EntityId>,
    /// The job's end, or the last known time of an unfinished job.
    end: Nanos,
    /// When each task could have run.
    requested_at: BTreeMap<&'l str, Nanos>,
    /// When the JobTracker received each task's end, and the wait until then.
    reports: BTreeMap<&'l str, (Nanos, IntervalId)>,
}

/// A job with all times corrected to one clock.
struct CorrectedJob<'j> {
    job: Cow<'j, Job>,
    /// Offsets subtracted from the times of TaskTrackers; `None`: not Hadoop 1.
    clock_offsets: Option<BTreeMap<Node, trackers::ClockOffset>>,
    notes: Vec<String>,
    unknown: bool,
}

impl<'j> CorrectedJob<'j> {
    fn of(job: &'j Job) -> CorrectedJob<'j> {
        if job.in_slots {
            let trackers::ShiftedJob { job, clock_offsets: ahead, notes, unknown } =
                trackers::shift_times(job);
            return CorrectedJob {
                job: Cow::Owned(job),
                clock_offsets: Some(ahead),
                notes,
                unknown,
            };
        }
        let (job, note) = clocks::by_master(job);
        CorrectedJob { job, clock_offsets: None, notes: note.into_iter().collect(), unknown: false }
    }
}

impl Log {
    /// `zero`: start of the trace, Unix time \[ms\].
    pub fn new(zero: i64) -> Log {
        let mut trace = TraceBuilder::new();
        trace.about("system", "mapreduce");
        trace.about("origin", "logged");
        trace.about("zero_unix_ns", (i128::from(zero) * 1_000_000).to_string());
        let kinds = Kinds::of(&mut trace);
        let (nodes, ports, clocks) = Default::default();
        Log { trace, kinds, zero, end: Nanos::ZERO, nodes, ports, clocks }
    }

    pub fn source(&mut self, name: &str, format: &str) -> SourceId {
        self.trace.source(name, format, None)
    }

    pub fn problem(&mut self, source: SourceId, line: Option<u64>, what: &str) {
        self.trace.problem(source, line, what)
    }

    pub fn about(&mut self, key: &str, value: &str) {
        self.trace.about(key, value)
    }

    /// Adds a job. Without a configuration, the defaults are assumed, and the trace says so.
    /// Returns notes for users on corrected times.
    pub fn add(&mut self, job: &Job, conf: Option<&Conf>) -> Vec<String> {
        let timed = CorrectedJob::of(job);
        if let Some(ahead) = &timed.clock_offsets {
            self.clocks.add_shifts(ahead.clone())
        }
        self.clocks.narrow_bounds(&timed.job);
        self.add_timed(&timed, conf);
        timed.notes
    }

    fn add_timed(&mut self, timed: &CorrectedJob<'_>, conf: Option<&Conf>) {
        let job = timed.job.as_ref();
        let said = conf.and_then(|conf| conf.get(SLOW_START)?.parse::<f64>().ok());
        let share = said.filter(|share| (0.0..=1.0).contains(share));
        let value = match share {
            Some(share) => share.to_string(),
            None => format!("{SLOW_START_DEFAULT} (default, not in the input)"),
        };
        let setting = self.trace.setting(SLOW_START, value);
        let end = self.at(job.finish.unwrap_or_else(|| job.last()));
        self.end = self.end.max(end);
        let begun = self.at(job.submit.unwrap_or_else(|| job.first()));
        let entity = self.trace.entity(self.kinds.job).name(&job.name).begun(begun).add();
        let slow_start = (setting, share.unwrap_or(SLOW_START_DEFAULT));
        for (key, value) in conf.into_iter().flatten() {
            self.words(entity, key, value)
        }
        timed.notes.iter().for_each(|note| self.words(entity, fact::CLOCKS, note));
        if timed.unknown {
            self.number(entity, fact::CLOCKS_UNKNOWN, 1.0)
        }
        let (runs, tasks, asked, reports) = Default::default();
        JobWriter {
            log: self,
            job,
            entity,
            slow_start,
            runs,
            tasks,
            end,
            requested_at: asked,
            reports,
        }
        .all(begun)
    }

    pub fn ports(&self) -> Ports {
        self.ports.clone()
    }

    pub fn finish(mut self) -> Trace {
        for (node, clock) in self.clocks.estimates() {
            if let Some(id) = self.nodes.get(&node) {
                self.trace.clock(trace::Clock { node: *id, ..clock(*id) })
            }
        }
        let end = self.end;
        self.trace.finish(end)
    }

    fn at(&self, ms: i64) -> Nanos {
        Nanos::millis((ms - self.zero).max(0).unsigned_abs())
    }

    fn node(&mut self, key: &Node) -> NodeId {
        if let Some(id) = self.nodes.get(key) {
            return *id;
        }
        let (host, port) = key;
        let name = if *port > 0 { format!("{host}:{port}") } else { host.clone() };
        let id = self.trace.node(&name).address(host).role("nodemanager").add();
        self.nodes.insert(key.clone(), id);
        id
    }

    fn number(&mut self, of: EntityId, name: &str, value: f64) {
        let (role, unit) = fact_of(name);
        let kind = self.trace.fact_kind(role, name, name);
        let kind = if let Some(unit) = unit { kind.unit(unit).id() } else { kind.id() };
        self.trace.fact(of, kind, value)
    }

    fn words(&mut self, of: EntityId, name: &str, text: &str) {
        let kind = self.trace.fact_kind(trace::FactRole::Other, name, name).id();
        if !text.is_empty() {
            self.trace.text_fact(of, kind, text)
        }
    }
}

fn outcome(status: &str) -> Outcome {
    match status {
        "SUCCEEDED" => Outcome::Ok,
        "KILLED" => Outcome::Killed,
        "" => Outcome::Cut,
        _ => Outcome::Failed,
    }
}

impl<'l> JobWriter<'l> {
    fn all(mut self, begun: Nanos) {
        self.about_job(begun);
        self.master(begun);
        for (id, task) in &self.job.tasks {
            self.task(id, task)
        }
        let mut of_task: BTreeMap<&'l str, Vec<(&'l str, &'l Attempt)>> = BTreeMap::new();
        for (id, attempt) in &self.job.attempts {
            self.attempt(id, attempt);
            of_task.entry(&attempt.task).or_default().push((id, attempt))
        }
        for tries in of_task.values_mut() {
            tries.sort_by_key(|(id, attempt)| (attempt.start.unwrap_or(i64::MAX), *id))
        }
        self.phases(&of_task);
    }

    fn about_job(&mut self, begun: Nanos) {
        let (job, entity, end, log) = (self.job, self.entity, self.end, &mut *self.log);
        log.trace.ended(entity, end, outcome(&job.status));
        for (name, text) in [
            (fact::ID, &job.id),
            (fact::USER, &job.user),
            (fact::QUEUE, &job.queue),
            (fact::STATUS, &job.status),
            (fact::DIAGNOSTICS, &job.diagnostics),
        ] {
            log.words(entity, name, text)
        }
        log.words(entity, fact::PLACES, if job.in_slots { "slots" } else { "" });
        for again in &job.am_again {
            let at = log.at(*again).as_secs();
            log.number(entity, fact::RESTART, at)
        }
        for (name, number) in [(fact::MAPS, job.maps), (fact::REDUCES, job.reduces)] {
            if let Some(number) = number {
                log.number(entity, name, number as f64)
            }
        }
        for (group, name, value) in &job.counters {
            let group = group.rsplit('.').next().unwrap_or(group);
            log.number(entity, &format!("{group}.{name}"), *value as f64)
        }
        log.trace.objective(ObjectiveRow {
            metric: "job time".into(),
            unit: "s".into(),
            better: Better::Less,
            how: Aggregation::Last,
            of: Some("job".into()),
            subject: Some(entity),
            from: begun,
            to: Some(end),
            value: Some((end - begun).as_secs()),
            outcome: outcome(&job.status),
        })
    }

    /// The time from submission to the first task request, in its logged parts.
    fn master(&mut self, begun: Nanos) {
        let Some(first) = self.first_task() else { return };
        let log = &mut *self.log;
        let first = log.at(first);
        let Kinds { am_start, am_container, am_init, am_request, .. } = log.kinds;
        let whole = log.trace.interval(am_start).of(self.entity).from(begun).to(first);
        let whole = whole.cause(Cause::Phase).doubt(DOUBT).evidence(Evidence::Log).push_if_long();
        let (Some(whole), Some(started)) = (whole, self.job.am_start) else { return };
        let started = log.at(started).clamp(begun, first);
        let inited = self.job.inited.map_or(first, |ms| log.at(ms)).clamp(started, first);
        for (kind, from, to) in [
            (am_container, begun, started),
            (am_init, started, inited),
            (am_request, inited, first),
        ] {
            let part = log.trace.interval(kind).within(whole).from(from).to(to);
            part.cause(Cause::Phase).doubt(DOUBT).evidence(Evidence::Log).push_if_long();
        }
    }

    fn first_task(&self) -> Option<i64> {
        self.job.tasks.values().filter_map(|task| task.start).min()
    }

    fn task(&mut self, id: &'l str, task: &Task) {
        let log = &mut *self.log;
        let mut new = log.trace.entity(log.kinds.task).parent(self.entity).name(short(id));
        if let Some(start) = task.start {
            new = new.begun(Nanos::millis((start - log.zero).max(0).unsigned_abs()))
        }
        let entity = new.add();
        if let Some(finish) = task.finish {
            let at = log.at(finish);
            log.trace.ended(entity, at, outcome(&task.status))
        } else if task.status.is_empty() {
            log.trace.ended(entity, self.end, Outcome::Cut)
        }
        log.words(entity, fact::TYPE, &task.kind);
        log.words(entity, fact::HOLDERS, &task.holders.join(","));
        self.tasks.insert(id, entity);
    }

    fn attempt(&mut self, id: &'l str, attempt: &Attempt) {
        let Some(task) = self.tasks.get(attempt.task.as_str()).copied() else { return };
        let log = &mut *self.log;
        let node = attempt.node.as_ref().map(|node| log.node(node));
        log.ports.extend(node.zip(attempt.scheduled));
        let zero = log.zero;
        let mut new = log.trace.entity(log.kinds.attempt).parent(task).name(short(id));
        if let Some(node) = node {
            new = new.node(node)
        }
        if let Some(start) = attempt.start {
            new = new.begun(Nanos::millis((start - zero).max(0).unsigned_abs()))
        }
        let entity = new.add();
        let ended = attempt.finish.or(attempt.start).map(|ms| log.at(ms));
        let how = outcome(&attempt.status);
        match (ended, how) {
            (_, Outcome::Cut) => log.trace.ended(entity, self.end, how),
            (Some(at), how) => log.trace.ended(entity, at, how),
            // Killed before its start, at an unknown time.
            (None, how) => log.trace.broke_off(entity, how),
        }
        let texts = [
            (fact::LOCALITY, attempt.locality.as_deref()),
            (fact::AVATAAR, attempt.avataar.as_deref()),
            (fact::CONTAINER, Some(attempt.container.as_str())),
            (fact::ERROR, attempt.error.as_deref()),
        ];
        for (name, text) in texts {
            log.words(entity, name, text.unwrap_or(""))
        }
        for (name, value) in &attempt.counters {
            log.number(entity, name, *value as f64)
        }
        if let Some(first) = attempt.clock_splits.first() {
            let all: i64 = attempt.clock_splits.iter().fold(0, |sum, ms| sum.saturating_add(*ms));
            log.number(entity, fact::FIRST_TWELFTH, *first as f64);
            log.number(entity, fact::TWELFTHS, all as f64)
        }
        if let Some(start) = attempt.start {
            let from = log.at(start);
            let to = ended.filter(|_| how != Outcome::Cut).unwrap_or(self.end).max(from);
            let run = log.trace.interval(log.kinds.run).of(entity).from(from).to(to);
            let run = run.node(node.expect("who started did so somewhere")).outcome(how);
            let run = run.doubt(DOUBT).evidence(Evidence::Log).push();
            self.runs.insert(id, run);
            self.held(entity, to, attempt)
        }
    }

    /// Output that was made and then lost: nothing waits during this time.
    fn held(&mut self, of: EntityId, made: Nanos, attempt: &Attempt) {
        let Some(lost) = attempt.undone.map(|ms| self.log.at(ms)) else { return };
        let held = Kinds::held_kind(&mut self.log.trace);
        let held = self.log.trace.interval(held).of(of).from(made).to(lost);
        held.cause(Cause::Phase).doubt(DOUBT).evidence(Evidence::Clues).push_if_long();
    }
}
