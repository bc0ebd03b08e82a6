//! Builds trace and figures of a simulated run, in the form of logged jobs.
mod figures;

use crate::log::kinds::{Kinds, fact, fact_of};
use crate::model::{AttemptReport, BEHIND_REDUCE, JobReport, LIMITS, PHASES, Phase, Record};
use crate::policy::{RULES, Rule, rules};
use crate::settings::Settings;
use crate::without::{DoneTask, Holder, without};
use cluster::Sheet;
use engine::Shared;
use std::collections::{BTreeMap, BTreeSet};
use system::SimulatedRun;
use trace::reading::Reading;
use trace::{
    Aggregation, Better, Cause, ChargeTarget, EntityId, FactKind, FactRole, IntervalKind, NodeId,
    ObjectiveRow, ResourceRole, Sum, TraceBuilder,
};
use units::Nanos;

/// Attempts are kept in the trace up to this number; beyond it only sums are.
const KEPT: u64 = 20_000;

/// Fetches of map outputs are kept up to this number for each job.
const FETCHES_KEPT: u32 = 100_000;

pub struct Recorder {
    trace: TraceBuilder,
    kinds: Kinds,
    causes: BTreeMap<Holder, Cause>,
    nodes: Vec<NodeId>,
    keep: bool,
    /// Declared with the first fetch.
    fetch: Option<FactKind>,
    jobs: BTreeMap<u32, EntityId>,
    tasks: BTreeMap<(u32, bool, u32), EntityId>,
    spent: BTreeMap<(usize, Holder), (u64, u64)>,
    /// Job number, and job time \[s\].
    took: Vec<(u32, f64)>,
    ends: Vec<Nanos>,
    maps: Vec<(f64, Holder)>,
    reduces: Vec<(f64, Holder)>,
    local: u64,
    speculative: u64,
    failed: u64,
    killed: u64,
    jobs_failed: u64,
    /// Jobs that had not ended at the end of the run.
    unfinished: u64,
    /// Slot time withheld of maps, and of reduces \[s\].
    withheld: [f64; 2],
    bytes: [u64; 4],
    last: Nanos,
    attempts: u64,
    /// Time during which each of [`LIMITS`] limited attempts \[ns\]; concurrent copies are summed.
    limited: [u64; LIMITS],
    of_job: (u32, u32),
    did: Vec<DoneTask>,
    settings: Shared<Settings>,
}

impl Recorder {
    pub fn new(sheet: &Sheet, settings: &Shared<Settings>, keep: bool) -> Recorder {
        let mut trace = TraceBuilder::new();
        trace.about("system", "mapreduce");
        trace.about("origin", "simulated");
        trace.about("zero_unix_ns", "0");
        let kinds = Kinds::of_simulation(&mut trace);
        let cluster = trace.node("cluster").role("cluster").add();
        let mut resource = |role, kind: &str, name: &str| {
            let kind = trace.resource_kind(role, kind, name).id();
            Cause::Resource(trace.resource(kind, name).node(cluster).add())
        };
        let mut causes: BTreeMap<Holder, Cause> = [
            (Holder::Disk, resource(ResourceRole::Disk, "disk", "Disks")),
            (Holder::Network, resource(ResourceRole::Network, "nic", "NICs")),
            (Holder::Uplink, resource(ResourceRole::Network, "uplink", "Rack uplinks")),
            (Holder::Core, resource(ResourceRole::Cpu, "core", "Cores")),
            (Holder::Compute, resource(ResourceRole::Cpu, "compute", "Computing")),
        ]
        .into();
        let mut set = |key: &str| {
            let value = sheet.find(key).map_or(String::new(), |_| sheet.text(key).to_string());
            Cause::Setting(trace.setting(key, value))
        };
        causes.insert(Holder::Slots { map: true }, set("cluster.map_slots"));
        causes.insert(Holder::Slots { map: false }, set("cluster.reduce_slots"));
        causes.insert(Holder::Startup, set("task.startup"));
        causes.insert(Holder::Maps, set("task.slow_start"));
        let used = |place: usize| settings.scheduling.rules.contains(&place);
        // A rule that was given or has no key of its own is in a trace only where it is used.
        let is_known = |place: usize, rule: &dyn Rule| {
            place < RULES.len() && rule.key() != "policy.scheduling"
        };
        let rules = rules().enumerate();
        for (place, rule) in rules.filter(|(place, rule)| is_known(*place, *rule) || used(*place)) {
            let place = units::u32_of(place);
            causes.insert(Holder::Rule(place), set(rule.key()));
        }
        let node = |n: u32| trace.node(&format!("node-{:02}", n + 1)).role("tasktracker").add();
        let nodes = (0..settings.nodes).map(node).collect();
        let tasks = u64::from(settings.maps) + u64::from(settings.reduces);
        Recorder {
            kinds,
            causes,
            nodes,
            keep: keep && tasks * u64::from(settings.jobs) <= KEPT,
            fetch: None,
            jobs: BTreeMap::new(),
            tasks: BTreeMap::new(),
            spent: BTreeMap::new(),
            took: Vec::new(),
            ends: Vec::new(),
            maps: Vec::new(),
            reduces: Vec::new(),
            local: 0,
            speculative: 0,
            failed: 0,
            killed: 0,
            jobs_failed: 0,
            unfinished: 0,
            withheld: [0.0; 2],
            bytes: [0; 4],
            last: Nanos::ZERO,
            attempts: 0,
            limited: [0; LIMITS],
            of_job: (settings.maps, settings.reduces),
            did: Vec::new(),
            settings: Shared::clone(settings),
            trace,
        }
    }

