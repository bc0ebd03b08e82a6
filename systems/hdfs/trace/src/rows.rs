//! The trace (`docs/trace.md`) of an HDFS run, simulated or logged: its kinds, in a fixed order,
//! and the meaning of its rows.
//!
//! A block is an entity with its number; a disk a resource with its index in the node; a
//! cluster-wide limit a shortage; a client's request an operation. Requests follow all other
//! intervals.
use cluster::{BadInput, Problem};
use std::collections::BTreeMap;
use std::path::Path;
pub use trace::{
    CapacityChange, Cause, Count, CounterId, CounterName, EntityId, Interval, IntervalId,
    IntervalKind, Node, NodeId, OptionalNumber, Outcome, RackId, Resource, ResourceId,
    ResourceKind, Sample, Setting, SettingId, Shortage, ShortageId, Trace,
};
use trace::{Entity, EntityRole, IntervalRole, ResourceRole, TraceBuilder};
use units::Nanos;

/// Key and value of the run table that identify HDFS.
pub const SYSTEM: (&str, &str) = ("system", "hdfs");

/// Kinds by their index in [`Trace::kinds`].
pub mod kind {
    use trace::{EntityKind, IntervalKind, ResourceKind};

    /// From the fault until the NameNode declares the node dead.
    pub const DETECTION: IntervalKind = IntervalKind::of(0);
    /// A block waits in the NameNode's queue; one interval per cause.
    pub const QUEUED: IntervalKind = IntervalKind::of(1);
    /// A decided copy waits at its source (`node`) for a heartbeat or a free stream.
    pub const HANDOUT: IntervalKind = IntervalKind::of(2);
    /// A copy from `node` to `peer`. Its cause is the resource that limited it longest.
    pub const TRANSFER: IntervalKind = IntervalKind::of(3);
    /// Part of a transfer (`parent`) limited by one resource, its cause.
    pub const HELD: IntervalKind = IntervalKind::of(4);
    /// From the last byte until the NameNode knows the replica.
    pub const REPORT: IntervalKind = IntervalKind::of(5);
    /// A client at `node` reads from `peer`; cut if incomplete at the end of the run.
    pub const READ: IntervalKind = IntervalKind::of(6);
    /// A client writes to a pipeline that starts at `peer`.
    pub const WRITE: IntervalKind = IntervalKind::of(7);
    pub const BLOCK: EntityKind = EntityKind::of(8);
    /// A disk with one budget for reads and writes, or the read side of a disk.
    pub const DISK: ResourceKind = ResourceKind::of(9);
    /// The write side of a disk with two budgets.
    pub const DISK_WRITE: ResourceKind = ResourceKind::of(10);
    pub const NIC_OUT: ResourceKind = ResourceKind::of(11);
    pub const NIC_IN: ResourceKind = ResourceKind::of(12);
    pub const UPLINK_OUT: ResourceKind = ResourceKind::of(13);
    pub const UPLINK_IN: ResourceKind = ResourceKind::of(14);
    pub const INTER_RACK_LINK: ResourceKind = ResourceKind::of(15);
}

/// In order: (role, name in tables, label, name of another one).
const INTERVALS: [(IntervalRole, &str, &str, &str); 8] = [
    (IntervalRole::Notice, "detection", "detection", "detection of another loss"),
    (IntervalRole::Wait, "queued", "queued", "another block's wait in the queue"),
    (IntervalRole::Wait, "handout", "waits at its source", "another copy's handout"),
    (IntervalRole::Work, "transfer", "copied", "another copy"),
    (IntervalRole::Work, "held", "copied", "another copy"),
    (IntervalRole::Wait, "report", "reported", "another copy's report"),
    (IntervalRole::Operation, "read", "read", "a client"),
    (IntervalRole::Operation, "write", "write", "a client"),
];

/// In order: (role, name in tables, label).
const RESOURCES: [(ResourceRole, &str, &str); 7] = [
    (ResourceRole::Disk, "disk", "Disk"),
    (ResourceRole::Disk, "disk-write", "Disk"),
    (ResourceRole::Network, "nic-out", "NIC"),
    (ResourceRole::Network, "nic-in", "NIC"),
    (ResourceRole::Network, "uplink-out", "Rack uplink"),
    (ResourceRole::Network, "uplink-in", "Rack uplink"),
    (ResourceRole::Network, "inter-rack-link", "Inter-rack link"),
];

pub fn begin() -> Trace {
    let mut new = TraceBuilder::new();
    new.about(SYSTEM.0, SYSTEM.1);
    for (role, name, label, other) in INTERVALS {
        new.interval_kind(role, name, label).other(other).unit("bytes").id();
    }
    new.entity_kind(EntityRole::Item, "block", "blk_{}").other("another block").id();
    for (role, name, label) in RESOURCES {
        new.resource_kind(role, name, label).unit("bytes/s").id();
    }
    new.finish(Nanos::ZERO)
}

/// Reads a run from a folder of tables.
///
/// # Errors
/// As [`trace::tables::read`]; or the run is not of HDFS.
pub fn read(folder: &Path) -> Result<Trace, BadInput> {
    let trace = trace::tables::read(folder)?;
    let expected = "the trace of a run of HDFS";
    match stranger(&trace) {
        Some(problem) => Err(Problem::of_file(folder, problem, expected).into()),
        None => Ok(trace),
    }
}

