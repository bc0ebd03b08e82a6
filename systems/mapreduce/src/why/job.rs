//! A job assembled from its trace. Times are seconds of the trace.
use super::withheld::{Rules, WithholdPeriods};
use crate::log::kinds::{fact, interval};
use crate::log::stores;
use std::collections::BTreeMap;
use trace::{EntityId, Interval, KindRole, NodeId, Outcome, ResourceRole, Trace};

/// Status of a job without an end in its history.
pub const UNKNOWN: &str = "UNKNOWN";

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Job {
    pub entity: Option<EntityId>,
    pub id: String,
    pub name: String,
    pub user: String,
    pub queue: String,
    pub status: String,
    /// Hadoop's message about the job's end; "": none.
    pub diagnostics: String,
    /// Starts of AMs after the first.
    pub restarts: Vec<f64>,
    /// Properties in the given configuration.
    pub conf: BTreeMap<String, String>,
    pub begun: f64,
    pub end: f64,
    /// AM start and its parts.
    pub waits: Vec<Phase>,
    pub tasks: Vec<Task>,
    /// Ran in slots of a JobTracker (Hadoop 1), not in containers.
    pub in_slots: bool,
    /// Fetches of map outputs; empty without reducer logs.
    pub fetches: Vec<Fetch>,
    /// Visits of fetchers to hosts, each with all its outputs.
    pub visits: Vec<Fetch>,
    /// Notes on corrected times.
    pub clocks: Vec<String>,
    /// The times of attempts are too uncertain for any cause.
    pub clocks_unknown: bool,
    /// Counters of the job by "group.name".
    pub numbers: BTreeMap<String, f64>,
    /// What scheduling rules withheld during the job; empty without the ResourceManager's log.
    pub rules: Rules,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Task {
    /// "m_000007".
    pub name: String,
    pub kind: String,
    pub outcome: Outcome,
    /// Hosts with a replica of the input; empty: not recorded.
    pub holders: Vec<String>,
    pub waits: Vec<Phase>,
    /// By start; attempts that never started are last.
    pub attempts: Vec<Attempt>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Attempt {
    /// "m_000007_0".
    pub name: String,
    pub kind: String,
    /// Index of its task in the job.
    pub task: usize,
    pub outcome: Outcome,
    pub node: Option<NodeId>,
    /// "": not recorded.
    pub host: String,
    /// Start and end; `None`: never started.
    pub run: Option<(f64, f64)>,
    pub phases: Vec<Phase>,
    /// Parts of the run that the trace charges to a resource: "disk", "network" or "cpu"; from, to
    /// \[s\].
    pub held: Vec<(&'static str, f64, f64)>,
    pub numbers: BTreeMap<String, f64>,
    /// NODE_LOCAL, …; "": not recorded.
    pub locality: String,
    pub speculative: bool,
    pub error: String,
    /// Killed because its job ended (failed or was killed).
    pub stopped: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Fetch {
    /// The serving host; "": not logged.
    pub host: String,
    pub seconds: f64,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Phase {
    /// A name in `log::kinds::interval`.
    pub kind: String,
    pub from: f64,
    pub to: f64,
}

impl Phase {
    pub fn length(&self) -> f64 {
        self.to - self.from
    }
}

impl Attempt {
    /// Run time \[s\]; 0 if it never started.
    pub fn duration_s(&self) -> f64 {
        self.run.map_or(0.0, |(from, to)| to - from)
    }
    /// A counter; 0 if not recorded. HDFS counters include all stores of the job, of any scheme.
    pub fn number(&self, name: &str) -> f64 {
        match name {
            "HDFS_BYTES_READ" => stores::read(&self.numbers),
            "HDFS_BYTES_WRITTEN" => stores::bytes_written(&self.numbers),
            _ => self.numbers.get(name).copied().unwrap_or(0.0),
        }
    }
    /// CPU time of the process \[s\].
    pub fn cpu(&self) -> f64 {
        self.number("CPU_MILLISECONDS") / 1e3
    }
    /// GC time \[s\]; it overlaps with CPU time.
    pub fn gc(&self) -> f64 {
        self.number("GC_TIME_MILLIS") / 1e3
    }
    /// Bytes read from and written to any file system.
    pub fn disk_bytes(&self) -> f64 {
        stores::all(&self.numbers)
    }
    pub fn is_ok(&self, kind: &str) -> bool {
        self.outcome == Outcome::Ok && self.kind == kind
    }
    /// The lower-case message contains one of `texts`.
    pub fn error_says(&self, texts: &[&str]) -> bool {
        let error = self.error.to_lowercase();
        texts.iter().any(|text| error.contains(text))
    }
    pub fn phase(&self, kind: &str) -> Option<&Phase> {
        self.phases.iter().find(|phase| phase.kind == kind)
    }
}

impl Job {
    pub fn all(trace: &Trace) -> Vec<Job> {
        let mut all = JobBuilder::of(trace);
        for row in &trace.intervals {
            all.interval(trace, row)
        }
        for row in &trace.facts {
            all.fact(trace, row)
        }
        let spells = WithholdPeriods::of(trace);
        let with_rules = |mut job: Job| {
            let waits = |kind: &str| job.container_waits(kind);
            job.rules = spells.within_job(trace, (job.begun, job.end), waits);
            job
        };
        all.jobs.into_iter().map(|job| with_rules(job.sorted())).collect()
    }

    fn sorted(mut self) -> Job {
        if self.status.is_empty() {
            self.status = UNKNOWN.into()
        }
        let over = self.is_aborted();
        for task in &mut self.tasks {
            // A task is only killed with its job; an attempt may be killed for other reasons.
            let stopped = over && matches!(task.outcome, Outcome::Killed | Outcome::Cut);
            let start = |a: &Attempt| a.run.map_or(f64::INFINITY, |run| run.0);
            task.attempts.sort_by(|a, b| start(a).total_cmp(&start(b)).then(a.name.cmp(&b.name)));
            for attempt in &mut task.attempts {
                attempt.phases.sort_by(|a, b| a.from.total_cmp(&b.from));
                // A speculative attempt that never started is known by its message only.
                let beside = attempt.run.is_none() && attempt.error.starts_with("Speculation:");
                attempt.speculative |= beside
            }
            let last = task.attempts.iter().filter_map(|a| a.run).map(|run| run.1);
            let last = last.fold(f64::NEG_INFINITY, f64::max);
            let ends = |a: &Attempt| a.run.is_none_or(|run| run.1 >= last);
            for attempt in &mut task.attempts {
                attempt.stopped = stopped && attempt.outcome == Outcome::Killed && ends(attempt)
            }
        }
        self
    }

    /// Job time \[s\].
    pub fn duration_s(&self) -> f64 {
        self.end - self.begun
    }

    /// The job failed or was killed.
    pub fn is_aborted(&self) -> bool {
        matches!(self.status.as_str(), "FAILED" | "KILLED" | "ERROR")
    }

    /// `kind`: "MAP", "REDUCE".
    pub fn tasks_of(&self, kind: &str) -> impl Iterator<Item = &Task> {
        self.tasks.iter().filter(move |task| task.kind == kind)
    }

    pub fn attempts(&self) -> impl Iterator<Item = &Attempt> {
        self.tasks.iter().flat_map(|task| &task.attempts)
    }

    pub fn successful(&self, kind: &str) -> impl Iterator<Item = &Attempt> {
        self.attempts().filter(move |a| a.is_ok(kind))
    }

    /// Waits of tasks of a kind for containers: from, to \[s\].
    fn container_waits(&self, kind: &str) -> Vec<(f64, f64)> {
        let waits = self.tasks_of(kind).flat_map(|task| &task.waits);
        let waits = waits.filter(|wait| wait.kind == interval::CONTAINER);
        waits.map(|wait| (wait.from, wait.to)).collect()
    }

    /// Run time of all attempts \[s\], including running ones.
    pub fn task_time(&self) -> f64 {
        self.attempts().map(Attempt::duration_s).sum()
    }

    /// Attempts that ended; counters of running ones are not logged yet.
    pub fn ended(&self) -> impl Iterator<Item = &Attempt> {
        self.attempts().filter(|a| a.outcome != Outcome::Cut)
    }

    pub fn has_end(&self) -> bool {
        self.status != UNKNOWN
    }

    /// Attempts that were running at the end of an unfinished history.
    pub fn running(&self) -> impl Iterator<Item = &Attempt> {
        let runs = |a: &&Attempt| a.outcome == Outcome::Cut && a.run.is_some();
        self.attempts().filter(|_| !self.has_end()).filter(runs)
    }

    /// Running tasks of an unfinished Hadoop 1 job: it logs attempts when they end.
    pub fn running_tasks(&self) -> usize {
        let open = |task: &&Task| task.outcome == Outcome::Cut && task.attempts.is_empty();
        let is_any = self.in_slots && !self.has_end();
        if is_any { self.tasks.iter().filter(open).count() } else { 0 }
    }

    /// Run time of attempts that ended \[s\], the basis of shares.
    pub fn ended_time(&self) -> f64 {
        self.ended().map(Attempt::duration_s).sum()
    }

    /// CPU time of all attempts \[s\].
    pub fn cpu(&self) -> f64 {
        self.attempts().map(Attempt::cpu).sum()
    }

    /// GC time of all attempts \[s\].
    pub fn gc(&self) -> f64 {
        self.attempts().map(Attempt::gc).sum()
    }

    /// Fraction of the time of ended attempts that is neither CPU nor GC, 0–1. A lower bound: CPU
    /// and GC may overlap.
    pub fn unexplained(&self) -> f64 {
        let whole = self.ended_time();
        let of = |a: &Attempt| (a.duration_s() - a.cpu() - a.gc()).max(0.0);
        if whole > 0.0 { self.ended().map(of).sum::<f64>() / whole } else { 0.0 }
    }
}

#[derive(Clone, Copy)]
enum Place {
    Job(usize),
    Task(usize, usize),
    Attempt(usize, usize, usize),
}

struct JobBuilder {
    jobs: Vec<Job>,
    places: BTreeMap<EntityId, Place>,
}

impl JobBuilder {
    fn of(trace: &Trace) -> JobBuilder {
        let mut all = JobBuilder { jobs: Vec::new(), places: BTreeMap::new() };
        for at in 0..trace.entities.len() {
            all.entity(trace, EntityId::of(at))
        }
        all
    }

    fn entity(&mut self, trace: &Trace, id: EntityId) {
        let row = &trace.entities[id.at()];
        let name = trace.entity_name(id);
        let parent = row.parent.and_then(|parent| self.places.get(&parent).copied());
        let place = match (trace.kinds[row.kind.at()].name.as_str(), parent) {
            ("job", _) => {
                let begun = row.begun.unwrap_or_default().as_secs();
                let end = row.end.map_or(begun, |end| end.as_secs()).max(begun);
                self.jobs.push(Job { entity: Some(id), name, begun, end, ..Job::default() });
                Place::Job(self.jobs.len() - 1)
            }
            ("task", Some(Place::Job(job))) => {
                let tasks = &mut self.jobs[job].tasks;
                let (kind, holders, waits, attempts) = Default::default();
                tasks.push(Task { name, kind, outcome: row.outcome, holders, waits, attempts });
                Place::Task(job, tasks.len() - 1)
            }
            ("attempt", Some(Place::Task(job, task))) => {
                let attempts = &mut self.jobs[job].tasks[task].attempts;
                attempts.push(Attempt {
                    name,
                    kind: String::new(),
                    task,
                    outcome: row.outcome,
                    node: row.node,
                    host: row.node.map(|node| host(trace, node)).unwrap_or_default(),
                    run: None,
                    phases: Vec::new(),
                    held: Vec::new(),
                    numbers: BTreeMap::new(),
                    locality: String::new(),
                    speculative: false,
                    error: String::new(),
                    stopped: false,
                });
                Place::Attempt(job, task, attempts.len() - 1)
            }
            _ => return,
        };
        self.places.insert(id, place);
    }

    fn interval(&mut self, trace: &Trace, row: &Interval) {
        let parent = row.parent.and_then(|parent| trace.intervals.get(parent.at()));
        let subject = row.subject.or_else(|| parent?.subject);
        let Some(place) = subject.and_then(|subject| self.places.get(&subject).copied()) else {
            return;
        };
        let kind = trace.interval_kind(row.kind).name.clone();
        let (from, to) = (row.start.as_secs(), row.end.as_secs());
        let run = kind == interval::RUN;
        let phase = Phase { kind, from, to };
        match place {
            Place::Job(job) => self.jobs[job].waits.push(phase),
            Place::Task(job, task) => self.jobs[job].tasks[task].waits.push(phase),
            Place::Attempt(job, task, at) => {
                let attempt = &mut self.jobs[job].tasks[task].attempts[at];
                match run {
                    true => attempt.run = Some((from, to)),
                    false => {
                        attempt.held.extend(held(trace, row).map(|name| (name, from, to)));
                        attempt.phases.push(phase)
                    }
                }
            }
        }
    }

    fn fact(&mut self, trace: &Trace, row: &trace::Fact) {
        let Some(place) = self.places.get(&row.entity).copied() else { return };
        let kind = &trace.kinds[row.kind.at()];
        debug_assert!(matches!(kind.role, KindRole::Fact(_)));
        let text = || row.text.clone().unwrap_or_default();
        match (place, kind.name.as_str()) {
            (Place::Job(job), fact::ID) => self.jobs[job].id = text(),
            (Place::Job(job), fact::USER) => self.jobs[job].user = text(),
            (Place::Job(job), fact::QUEUE) => self.jobs[job].queue = text(),
            (Place::Job(job), fact::STATUS) => self.jobs[job].status = text(),
            (Place::Job(job), fact::DIAGNOSTICS) => self.jobs[job].diagnostics = text(),
            (Place::Job(job), fact::RESTART) => self.jobs[job].restarts.extend(row.value),
            (Place::Job(job), key) if key.starts_with("mapreduce.") => {
                self.jobs[job].conf.insert(key.to_string(), text());
            }
            (Place::Task(job, task), fact::HOLDERS) => {
                let all = text();
                let hosts = all.split(',').map(str::trim).filter(|host| !host.is_empty());
                self.jobs[job].tasks[task].holders = hosts.map(String::from).collect()
            }
            (Place::Job(job), fact::PLACES) => self.jobs[job].in_slots = text() == "slots",
            (Place::Job(job), fact::CLOCKS) => self.jobs[job].clocks.push(text()),
            (Place::Job(job), fact::CLOCKS_UNKNOWN) => self.jobs[job].clocks_unknown = true,
            (Place::Job(job), fact::FETCH) => self.jobs[job].fetches.extend(fetch(row)),
            (Place::Job(job), fact::VISIT) => self.jobs[job].visits.extend(fetch(row)),
            (Place::Job(job), name) => {
                let numbers = &mut self.jobs[job].numbers;
                numbers.extend(row.value.map(|value| (name.to_string(), value)))
            }
            (Place::Task(job, task), fact::TYPE) => {
                let task = &mut self.jobs[job].tasks[task];
                task.kind = text();
                task.attempts.iter_mut().for_each(|a| a.kind = task.kind.clone())
            }
            (Place::Attempt(job, task, at), name) => {
                let attempt = &mut self.jobs[job].tasks[task].attempts[at];
                match (name, row.value) {
                    (fact::LOCALITY, _) => attempt.locality = text(),
                    (fact::AVATAAR, _) => attempt.speculative = text() == "SPECULATIVE",
                    (fact::ERROR, _) => attempt.error = text(),
                    (name, Some(value)) => {
                        attempt.numbers.insert(name.to_string(), value);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

fn fetch(row: &trace::Fact) -> Option<Fetch> {
    Some(Fetch { host: row.text.clone().unwrap_or_default(), seconds: row.value? })
}

/// A node's address, else its name.
pub(crate) fn host(trace: &Trace, node: NodeId) -> String {
    let node = &trace.nodes[node.at()];
    node.address.clone().unwrap_or_else(|| node.name.clone())
}

/// Kind of the resource that an interval is charged to.
fn held(trace: &Trace, row: &Interval) -> Option<&'static str> {
    let trace::Cause::Resource(resource) = row.cause else { return None };
    match &trace.resource_kind(resource).role {
        KindRole::Resource(ResourceRole::Disk) => Some("disk"),
        KindRole::Resource(ResourceRole::Network) => Some("network"),
        // A task's own computing is its work; waiting for busy cores is not.
        KindRole::Resource(ResourceRole::Cpu) => {
            (trace.resource_kind(resource).name == "core").then_some("cpu")
        }
        _ => None,
    }
}
