//! What happened: one schema for all systems, simulated or logged. `docs/trace.md` has the rules.
use crate::ids::*;
use crate::kinds::{Kind, named};
use crate::known::Known;
use units::Nanos;

named! {
    /// How something ended.
    Outcome {
        /// As it should.
        Ok = "ok",
        /// It broke off.
        Failed = "failed",
        /// Somebody stopped it.
        Killed = "killed",
        /// It gave way to another, to be tried again.
        Aborted = "aborted",
        /// The run ended first.
        Cut = "cut",
    }
}

named! {
    /// Where a row comes from.
    Evidence {
        /// A log says so.
        Log = "log",
        /// It was concluded from clues.
        Clues = "clues",
    }
}

named! {
    /// Which way a metric is better.
    Better {
        /// Downwards.
        Less = "less",
        /// Upwards.
        More = "more",
    }
}

named! {
    /// How an objective's window is explained.
    Aggregation {
        /// By the path to the last one's end.
        Last = "last",
        /// By all operations' blocked time: their mean latency.
        Mean = "mean",
        /// By all operations' blocked time: how many a second.
        Rate = "rate",
    }
}

/// What limited a work, or what a wait waited for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Cause {
    /// No evidence.
    #[default]
    Unexplained,
    /// A disk, NIC, store, slot.
    Resource(ResourceId),
    /// A setting: pacing, an interval, a timeout.
    Setting(SettingId),
    /// What the cluster does not have.
    Shortage(ShortageId),
    /// A hand-over: it could not go on without exactly this one's end.
    Interval(IntervalId),
    /// The log names the phase (the interval's kind) and no more.
    Phase,
}

impl From<ResourceId> for Cause {
    fn from(resource: ResourceId) -> Cause {
        Cause::Resource(resource)
    }
}

impl From<SettingId> for Cause {
    fn from(setting: SettingId) -> Cause {
        Cause::Setting(setting)
    }
}

/// A node. Its id is its place in `Trace::nodes`.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// What people call it.
    pub name: String,
    /// As logs print it: `ip:port`.
    pub address: Option<String>,
    /// Where it stands.
    pub rack: Option<RackId>,
    /// "worker", "client", "server": the system's word.
    pub role: String,
    /// Not lost or dead.
    pub alive: bool,
}

/// A setting that can hold a run up. Its id is its place in `Trace::settings`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Setting {
    /// Its real key.
    pub key: String,
    /// Its value in this run.
    pub value: String,
}

/// What the cluster does not have. Its id is its place in `Trace::lacks`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Shortage {
    /// What: "no source".
    pub name: String,
    /// Why: "no readable replica is left".
    pub why: String,
}

/// A disk, NIC, link, store, or slots. Its id is its place in `Trace::resources`.
#[derive(Clone, PartialEq, Debug)]
pub struct Resource {
    /// Its kind.
    pub kind: ResourceKind,
    /// For people.
    pub name: String,
    /// The node it belongs to.
    pub node: Option<NodeId>,
    /// The rack it belongs to.
    pub rack: Option<RackId>,
    /// Its number among its like in the node: disk 6.
    pub place: Option<u32>,
    /// What it was built for, in its kind's unit; `Trace::capacities` says if that changes.
    pub capacity: Option<u64>,
    /// The setting that gives the capacity.
    pub setting: Option<SettingId>,
}

/// What a resource can do from `at` on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CapacityChange {
    /// Of which.
    pub resource: ResourceId,
    /// From when.
    pub at: Nanos,
    /// What it can do now, in its kind's unit.
    pub capacity: u64,
}

/// A job, task, attempt, block, client, log. Its id is its place in `Trace::entities`.
#[derive(Clone, PartialEq, Debug)]
pub struct Entity {
    /// Its kind.
    pub kind: EntityKind,
    /// What it is a part of.
    pub parent: Option<EntityId>,
    /// Its number in its system: a block's id, a client's number.
    pub number: Option<i64>,
    /// Its name, where its kind's label with the number does not do.
    pub name: Option<String>,
    /// Where it is at home.
    pub node: Option<NodeId>,
    /// When it was asked for.
    pub begun: Option<Nanos>,
    /// When it was over.
    pub end: Option<Nanos>,
    /// How it ended.
    pub outcome: Outcome,
}

/// What else is known of an entity.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    /// Of which.
    pub entity: EntityId,
    /// What it says.
    pub kind: FactKind,
    /// A number, in the kind's unit.
    pub value: Option<f64>,
    /// Words.
    pub text: Option<String>,
}