/// Why the trace is not a run of HDFS; `None`: it is.
fn stranger(trace: &Trace) -> Option<String> {
    let whose = trace.about(SYSTEM.0).unwrap_or("none that it names");
    if whose != SYSTEM.1 {
        return Some(format!("is a run of another system (\"{whose}\")"));
    }
    let ours = begin().kinds;
    let count = trace.kinds.len().max(ours.len());
    if let Some(odd) = (0..count).find(|at| trace.kinds.get(*at) != ours.get(*at)) {
        let name = trace.kinds.get(odd).map_or("", |kind| &kind.name);
        return Some(format!("has an unknown kind \"{name}\""));
    }
    let lacks = |missing: bool, what: &str| missing.then(|| format!("has {what}"));
    let unknown = |row: &Sample| row.used.get().is_none() || row.queue.get().is_none();
    let is_request = |row: &&Interval| is_request(row);
    let nowhere = |row: &Interval| row.node.is_none() || row.peer.is_none();
    lacks(trace.nodes.iter().any(|node| node.rack.is_none()), "a node without a rack")
        .or(lacks(
            trace.resources.iter().any(|row| row.capacity.is_none()),
            "a resource without a capacity",
        ))
        .or(lacks(
            trace.entities.iter().any(|block| block.number.is_none()),
            "a block without a number",
        ))
        .or(lacks(trace.series.iter().any(unknown), "a sample without the amount used"))
        .or(lacks(
            trace.counters.iter().any(|row| row.value.is_none()),
            "a counter without a value",
        ))
        .or(lacks(
            trace.intervals.iter().filter(is_request).any(nowhere),
            "a request without a client or a node",
        ))
}

/// `address`: "" if unknown.
pub fn datanode(name: String, address: &str, rack: usize, alive: bool) -> Node {
    Node {
        name,
        address: Some(address.to_string()).filter(|address| !address.is_empty()),
        rack: Some(RackId::of(rack)),
        role: "datanode".into(),
        alive,
    }
}

pub fn counter_name(name: &str) -> CounterName {
    CounterName { name: name.into(), unit: "blocks".into(), entity: None, node: None }
}

pub fn is_request(row: &Interval) -> bool {
    row.kind == kind::READ || row.kind == kind::WRITE
}

/// True if clients sent requests, which are the last intervals.
pub fn has_requests(trace: &Trace) -> bool {
    trace.intervals.last().is_some_and(is_request)
}

pub fn requests(trace: &Trace) -> impl Iterator<Item = &Interval> {
    trace.intervals.iter().filter(|row| is_request(row))
}

pub fn block(trace: &Trace, row: &Interval) -> Option<i64> {
    row.subject.and_then(|subject| trace.entities[subject.at()].number)
}

pub fn bytes(row: &Interval) -> u64 {
    row.amount.unwrap_or(0)
}

/// Index of a disk in its node.
pub fn disk(trace: &Trace, disk: Option<ResourceId>) -> Option<u16> {
    disk.and_then(|disk| u16::try_from(trace.resources[disk.at()].place?).ok())
}

/// Index of the node's rack; 0 without a rack.
pub fn rack(node: &Node) -> usize {
    node.rack.map_or(0, RackId::at)
}

#[derive(Default)]
pub struct Blocks(BTreeMap<i64, EntityId>);

impl Blocks {
    pub fn of(trace: &Trace) -> Blocks {
        let all = trace.entities.iter().enumerate();
        Blocks(all.filter_map(|(at, row)| Some((row.number?, EntityId::of(at)))).collect())
    }

    /// Adds the block to the trace if it is new.
    pub fn add(&mut self, trace: &mut Trace, id: i64) -> EntityId {
        *self.0.entry(id).or_insert_with(|| {
            trace.entities.push(Entity { number: Some(id), ..Entity::new(kind::BLOCK) });
            EntityId::of(trace.entities.len() - 1)
        })
    }

    pub fn get(&self, id: i64) -> Option<EntityId> {
        self.0.get(&id).copied()
    }

    pub fn ids(&self) -> impl Iterator<Item = i64> {
        self.0.keys().copied()
    }
}

/// Numbers each node's resources by kind.
pub fn number(resources: &mut [Resource]) {
    let mut alike: BTreeMap<(NodeId, ResourceKind), u32> = BTreeMap::new();
    for row in resources {
        let Some(node) = row.node else { continue };
        let next = alike.entry((node, row.kind)).or_default();
        row.place = Some(*next);
        *next += 1;
    }
}

/// Disks by their index in the node.
#[derive(Default)]
pub struct Disks {
    read: Vec<Vec<ResourceId>>,
    written: Vec<Vec<ResourceId>>,
}

impl Disks {
    pub fn of(trace: &Trace) -> Disks {
        let mut disks = Disks {
            read: vec![vec![]; trace.nodes.len()],
            written: vec![vec![]; trace.nodes.len()],
        };
        for (at, row) in trace.resources.iter().enumerate() {
            let of = match row.kind {
                kind::DISK => &mut disks.read,
                kind::DISK_WRITE => &mut disks.written,
                _ => continue,
            };
            if let Some(node) = row.node {
                of[node.at()].push(ResourceId::of(at))
            }
        }
        disks
    }

    pub fn read(&self, node: NodeId, disk: u16) -> Option<ResourceId> {
        self.read.get(node.at())?.get(usize::from(disk)).copied()
    }

    /// The resource of writes: the write side, if the disk has one.
    pub fn written(&self, node: NodeId, disk: u16) -> Option<ResourceId> {
        let side = self.written.get(node.at()).and_then(|all| all.get(usize::from(disk)));
        side.copied().or_else(|| self.read(node, disk))
    }
}