    pub fn add(&mut self, now: Nanos, record: &Record) {
        match record {
            Record::Ended(ended) => self.ended(now, ended),
            Record::Finished(finished) => self.finished(now, finished),
            Record::Withheld { rule, map, slots, since } => {
                // Delay scheduling and reduces-by-need time tasks; the others limit a node's load.
                if crate::policy::rule(*rule as usize).is_lifted() {
                    self.withheld[usize::from(!map)] += f64::from(*slots) * (now - *since).as_secs()
                }
            }
            Record::Fetched { job, from, took } => self.keep_fetch(*job, *from, took.as_secs()),
        }
    }

    fn ended(&mut self, now: Nanos, ended: &AttemptReport) {
        use crate::model::AttemptEnd::*;
        self.attempts += 1;
        for limited in &ended.limited {
            self.limited.iter_mut().zip(limited).for_each(|(sum, time)| *sum += time.0)
        }
        self.speculative += u64::from(ended.speculative);
        self.bytes.iter_mut().zip(ended.bytes).for_each(|(sum, bytes)| *sum += bytes);
        let parts = self.parts(ended);
        match ended.end {
            Failed => self.failed += 1,
            Killed => self.killed += 1,
            Succeeded => {
                self.ends.push(now);
                for (place, holder, from, to) in &parts {
                    let spent = self.spent.entry((*place, *holder)).or_default();
                    *spent = (spent.0 + 1, spent.1 + (*to - *from).0)
                }
                if self.keep {
                    self.keep_did(ended)
                }
                let took = (now - ended.started_at).as_secs();
                match ended.map {
                    true => {
                        self.maps.push((took, longest(&parts)));
                        self.local += u64::from(ended.local)
                    }
                    false => self.reduces.push((took, longest(&parts))),
                }
            }
        }
        if self.keep {
            self.keep_attempt(now, ended, &parts)
        }
    }

    fn keep_fetch(&mut self, job: u32, from: u32, seconds: f64) {
        let fetches = self.of_job.0.saturating_mul(self.of_job.1);
        let Some(entity) = self.jobs.get(&job).filter(|_| fetches <= FETCHES_KEPT) else { return };
        let kind = *self.fetch.get_or_insert_with(|| fact::fetch_kind(&mut self.trace));
        let host = &self.trace.so_far().nodes[self.nodes[from as usize].at()].name;
        self.trace.named_fact(*entity, kind, seconds, &host.clone())
    }

    /// Input of the replay without a resource.
    fn keep_did(&mut self, ended: &AttemptReport) {
        let AttemptReport { job, task, map, node, local, started_at: begun, bytes, .. } = *ended;
        self.did.push(DoneTask { job, task, map, node, started_at: begun, local, bytes })
    }

    /// Parts of an attempt's time: index of the kind (0: waits for a slot), holder, from, to.
    fn parts(&self, ended: &AttemptReport) -> Vec<(usize, Holder, Nanos, Nanos)> {
        let mut parts = Vec::new();
        let mut add = |place: usize, holder: Holder, from: Nanos, to: Nanos| {
            if from < to {
                parts.push((place, holder, from, to))
            }
        };
        let waits = match ended.withheld {
            u32::MAX => Holder::Slots { map: ended.map },
            BEHIND_REDUCE => Holder::Slots { map: false },
            rule => Holder::Rule(rule),
        };
        add(0, waits, ended.requested_at.min(ended.started_at), ended.started_at);
        let mut from = ended.started_at;
        for (place, to) in ended.ends.into_iter().enumerate() {
            let to = to.max(from);
            let mut split = |from: Nanos, to: Nanos| {
                for (holder, from, to) in split(&ended.limited[place], from, to) {
                    add(place + 1, holder, from, to)
                }
            };
            match Phase::ALL[place] {
                Phase::Startup => add(1, Holder::Startup, from, to),
                // A copying reduce waits for maps until it is notified of the last one.
                Phase::Input if !ended.map => {
                    let notified = ended.notified_at.clamp(from, to);
                    split(notified, to);
                    add(2, Holder::Maps, from, notified);
                }
                _ => split(from, to),
            }
            from = to
        }
        parts
    }

