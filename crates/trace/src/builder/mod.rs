//! Builds a trace: kinds are declared once, names are interned, rows are added by builders.
mod intervals;
mod kinds;
mod rows;
pub use intervals::NewInterval;
pub(crate) use intervals::settled;
pub use kinds::NewKind;
pub use rows::{NewEntity, NewNode, NewResource};

use crate::ids::*;
use crate::schema::*;
use std::collections::BTreeMap;
use units::Nanos;

/// A trace under construction.
///
/// ```
/// use trace::{Cause, EntityRole, IntervalRole, ResourceRole, TraceBuilder};
/// use units::Nanos;
///
/// let mut trace = TraceBuilder::new();
/// let send = trace.interval_kind(IntervalRole::Work, "send", "sends").other("a send").id();
/// let put = trace.entity_kind(EntityRole::Job, "put", "put {}").id();
/// let nic = trace.resource_kind(ResourceRole::Network, "nic-out", "NIC").unit("bytes/s").id();
/// let client = trace.node("client").role("client").add();
/// let out = trace.resource(nic, "client NIC out").node(client).capacity(125_000_000).add();
/// let file = trace.entity(put).number(7).begun(Nanos::ZERO).add();
/// let id = trace.interval(send).of(file).node(client).uses(out)
///     .from(Nanos::ZERO).to(Nanos(524_288)).amount(65_536).cause(Cause::Resource(out)).push();
/// trace.ended(file, Nanos(524_288), trace::Outcome::Ok);
/// let trace = trace.finish(Nanos(600_000));
/// assert_eq!(trace.intervals[id.at()].end, Nanos(524_288));
/// assert_eq!(trace.entity_name(file), "put 7");
/// ```
#[derive(Default)]
pub struct TraceBuilder {
    trace: Trace,
    kinds: BTreeMap<(&'static str, String), usize>,
    racks: BTreeMap<String, RackId>,
    settings: BTreeMap<Setting, SettingId>,
    lacks: BTreeMap<Shortage, ShortageId>,
    counters: BTreeMap<(String, Option<EntityId>, Option<NodeId>), CounterId>,
}

impl TraceBuilder {
    /// Without rows.
    pub fn new() -> TraceBuilder {
        TraceBuilder::default()
    }

    /// The trace so far.
    pub fn so_far(&self) -> &Trace {
        &self.trace
    }

    /// Sets a value of the run table.
    pub fn about(&mut self, key: &str, value: impl Into<String>) {
        let value = value.into();
        match self.trace.run.iter_mut().find(|(k, _)| k == key) {
            Some(row) => row.1 = value,
            None => self.trace.run.push((key.into(), value)),
        }
    }

    /// The rack of this name, added if new.
    pub fn rack(&mut self, name: &str) -> RackId {
        if let Some(id) = self.racks.get(name) {
            return *id;
        }
        let id = RackId::of(self.trace.racks.len());
        self.trace.racks.push(name.into());
        self.racks.insert(name.into(), id);
        id
    }

    /// The setting of this key and value, added if new.
    pub fn setting(&mut self, key: &str, value: impl Into<String>) -> SettingId {
        let row = Setting { key: key.into(), value: value.into() };
        if let Some(id) = self.settings.get(&row) {
            return *id;
        }
        let id = SettingId::of(self.trace.settings.len());
        self.trace.settings.push(row.clone());
        self.settings.insert(row, id);
        id
    }

    /// A shortage of the cluster and its reason, added if new.
    pub fn lack(&mut self, name: &str, why: &str) -> ShortageId {
        let row = Shortage { name: name.into(), why: why.into() };
        if let Some(id) = self.lacks.get(&row) {
            return *id;
        }
        let id = ShortageId::of(self.trace.lacks.len());
        self.trace.lacks.push(row.clone());
        self.lacks.insert(row, id);
        id
    }

