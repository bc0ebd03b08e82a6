//! HDFS's trace as the trace of all systems.
use super::SYSTEM;
use super::words::{INTERVALS, REQUESTS, RESOURCES};
use crate::{Cause, Interval, Request, ResourceKind, Trace};
use std::collections::BTreeMap;
use trace::walk::Lanes;
use trace::{
    Cause as Stored, EntityId, EntityKind, EntityRole, IntervalId, IntervalKind, IntervalRole,
    NodeId, RackId, ResourceId, Sample, TraceBuilder,
};
use units::{Nanos, u32_of, usize_of};

/// HDFS's trace as the trace of all systems. What refers to a row that is not there refers to
/// nothing.
///
/// [`super::from`] makes the same of it again if series, counters and capacities stand by time,
/// settings before what the cluster lacks, and every name stands there once.
pub fn to(trace: &Trace) -> trace::Trace {
    let mut to = To::new(trace);
    trace.intervals.iter().enumerate().for_each(|row| to.push(to.interval(row)));
    trace.requests.iter().for_each(|row| to.push(to.request(row)));
    to.numbers();
    to.builder.finish(end(trace))
}

/// All that the walk over causes looks at.
pub struct Walked {
    /// The trace of all systems without intervals and numbers: what holders are called.
    pub names: trace::Trace,
    /// By the blocks' ids.
    pub blocks: BTreeMap<i64, EntityId>,
    /// Of the intervals; their ids are those that [`to`] gives them.
    pub lanes: Lanes,
}

/// What the walk looks at, without a copy of the intervals: they are most of a trace.
pub fn walked(trace: &Trace) -> Walked {
    let to = To::new(trace);
    let end = end(trace);
    let rows = trace.intervals.iter().enumerate().map(|row| {
        let stored = to.interval(row);
        trace::Interval { end: if stored.end == Nanos::MAX { end } else { stored.end }, ..stored }
    });
    let lanes = Lanes::of_rows(to.builder.so_far(), rows);
    Walked { names: to.builder.finish(end), blocks: to.blocks, lanes }
}

/// When the run ended: as the run table says, else at the latest time of any row.
fn end(trace: &Trace) -> Nanos {
    let intervals = trace.intervals.iter().flat_map(|row| [row.start, row.end]);
    let requests = trace.requests.iter().flat_map(|row| [Some(row.begun), row.end]).flatten();
    let series = trace.series.iter().map(|row| row.at);
    let counters = trace.counters.iter().map(|row| row.at);
    let known = || intervals.chain(requests).chain(series).chain(counters);
    let last = || known().filter(|at| *at != Nanos::MAX).max().unwrap_or_default();
    let said = trace.about("end_s").and_then(|end| end.parse().ok()).map(Nanos::from_secs);
    said.unwrap_or_else(last)
}

/// A trace under way.
struct To<'a> {
    trace: &'a Trace,
    builder: TraceBuilder,
    /// By the numbers of HDFS's kinds.
    kinds: Vec<IntervalKind>,
    /// Of reads, then of writes.
    requests: Vec<IntervalKind>,
    block: EntityKind,
    /// By the blocks' ids.
    blocks: BTreeMap<i64, EntityId>,
    /// By the places of HDFS's intervals: their blocks.
    subjects: Vec<Option<EntityId>>,
    /// By the places of HDFS's settings.
    settings: Vec<Stored>,
    /// Each node's resources by the numbers of HDFS's kinds: a disk's number is its place.
    owned: Vec<[Vec<ResourceId>; RESOURCES.len()]>,
}