    fn finished(&mut self, now: Nanos, finished: &JobReport) {
        self.took.push((finished.job, (now - finished.submitted).as_secs()));
        self.jobs_failed += u64::from(finished.failed);
        self.last = now;
        if !self.keep {
            return;
        }
        let entity = self.job(finished.job, finished.submitted);
        let (outcome, status) = match finished.failed {
            true => (trace::Outcome::Failed, "FAILED"),
            false => (trace::Outcome::Ok, "SUCCEEDED"),
        };
        self.trace.ended(entity, now, outcome);
        let id = format!("job_{:04}", finished.job);
        for (name, text) in [(fact::ID, id.as_str()), (fact::STATUS, status)] {
            let kind = self.trace.fact_kind(FactRole::Other, name, name).id();
            self.trace.text_fact(entity, kind, text)
        }
        let (maps, reduces) = self.of_job;
        for (name, number) in [(fact::MAPS, maps), (fact::REDUCES, reduces)] {
            let kind = self.trace.fact_kind(FactRole::Other, name, name).id();
            self.trace.fact(entity, kind, number.into())
        }
    }

    fn job(&mut self, job: u32, begun: Nanos) -> EntityId {
        if let Some(known) = self.jobs.get(&job) {
            return *known;
        }
        let name = format!("job {job}");
        let entity = self.trace.entity(self.kinds.job).name(&name).begun(begun).add();
        self.jobs.insert(job, entity);
        entity
    }

    fn keep_attempt(
        &mut self,
        now: Nanos,
        ended: &AttemptReport,
        parts: &[(usize, Holder, Nanos, Nanos)],
    ) {
        use crate::model::AttemptEnd::*;
        let job = self.job(ended.job, ended.requested_at);
        let letter = if ended.map { "m" } else { "r" };
        let name = format!("{letter}_{:06}", ended.task);
        let key = (ended.job, ended.map, ended.task);
        let task = match self.tasks.get(&key) {
            Some(known) => *known,
            None => {
                let new = self.trace.entity(self.kinds.task).parent(job).name(&name);
                let new = new.begun(ended.requested_at).add();
                self.words(new, fact::TYPE, if ended.map { "MAP" } else { "REDUCE" });
                self.tasks.insert(key, new);
                new
            }
        };
        let outcome = match ended.end {
            Succeeded => trace::Outcome::Ok,
            Failed => trace::Outcome::Failed,
            Killed => trace::Outcome::Killed,
        };
        if ended.end == Succeeded {
            self.trace.ended(task, now, outcome)
        }
        let node = self.nodes[ended.node as usize];
        let attempt = self.trace.entity(self.kinds.attempt).parent(task);
        let attempt = attempt.name(&format!("{name}_{}", ended.number)).node(node);
        let attempt = attempt.begun(ended.started_at).add();
        self.trace.ended(attempt, now, outcome);
        if ended.map {
            let locality = if ended.local { "NODE_LOCAL" } else { "OFF_SWITCH" };
            self.words(attempt, fact::LOCALITY, locality)
        }
        let avataar = if ended.speculative { "SPECULATIVE" } else { "VIRGIN" };
        self.words(attempt, fact::AVATAAR, avataar);
        let run = self.trace.interval(self.kinds.run).of(attempt).node(node);
        let run = run.from(ended.started_at).to(now).outcome(outcome).push();
        for (place, holder, from, to) in parts {
            let kind = self.kind(*place, ended.map);
            let cause = self.causes[holder];
            let part = self.trace.interval(kind).from(*from).to(*to).cause(cause);
            match place {
                0 => part.of(task).push(),
                _ => part.within(run).push(),
            };
        }
    }

    fn kind(&self, place: usize, map: bool) -> IntervalKind {
        match (place, map) {
            (0, _) => self.kinds.container,
            (1..=3, true) => self.kinds.map,
            (_, true) => self.kinds.commit,
            (1 | 2, false) => self.kinds.copy,
            (3, false) => self.kinds.merge,
            (_, false) => self.kinds.reduce,
        }
    }

    fn words(&mut self, of: EntityId, name: &str, text: &str) {
        let kind = self.trace.fact_kind(fact_of(name).0, name, name).id();
        self.trace.text_fact(of, kind, text)
    }

    /// An unfinished job counts with the time it had, a lower bound.
    fn add_unfinished(&mut self) {
        let ended: BTreeSet<u32> = self.took.iter().map(|(job, _)| *job).collect();
        for job in (0..self.settings.jobs).filter(|job| !ended.contains(job)) {
            let submitted = self.settings.arrival * u64::from(job);
            let had = self.settings.limit.saturating_sub(submitted);
            self.unfinished += 1;
            self.took.push((job, had.as_secs()))
        }
    }