    /// The counter of this name for an entity, a node or the whole run; added if new.
    pub fn counter(
        &mut self,
        name: &str,
        unit: &str,
        entity: Option<EntityId>,
        node: Option<NodeId>,
    ) -> CounterId {
        let key = (name.to_string(), entity, node);
        if let Some(id) = self.counters.get(&key) {
            return *id;
        }
        let id = CounterId::of(self.trace.counter_names.len());
        let row = CounterName { name: name.into(), unit: unit.into(), entity, node };
        self.trace.counter_names.push(row);
        self.counters.insert(key, id);
        id
    }

    /// A counter's value from `at`.
    pub fn count(&mut self, counter: CounterId, at: Nanos, value: impl Into<Option<f64>>) {
        self.trace.counters.push(Count { counter, at, value: value.into() })
    }

    /// A resource's use from the sample's time.
    pub fn sample(&mut self, sample: Sample) {
        self.trace.series.push(sample)
    }

    /// A resource's capacity from `at`.
    pub fn set_capacity(&mut self, resource: ResourceId, at: Nanos, capacity: u64) {
        self.trace.capacities.push(CapacityChange { resource, at, capacity })
    }

    /// A numeric fact of an entity.
    pub fn fact(&mut self, entity: EntityId, kind: FactKind, value: f64) {
        self.trace.facts.push(Fact { entity, kind, value: Some(value), text: None })
    }

    /// A numeric fact of an entity that concerns what `text` names.
    pub fn named_fact(&mut self, entity: EntityId, kind: FactKind, value: f64, text: &str) {
        self.trace.facts.push(Fact { entity, kind, value: Some(value), text: Some(text.into()) })
    }

    /// A text fact of an entity.
    pub fn text_fact(&mut self, entity: EntityId, kind: FactKind, text: &str) {
        self.trace.facts.push(Fact { entity, kind, value: None, text: Some(text.into()) })
    }

    /// An objective of the run. The first one is the main objective.
    pub fn objective(&mut self, objective: ObjectiveRow) {
        self.trace.objectives.push(objective)
    }

    /// Blocked time of all operations.
    pub fn sums(&mut self, sums: impl IntoIterator<Item = Sum>) {
        self.trace.sums.extend(sums)
    }

    /// Latencies of all operations.
    pub fn histograms(&mut self, histograms: impl IntoIterator<Item = Histogram>) {
        self.trace.histograms.extend(histograms)
    }

    /// A node's clock relative to the trace's.
    pub fn clock(&mut self, clock: Clock) {
        self.trace.clocks.push(clock)
    }

    /// A source file of the trace.
    pub fn source(&mut self, name: &str, format: &str, sha256: Option<String>) -> SourceId {
        let id = SourceId::of(self.trace.sources.len());
        self.trace.sources.push(Source { name: name.into(), format: format.into(), sha256 });
        id
    }

    /// Counts an unreadable part of a file; stores its first occurrence.
    pub fn problem(&mut self, source: SourceId, line: Option<u64>, what: &str) {
        let same = |p: &&mut ImportIssue| p.source == source && p.what == what;
        match self.trace.problems.iter_mut().find(same) {
            Some(problem) => problem.times += 1,
            None => {
                self.trace.problems.push(ImportIssue { source, line, what: what.into(), times: 1 })
            }
        }
    }

    /// Finishes the trace of a run that ended at `end`. Open intervals are cut there; series,
    /// counters and capacities are sorted by time.
    pub fn finish(mut self, end: Nanos) -> Trace {
        for interval in self.trace.intervals.iter_mut().filter(|i| i.end == Nanos::MAX) {
            interval.end = end.max(interval.start);
            interval.outcome = Outcome::Cut
        }
        self.trace.series.sort_by_key(|sample| sample.at);
        self.trace.counters.sort_by_key(|count| count.at);
        self.trace.capacities.sort_by_key(|change| change.at);
        self.trace
    }
}