/// Who did what, where, from when to when, and why it took so long. Its id is its place in
/// `Trace::intervals`.
#[derive(Clone, PartialEq, Debug)]
pub struct Interval {
    /// Its kind.
    pub kind: IntervalKind,
    /// Whose.
    pub subject: Option<EntityId>,
    /// The interval that it is a part of.
    pub parent: Option<IntervalId>,
    /// Where: the node that acts.
    pub node: Option<NodeId>,
    /// The other node.
    pub peer: Option<NodeId>,
    /// What a work used, or a wait wanted.
    pub resource: Option<ResourceId>,
    /// What it used at the other node.
    pub peer_resource: Option<ResourceId>,
    /// From.
    pub start: Nanos,
    /// To (exclusive).
    pub end: Nanos,
    /// So long a work first stood in line.
    pub queued: Nanos,
    /// Moved or done, in its kind's unit.
    pub amount: Option<u64>,
    /// Of a join: how many of its `depends` it needs.
    pub need: Option<u32>,
    /// What it waited for, or what limited it.
    pub cause: Cause,
    /// How it ended.
    pub outcome: Outcome,
    /// Attempts that broke off before.
    pub tries: u32,
    /// How many operations this one stands for; 1 where none was dropped.
    pub weight: f64,
    /// How far each end may be off.
    pub doubt: Nanos,
    /// Where it comes from; `None`: a model knows.
    pub evidence: Option<Evidence>,
}

impl Interval {
    /// Of this kind, from a time to another, with nothing else known.
    pub fn new(kind: IntervalKind, start: Nanos, end: Nanos) -> Interval {
        Interval {
            kind,
            subject: None,
            parent: None,
            node: None,
            peer: None,
            resource: None,
            peer_resource: None,
            start,
            end,
            queued: Nanos::ZERO,
            amount: None,
            need: None,
            cause: Cause::Unexplained,
            outcome: Outcome::Ok,
            tries: 0,
            weight: 1.0,
            doubt: Nanos::ZERO,
            evidence: None,
        }
    }
}

/// A join (`interval`) looks at the end of another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Depend {
    /// The join.
    pub interval: IntervalId,
    /// One that it looks at.
    pub on: IntervalId,
}

/// A resource's use from `at` until its next sample: a step function.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// Of which.
    pub resource: ResourceId,
    /// From when.
    pub at: Nanos,
    /// In use, in its kind's unit; without it: unknown from here.
    pub used: Known<f64>,
    /// Part of the time in which it did anything, 0–1.
    pub busy: Known<f64>,
    /// Who is on it or waits for it.
    pub queue: Known<u32>,
}

/// A named number. Its id is its place in `Trace::counter_names`.
#[derive(Clone, PartialEq, Debug)]
pub struct CounterName {
    /// What it counts.
    pub name: String,
    /// In what.
    pub unit: String,
    /// Of whom.
    pub entity: Option<EntityId>,
    /// Where.
    pub node: Option<NodeId>,
}

/// A counter's value from `at` until its next.
#[derive(Clone, PartialEq, Debug)]
pub struct Count {
    /// Which.
    pub counter: CounterId,
    /// From when.
    pub at: Nanos,
    /// Its value; `None`: unknown from here.
    pub value: Option<f64>,
}

/// What a sum of blocked time is charged to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Charged {
    /// One of the resources.
    Resource(ResourceId),
    /// All resources of a kind that has too many.
    Resources(ResourceKind),
    /// A setting.
    Setting(SettingId),
    /// What the cluster does not have.
    Shortage(ShortageId),
    /// Others of this kind, of which the trace does not say what limited them.
    Intervals(IntervalKind),
    /// A phase of this kind.
    Phase(IntervalKind),
    /// No evidence.
    Unexplained,
}

/// Blocked time of all operations of a kind that ended in a bin of time, by what held them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sum {
    /// The bin's start.
    pub at: Nanos,
    /// The operations' kind.
    pub operation: IntervalKind,
    /// The kind of the part that was under way.
    pub kind: IntervalKind,
    /// What held it.
    pub charged: Charged,
    /// Pieces.
    pub times: u64,
    /// Their length together \[ns\].
    pub total: u64,
}

/// Latencies of operations of a kind that ended in a bin of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Histogram {
    /// The bin's start.
    pub at: Nanos,
    /// The operations' kind.
    pub operation: IntervalKind,
    /// Who served them, where that is kept apart.
    pub node: Option<NodeId>,
    /// See `histogram::bucket`.
    pub bucket: u32,
    /// Operations.
    pub times: u64,
}

