//! The schema of traces, one for all systems, simulated or logged. `docs/trace.md` has the rules.
use crate::ids::*;
use crate::kinds::{Kind, named};
use crate::optional_number::OptionalNumber;
use units::Nanos;

named! {
    /// Result of an operation, an entity or a run.
    Outcome {
        /// Success.
        Ok = "ok",
        /// Failure.
        Failed = "failed",
        /// Stopped from outside.
        Killed = "killed",
        /// Gave way to another; will be retried.
        Aborted = "aborted",
        /// The run ended first.
        Cut = "cut",
    }
}

named! {
    /// How a logged row is known.
    Evidence {
        /// A log states it.
        Log = "log",
        /// Inferred from indirect evidence.
        Clues = "clues",
    }
}

named! {
    /// Direction in which a metric improves.
    Better {
        /// Lower is better.
        Less = "less",
        /// Higher is better.
        More = "more",
    }
}

named! {
    /// How the value of an objective is explained.
    Aggregation {
        /// By the critical path to the last end.
        Last = "last",
        /// By the blocked time of all operations: their mean latency.
        Mean = "mean",
        /// By the blocked time of all operations: their rate.
        Rate = "rate",
    }
}

/// The limit of a work, or the object of a wait.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Cause {
    /// The trace has no evidence.
    #[default]
    Unexplained,
    /// A disk, NIC, store or slot.
    Resource(ResourceId),
    /// A setting: pacing, an interval, a timeout.
    Setting(SettingId),
    /// Something that the cluster lacks.
    Shortage(ShortageId),
    /// A hand-over: it could not continue before the end of exactly this interval.
    Interval(IntervalId),
    /// The log names only the phase, which is the interval's kind.
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

/// A node. Its id is its row in `Trace::nodes`.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Its name for users.
    pub name: String,
    /// As in logs: `ip:port`.
    pub address: Option<String>,
    /// Its rack; `None`: unknown.
    pub rack: Option<RackId>,
    /// The system's word: "worker", "client", "server".
    pub role: String,
    /// False: lost or dead.
    pub alive: bool,
}

/// A setting that can limit a run. Its id is its row in `Trace::settings`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Setting {
    /// The key in the system's configuration.
    pub key: String,
    /// The value in this run.
    pub value: String,
}

/// Something that the cluster lacks. Its id is its row in `Trace::lacks`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Shortage {
    /// The missing thing: "no source".
    pub name: String,
    /// The reason: "no readable replica is left".
    pub why: String,
}

/// A disk, NIC, link, store, or slots. Its id is its row in `Trace::resources`.
#[derive(Clone, PartialEq, Debug)]
pub struct Resource {
    /// The kind of resource.
    pub kind: ResourceKind,
    /// Its name for users.
    pub name: String,
    /// The node that has it.
    pub node: Option<NodeId>,
    /// The rack that has it.
    pub rack: Option<RackId>,
    /// Number among the node's resources of its kind.
    pub place: Option<u32>,
    /// Nominal capacity in the kind's unit. `Trace::capacities` has changes.
    pub capacity: Option<u64>,
    /// The setting that defines the capacity.
    pub setting: Option<SettingId>,
}

/// A new capacity of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CapacityChange {
    /// The resource.
    pub resource: ResourceId,
    /// Start of the new capacity.
    pub at: Nanos,
    /// In the kind's unit.
    pub capacity: u64,
}

/// A job, task, attempt, block, client or log. Its id is its row in `Trace::entities`.
#[derive(Clone, PartialEq, Debug)]
pub struct Entity {
    /// The kind of entity.
    pub kind: EntityKind,
    /// The entity that contains it.
    pub parent: Option<EntityId>,
    /// Number in its system: a block's id, a client's number.
    pub number: Option<i64>,
    /// Its name, if the kind's label with the number is not enough.
    pub name: Option<String>,
    /// Its home node.
    pub node: Option<NodeId>,
    /// Time of the request.
    pub begun: Option<Nanos>,
    /// Time of the end; `None`: unknown or open.
    pub end: Option<Nanos>,
    /// Its result.
    pub outcome: Outcome,
}

/// Additional data of an entity.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    /// The entity.
    pub entity: EntityId,
    /// The kind of fact.
    pub kind: FactKind,
    /// A number in the kind's unit.
    pub value: Option<f64>,
    /// A text value.
    pub text: Option<String>,
}