    pub fn finish(mut self, ended: system::RunEnd) -> SimulatedRun {
        let end = self.last;
        self.add_unfinished();
        // By submission.
        self.took.sort_by_key(|(job, _)| *job);
        let took: Vec<f64> = self.took.iter().map(|(_, took)| *took).collect();
        let mean = figures::mean(&took);
        self.trace.objective(ObjectiveRow {
            metric: "job_s_mean".into(),
            unit: "s".into(),
            better: Better::Less,
            how: Aggregation::Mean,
            of: Some("run".into()),
            subject: None,
            from: Nanos::ZERO,
            to: Some(end),
            value: Some(mean),
            outcome: trace::Outcome::Ok,
        });
        self.write_sums();
        let metrics = self.metrics(&took);
        let trace = self.trace.finish(end);
        let mut reading = Reading::of(&trace);
        reading.metrics.extend(metrics.into_iter().map(|(name, value)| (name.into(), value)));
        reading.completions =
            trace::reading::Completions::of("task", &self.ends, (Nanos::ZERO, end));
        SimulatedRun { simulated: end, ..SimulatedRun::of(trace, reading, ended) }
    }

    fn write_sums(&mut self) {
        let spent: Vec<_> = self.spent.iter().map(|(key, value)| (*key, *value)).collect();
        let sum = |((place, holder), (times, total)): ((usize, Holder), (u64, u64))| Sum {
            at: Nanos::ZERO,
            operation: self.kinds.run,
            kind: self.kind(place, true),
            charged: match self.causes[&holder] {
                Cause::Resource(resource) => ChargeTarget::Resource(resource),
                Cause::Setting(setting) => ChargeTarget::Setting(setting),
                _ => unreachable!("parts are held by resources and settings"),
            },
            times,
            total,
        };
        let sums: Vec<Sum> = spent.into_iter().map(sum).collect();
        self.trace.sums(sums)
    }

    /// Makespan without disks, without the network, and without the cores' limit \[s\]. Unchanged
    /// if the resource limited nothing; empty if no attempts were kept.
    fn without(&self) -> Vec<(&'static str, f64)> {
        const NAMES: [&str; 3] = ["without_disks_s", "without_network_s", "without_core_limit_s"];
        const EACH: [&[Holder]; 3] =
            [&[Holder::Disk], &[Holder::Network, Holder::Uplink], &[Holder::Core]];
        let [_, disks, nics, uplinks, cores] = self.limited;
        let held = [disks, nics + uplinks, cores].map(|time| time > 0);
        let gone = EACH.into_iter().zip(held).filter_map(|(gone, held)| held.then_some(gone));
        let gone: Vec<_> = gone.collect();
        let mut then = without(&self.settings, &self.did, self.last, &gone).into_iter();
        if self.did.is_empty() {
            return Vec::new();
        }
        let end = |held: bool| if held { then.next() } else { None }.unwrap_or(self.last);
        NAMES.into_iter().zip(held.map(end).map(Nanos::as_secs)).collect()
    }
}

/// Splits a time in proportion to its limits. The parts are in the order of limits, since their
/// true order is unknown.
fn split(limited: &[Nanos; LIMITS], from: Nanos, to: Nanos) -> Vec<(Holder, Nanos, Nanos)> {
    const OF: [Holder; LIMITS] =
        [Holder::Compute, Holder::Disk, Holder::Network, Holder::Uplink, Holder::Core];
    let whole: u64 = limited.iter().map(|time| time.0).sum();
    if whole == 0 {
        return vec![(Holder::Compute, from, to)];
    }
    let (mut parts, mut sum, mut begun) = (Vec::new(), 0, from);
    for (holder, time) in OF.into_iter().zip(limited).filter(|(_, time)| time.0 > 0) {
        sum += time.0;
        let part = u128::from((to - from).0) * u128::from(sum) / u128::from(whole);
        let end = from + Nanos(u64::try_from(part).expect("no more than the stretch"));
        parts.push((holder, begun, end));
        begun = end
    }
    parts
}

/// The resource that limited most of an attempt's time.
fn longest(parts: &[(usize, Holder, Nanos, Nanos)]) -> Holder {
    let mut by: BTreeMap<Holder, u64> = BTreeMap::new();
    let resource = |holder: &Holder| *holder >= Holder::Disk;
    for (_, holder, from, to) in parts.iter().filter(|(_, holder, ..)| resource(holder)) {
        *by.entry(*holder).or_default() += (*to - *from).0
    }
    by.into_iter().max_by_key(|(_, time)| *time).map_or(Holder::Compute, |(holder, _)| holder)
}

const _: () = assert!(PHASES == 6);