/// What the run is judged by. Its id is its place in `Trace::objectives`; the first is the run's.
#[derive(Clone, PartialEq, Debug)]
pub struct ObjectiveRow {
    /// Its name: "job time".
    pub metric: String,
    /// Its unit: "s", "1/s".
    pub unit: String,
    /// Which way it is better.
    pub better: Better,
    /// How its window is explained.
    pub how: Aggregation,
    /// The kind of entity (`last`) or of operation (`mean`, `rate`).
    pub of: Option<String>,
    /// Whose path (`last`).
    pub subject: Option<EntityId>,
    /// Its window's start.
    pub from: Nanos,
    /// Its window's end, if it has one.
    pub to: Option<Nanos>,
    /// Its value, in its unit.
    pub value: Option<f64>,
    /// How it ended.
    pub outcome: Outcome,
}

/// How far a node's clock is ahead of the trace's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Whose.
    pub node: NodeId,
    /// What was taken off \[ns\].
    pub offset: i64,
    /// Cause and effect allow no less \[ns\].
    pub low: i64,
    /// And no more \[ns\].
    pub high: i64,
}

/// A file that the trace was made from. Its id is its place in `Trace::sources`.
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// What it is.
    pub format: String,
    /// Its hash.
    pub sha256: Option<String>,
}

/// What an import could not read.
#[derive(Clone, PartialEq, Debug)]
pub struct ImportIssue {
    /// In which file.
    pub source: SourceId,
    /// The first such line, from 1.
    pub line: Option<u64>,
    /// What.
    pub what: String,
    /// How often.
    pub times: u64,
}

/// All tables of one run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trace {
    /// How it came about: key and value (`scenario`, `seed`, `version`, `command`, `origin` =
    /// `simulated` or `logged`, `zero_unix_ns` of logs, …), in order.
    pub run: Vec<(String, String)>,
    /// Racks by name.
    pub racks: Vec<String>,
    /// Nodes.
    pub nodes: Vec<Node>,
    /// Kinds of all things.
    pub kinds: Vec<Kind>,
    /// Settings that can be causes.
    pub settings: Vec<Setting>,
    /// What is not there.
    pub lacks: Vec<Shortage>,
    /// Disks, NICs, links, stores, slots.
    pub resources: Vec<Resource>,
    /// Changes of what resources can do, by time.
    pub capacities: Vec<CapacityChange>,
    /// Jobs, tasks, attempts, blocks, clients.
    pub entities: Vec<Entity>,
    /// What else is known of them.
    pub facts: Vec<Fact>,
    /// What was done.
    pub intervals: Vec<Interval>,
    /// What joins look at.
    pub depends: Vec<Depend>,
    /// Use of resources, by time.
    pub series: Vec<Sample>,
    /// Names of counters.
    pub counter_names: Vec<CounterName>,
    /// Counters, by time.
    pub counters: Vec<Count>,
    /// Blocked time of all operations.
    pub sums: Vec<Sum>,
    /// Latencies of all operations.
    pub histograms: Vec<Histogram>,
    /// What the run is judged by.
    pub objectives: Vec<ObjectiveRow>,
    /// Clocks of nodes.
    pub clocks: Vec<Clock>,
    /// Files that it was made from.
    pub sources: Vec<Source>,
    /// What could not be read.
    pub problems: Vec<ImportIssue>,
}

impl Trace {
    /// A value of the run table.
    pub fn about(&self, key: &str) -> Option<&str> {
        self.run.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }
    /// The kind of a kind of intervals; a kind that is not there is a bug of who made the trace.
    pub fn interval_kind(&self, kind: IntervalKind) -> &Kind {
        &self.kinds[kind.at()]
    }
    /// The kind of a resource.
    pub fn resource_kind(&self, resource: ResourceId) -> &Kind {
        &self.kinds[self.resources[resource.at()].kind.at()]
    }
    /// What people call an entity.
    pub fn entity_name(&self, entity: EntityId) -> String {
        let entity = &self.entities[entity.at()];
        let number = entity.number.map(|number| number.to_string()).unwrap_or_default();
        match &entity.name {
            Some(name) => name.clone(),
            None => self.kinds[entity.kind.at()].label.replace("{}", &number),
        }
    }
    /// The kind of this role's things that has this name.
    pub fn kind_called(&self, of: &str, name: &str) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.role.of() == of && kind.name == name)
    }
    /// The last time that is said.
    pub fn last(&self) -> Nanos {
        let known = |t: &Nanos| *t != Nanos::MAX;
        let intervals = self.intervals.iter().flat_map(|i| [i.start, i.end]);
        let others = self.series.iter().map(|s| s.at).chain(self.counters.iter().map(|c| c.at));
        let objectives = self.objectives.iter().filter_map(|o| o.to);
        intervals.chain(others).chain(objectives).filter(known).max().unwrap_or_default()
    }
}