/// An action or a wait of an entity, with place, time and cause. Its id is its row in
/// `Trace::intervals`.
#[derive(Clone, PartialEq, Debug)]
pub struct Interval {
    /// The kind of interval.
    pub kind: IntervalKind,
    /// The entity that it belongs to.
    pub subject: Option<EntityId>,
    /// The interval that contains it.
    pub parent: Option<IntervalId>,
    /// The acting node.
    pub node: Option<NodeId>,
    /// The other node of a transfer.
    pub peer: Option<NodeId>,
    /// The resource that a work used, or a wait needed.
    pub resource: Option<ResourceId>,
    /// The resource used on the other node.
    pub peer_resource: Option<ResourceId>,
    /// Inclusive.
    pub start: Nanos,
    /// Exclusive.
    pub end: Nanos,
    /// Time in the queue at the start of a work.
    pub queued: Nanos,
    /// Amount in the kind's unit.
    pub amount: Option<u64>,
    /// For a join: the number of its `depends` that must end.
    pub need: Option<u32>,
    /// The limit of a work, or the object of a wait.
    pub cause: Cause,
    /// Its result.
    pub outcome: Outcome,
    /// Failed attempts before this one.
    pub tries: u32,
    /// Number of operations that this one represents; 1 without sampling.
    pub weight: f64,
    /// Possible error of each end.
    pub doubt: Nanos,
    /// `None`: from a simulation.
    pub evidence: Option<Evidence>,
}

impl Interval {
    /// Only kind, start and end are known.
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

/// A dependency of a join.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Depend {
    /// The join.
    pub interval: IntervalId,
    /// An interval whose end the join considers.
    pub on: IntervalId,
}

/// A resource's use from `at` until its next sample: a step function.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// The resource.
    pub resource: ResourceId,
    /// Start of this use.
    pub at: Nanos,
    /// Used capacity in the kind's unit.
    pub used: OptionalNumber<f64>,
    /// Fraction of time in use, 0–1.
    pub busy: OptionalNumber<f64>,
    /// Requests in service or waiting.
    pub queue: OptionalNumber<u32>,
}

/// A named number. Its id is its row in `Trace::counter_names`.
#[derive(Clone, PartialEq, Debug)]
pub struct CounterName {
    /// Its name for users.
    pub name: String,
    /// The unit of its values.
    pub unit: String,
    /// `None`: not of one entity.
    pub entity: Option<EntityId>,
    /// `None`: not of one node.
    pub node: Option<NodeId>,
}

/// A counter's value from `at` until its next.
#[derive(Clone, PartialEq, Debug)]
pub struct Count {
    /// The counter.
    pub counter: CounterId,
    /// Start of this value.
    pub at: Nanos,
    /// `None`: unknown from here.
    pub value: Option<f64>,
}

/// The holder of a sum of blocked time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ChargeTarget {
    /// A single resource.
    Resource(ResourceId),
    /// All resources of a kind with too many.
    Resources(ResourceKind),
    /// A setting's value.
    Setting(SettingId),
    /// Something that the cluster lacks.
    Shortage(ShortageId),
    /// Intervals of this kind with an unknown limit.
    Intervals(IntervalKind),
    /// A phase of this kind.
    Phase(IntervalKind),
    /// The trace has no evidence.
    Unexplained,
}

/// Blocked time of all operations of a kind that ended in a time bin, by holder.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sum {
    /// Start of the bin.
    pub at: Nanos,
    /// The kind of operation.
    pub operation: IntervalKind,
    /// The kind of the active part.
    pub kind: IntervalKind,
    /// The holder of the time.
    pub charged: ChargeTarget,
    /// Number of pieces.
    pub times: u64,
    /// Total length \[ns\].
    pub total: u64,
}

/// Latencies of operations of a kind that ended in a time bin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Histogram {
    /// Start of the bin.
    pub at: Nanos,
    /// The kind of operation.
    pub operation: IntervalKind,
    /// The serving node; `None`: not distinguished.
    pub node: Option<NodeId>,
    /// See `histogram::bucket`.
    pub bucket: u32,
    /// Number of operations.
    pub times: u64,
}