impl<'a> To<'a> {
    fn new(trace: &'a Trace) -> To<'a> {
        let mut builder = TraceBuilder::new();
        builder.about(SYSTEM.0, SYSTEM.1);
        for (key, value) in &trace.run {
            builder.about(key, value)
        }
        let mut kinds = Vec::new();
        for words in &INTERVALS {
            let kind = builder.interval_kind(words.role, words.name, words.kind.label());
            kinds.push(kind.other(words.kind.other()).unit("bytes").id())
        }
        let mut requests = Vec::new();
        for (_, name, label) in REQUESTS {
            let kind = builder.interval_kind(IntervalRole::Operation, name, label);
            requests.push(kind.other("a client").unit("bytes").id())
        }
        let block = builder.entity_kind(EntityRole::Item, "block", "blk_{}");
        let block = block.other("another block").id();
        let (blocks, subjects, settings) = Default::default();
        let owned = trace.nodes.iter().map(|_| Default::default()).collect();
        let mut to =
            To { trace, builder, kinds, requests, block, blocks, subjects, settings, owned };
        to.names();
        to.resources();
        to.blocks();
        to
    }

    /// Racks, nodes, settings and lacks.
    fn names(&mut self) {
        for rack in &self.trace.racks {
            self.builder.rack(rack);
        }
        for row in &self.trace.nodes {
            let mut node = self.builder.node(&row.name).role("datanode");
            if !row.address.is_empty() {
                node = node.address(&row.address)
            }
            if let Some(rack) = place(Some(row.rack), self.trace.racks.len()) {
                node = node.rack(RackId::of(rack))
            }
            if row.alive {
                node.add()
            } else {
                node.lost().add()
            };
        }
        for row in &self.trace.settings {
            self.settings.push(if row.is_lack() {
                Stored::Shortage(self.builder.lack(&row.key, &row.value))
            } else {
                Stored::Setting(self.builder.setting(&row.key, &*row.value))
            })
        }
    }

    fn resources(&mut self) {
        let mut kinds = Vec::new();
        for (kind, role, name, _) in RESOURCES {
            let kind = self.builder.resource_kind(role, name, kind.label());
            kinds.push(kind.unit("bytes/s").id())
        }
        for row in &self.trace.resources {
            let (kind, node) = (kinds[row.kind as usize], self.node(row.node));
            let mut new = self.builder.resource(kind, &row.name).capacity(row.capacity);
            if let Some(rack) = place(row.rack, self.trace.racks.len()) {
                new = new.rack(RackId::of(rack))
            }
            let Some(node) = node else {
                new.add();
                continue;
            };
            let alike = &mut self.owned[node.at()][row.kind as usize];
            alike.push(new.node(node).place(u32_of(alike.len())).add())
        }
    }

    /// Adds the blocks, in the order in which intervals name them.
    fn blocks(&mut self) {
        let To { builder, blocks, block: kind, .. } = self;
        let mut entity = |number| {
            let add = || builder.entity(*kind).number(number).add();
            *blocks.entry(number).or_insert_with(add)
        };
        self.subjects = self.trace.intervals.iter().map(|row| row.block.map(&mut entity)).collect()
    }

    fn node(&self, node: Option<u32>) -> Option<NodeId> {
        place(node, self.trace.nodes.len()).map(NodeId::of)
    }

    /// A disk by its number in its node, as one of these kinds, the first that there is.
    fn disk(
        &self,
        kinds: &[ResourceKind],
        node: Option<u32>,
        disk: Option<u16>,
    ) -> Option<ResourceId> {
        let owned = self.owned.get(usize_of(node?.into()))?;
        kinds.iter().find_map(|kind| owned[*kind as usize].get(usize::from(disk?)).copied())
    }

    fn cause(&self, cause: Cause) -> Stored {
        let resources = self.trace.resources.len();
        let there = match cause {
            Cause::Unexplained => None,
            Cause::Resource(at) => {
                place(Some(at), resources).map(|at| Stored::Resource(ResourceId::of(at)))
            }
            Cause::Setting(at) => place(Some(at), self.settings.len()).map(|at| self.settings[at]),
            Cause::Interval(at) => self.id(at).map(Stored::Interval),
        };
        there.unwrap_or(Stored::Unexplained)
    }

    fn id(&self, at: u64) -> Option<IntervalId> {
        let at = usize::try_from(at).ok().filter(|at| *at < self.trace.intervals.len());
        at.map(IntervalId::of)
    }

    fn interval(&self, (at, row): (usize, &Interval)) -> trace::Interval {
        use ResourceKind::{Disk, DiskWrite};
        trace::Interval {
            subject: self.subjects[at],
            parent: row.parent.and_then(|parent| self.id(parent)),
            node: self.node(row.node),
            peer: self.node(row.peer),
            resource: self.disk(&[Disk], row.node, row.disk),
            peer_resource: self.disk(&[DiskWrite, Disk], row.peer, row.peer_disk),
            amount: Some(row.bytes.0).filter(|bytes| *bytes > 0),
            cause: self.cause(row.cause),
            ..trace::Interval::new(self.kinds[row.kind as usize], row.start, row.end)
        }
    }

    /// Its node is where the client stands, its peer who served it.
    fn request(&self, row: &Request) -> trace::Interval {
        let kind = self.requests[usize::from(row.write)];
        trace::Interval {
            node: self.node(Some(row.client)),
            peer: self.node(Some(row.node)),
            amount: Some(row.bytes.0),
            tries: row.tries,
            ..trace::Interval::new(kind, row.begun, row.end.unwrap_or(Nanos::MAX))
        }
    }

    fn push(&mut self, row: trace::Interval) {
        let id = self.builder.interval(row.kind).push();
        *self.builder.interval_mut(id) = row
    }

    /// Series, counters, changes of capacities.
    fn numbers(&mut self) {
        let trace = self.trace;
        let resource = |at| place(Some(at), trace.resources.len()).map(ResourceId::of);
        for row in &trace.capacities {
            if let Some(resource) = resource(row.resource) {
                self.builder.becomes(resource, row.at, row.capacity)
            }
        }
        for row in &trace.series {
            if let Some(resource) = resource(row.resource) {
                let (used, queue) = (Some(row.used), Some(row.queue));
                self.builder.sample(Sample { resource, at: row.at, used, busy: None, queue })
            }
        }
        let names = trace.counter_names.iter();
        let names: Vec<_> =
            names.map(|name| self.builder.counter(name, "blocks", None, None)).collect();
        for row in &trace.counters {
            if let Some(counter) = names.get(usize_of(row.name.into())) {
                self.builder.count(*counter, row.at, row.value)
            }
        }
    }
}

/// A place in a table of so many rows.
fn place(at: Option<u32>, rows: usize) -> Option<usize> {
    at.map(|at| usize_of(at.into())).filter(|at| *at < rows)
}