/// An objective. Its id is its row in `Trace::objectives`; the first is the run's main one.
#[derive(Clone, PartialEq, Debug)]
pub struct ObjectiveRow {
    /// Its name: "job time".
    pub metric: String,
    /// Its unit: "s", "1/s".
    pub unit: String,
    /// The direction of improvement.
    pub better: Better,
    /// How its value is explained.
    pub how: Aggregation,
    /// Name of a kind: of entities (`last`) or operations (`mean`, `rate`). `None`: all.
    pub of: Option<String>,
    /// The entity whose path explains it (`last`).
    pub subject: Option<EntityId>,
    /// Start of its window.
    pub from: Nanos,
    /// End of its window; `None`: the last time of the trace.
    pub to: Option<Nanos>,
    /// In its unit.
    pub value: Option<f64>,
    /// The run's result.
    pub outcome: Outcome,
}

/// Offset of a node's clock relative to the trace's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The node.
    pub node: NodeId,
    /// Subtracted from the node's times \[ns\].
    pub offset: i64,
    /// Lower bound by causality \[ns\].
    pub low: i64,
    /// Upper bound by causality \[ns\].
    pub high: i64,
}

/// A source file of the trace. Its id is its row in `Trace::sources`.
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    /// The file's name.
    pub name: String,
    /// The file's format.
    pub format: String,
    /// The file's hash.
    pub sha256: Option<String>,
}

/// Something that an import could not read.
#[derive(Clone, PartialEq, Debug)]
pub struct ImportIssue {
    /// The file.
    pub source: SourceId,
    /// Number of the first such line, from 1.
    pub line: Option<u64>,
    /// The problem in words.
    pub what: String,
    /// Number of occurrences.
    pub times: u64,
}

/// All tables of one run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trace {
    /// Origin of the run, in order: `scenario`, `seed`, `version`, `command`, `origin` (`simulated`
    /// or `logged`), `zero_unix_ns` of logs, ….
    pub run: Vec<(String, String)>,
    /// Names of racks.
    pub racks: Vec<String>,
    /// Nodes.
    pub nodes: Vec<Node>,
    /// Kinds of rows.
    pub kinds: Vec<Kind>,
    /// Settings that can be causes.
    pub settings: Vec<Setting>,
    /// Shortages that can be causes.
    pub lacks: Vec<Shortage>,
    /// Disks, NICs, links, stores, slots.
    pub resources: Vec<Resource>,
    /// Changes of capacities, by time.
    pub capacities: Vec<CapacityChange>,
    /// Jobs, tasks, attempts, blocks, clients.
    pub entities: Vec<Entity>,
    /// Additional data of entities.
    pub facts: Vec<Fact>,
    /// Actions and waits.
    pub intervals: Vec<Interval>,
    /// Dependencies of joins.
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
    /// The first one is the main objective.
    pub objectives: Vec<ObjectiveRow>,
    /// Clock offsets of nodes.
    pub clocks: Vec<Clock>,
    /// Source files.
    pub sources: Vec<Source>,
    /// Unreadable parts of source files.
    pub problems: Vec<ImportIssue>,
}

impl Trace {
    /// A value of the run table.
    pub fn about(&self, key: &str) -> Option<&str> {
        self.run.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }
    /// Panics if the trace lacks this kind.
    pub fn interval_kind(&self, kind: IntervalKind) -> &Kind {
        &self.kinds[kind.at()]
    }
    /// The kind of a resource.
    pub fn resource_kind(&self, resource: ResourceId) -> &Kind {
        &self.kinds[self.resources[resource.at()].kind.at()]
    }
    /// An entity's name for users.
    pub fn entity_name(&self, entity: EntityId) -> String {
        let entity = &self.entities[entity.at()];
        let number = entity.number.map(|number| number.to_string()).unwrap_or_default();
        match &entity.name {
            Some(name) => name.clone(),
            None => self.kinds[entity.kind.at()].label.replace("{}", &number),
        }
    }
    /// The row of the kind with this name in the table `of`.
    pub fn find_kind(&self, of: &str, name: &str) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.role.of() == of && kind.name == name)
    }
    /// The last known time.
    pub fn last(&self) -> Nanos {
        let known = |t: &Nanos| *t != Nanos::MAX;
        let intervals = self.intervals.iter().flat_map(|i| [i.start, i.end]);
        let others = self.series.iter().map(|s| s.at).chain(self.counters.iter().map(|c| c.at));
        let objectives = self.objectives.iter().filter_map(|o| o.to);
        intervals.chain(others).chain(objectives).filter(known).max().unwrap_or_default()
    }
}
