//! What happened, simulated or real, as HDFS's model and reading see it: typed rows in memory. On
//! disk it stands as the trace of all systems ([`crate::stored`]).
//!
//! Intervals, series and counters, with the names they refer to. An interval's *cause* is what it
//! waited for: a resource, another interval, or a setting under its real key.
use units::{Bytes, Nanos};

/// What kind of thing a resource is; screens give each a hue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum ResourceKind {
    /// A disk whose reads and writes share one budget, or its read side.
    Disk = 0,
    /// The write side of a disk with two budgets.
    DiskWrite = 1,
    /// A node's NIC, sending.
    NicOut = 2,
    /// A node's NIC, receiving.
    NicIn = 3,
    /// A rack's uplink, leaving the rack.
    UplinkOut = 4,
    /// A rack's uplink, entering the rack.
    UplinkIn = 5,
    /// The one link between two racks.
    InterRackLink = 6,
}

/// A disk, NIC or link. Its id is its place in `Trace::resources`.
#[derive(Clone, PartialEq, Debug)]
pub struct Resource {
    /// What it is.
    pub kind: ResourceKind,
    /// For people: "dn-r2-04 disk 6".
    pub name: String,
    /// The node it belongs to, if any (place in `Trace::nodes`).
    pub node: Option<u32>,
    /// The rack it belongs to, if any (place in `Trace::racks`).
    pub rack: Option<u32>,
    /// What it was built for [bytes/s]; `Trace::capacities` says if that changes.
    pub capacity: u64,
}

/// A setting that can hold a run up, or what the cluster lacks. Its id is its place in
/// `Trace::settings`.
#[derive(Clone, PartialEq, Debug)]
pub struct SettingRow {
    /// Its real key: `dfs.namenode.replication.max-streams`.
    pub key: String,
    /// Its value in this run.
    pub value: String,
}

impl SettingRow {
    /// Whether it is none, but says in words what the cluster lacks: "no source". No real key has
    /// a blank.
    pub fn is_lack(&self) -> bool {
        self.key.contains(' ')
    }
}

/// What an interval waited for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// No evidence.
    Unexplained,
    /// Place in `Trace::resources`.
    Resource(u32),
    /// Place in `Trace::settings`.
    Setting(u32),
    /// Place in `Trace::intervals`.
    Interval(u64),
}

/// What kind of activity an interval is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum IntervalKind {
    /// From the fault until the NameNode declares the node dead.
    Detection = 0,
    /// A block waits in the NameNode's queue for its turn. `block`; one interval a reason.
    Queued = 1,
    /// A copy has been decided and waits at its source (`node`) to be handed out or started.
    Handout = 2,
    /// A copy under way from `node` to `peer`. Its `cause` is what limited it longest.
    Transfer = 3,
    /// Part of a transfer (`parent`) during which one resource, its cause, limited it.
    Held = 4,
    /// From the last byte until the NameNode knows.
    Report = 5,
}

/// Who did what, where, from when to when, and what it waited for. Its id is its place in
/// `Trace::intervals`.
#[derive(Clone, PartialEq, Debug)]
pub struct Interval {
    /// What it is.
    pub kind: IntervalKind,
    /// The interval that it is a part of.
    pub parent: Option<u64>,
    /// HDFS's block id, where it is about a block.
    pub block: Option<i64>,
    /// Where: the node that acts (sends, waits, is dead).
    pub node: Option<u32>,
    /// The other node (receives).
    pub peer: Option<u32>,
    /// Disk read from, in `node` (transfers).
    pub disk: Option<u16>,
    /// Disk written to, in `peer` (transfers).
    pub peer_disk: Option<u16>,
    /// From.
    pub start: Nanos,
    /// To (exclusive).
    pub end: Nanos,
    /// Moved.
    pub bytes: Bytes,
    /// What it waited for.
    pub cause: Cause,
}

/// A resource's use from `at` until its next sample: a step function, 0 before the first.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// Place in `Trace::resources`.
    pub resource: u32,
    /// From when.
    pub at: Nanos,
    /// In use, of what it can do [bytes/s]: a disk's seeks take their part, too.
    pub used: f64,
    /// Flows or requests on it.
    pub queue: u32,
}

/// What a resource can do from `at` on, if that is not what it was built for: it has become slow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CapacityChange {
    /// Place in `Trace::resources`.
    pub resource: u32,
    /// From when.
    pub at: Nanos,
    /// What it can do now [bytes/s].
    pub capacity: u64,
}

/// A named number from `at` until its next value.
#[derive(Clone, PartialEq, Debug)]
pub struct Counter {
    /// Place in `Trace::counter_names`: `at_risk` (blocks short of replicas or racks),
    /// `at_one_replica`, `at_zero_replicas`, `one_rack_only`.
    pub name: u32,
    /// From when.
    pub at: Nanos,
    /// Its value.
    pub value: f64,
}

/// What a client asked for beside the repair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// A write, or a read.
    pub write: bool,
    /// Where the client stands (place in `Trace::nodes`).
    pub client: u32,
    /// Who served it: the replica's node, or the pipeline's first.
    pub node: u32,
    /// When the client asked.
    pub begun: Nanos,
    /// When it had all; `None`: not until the end of the run.
    pub end: Option<Nanos>,
    /// How much.
    pub bytes: Bytes,
    /// Attempts that broke off before.
    pub tries: u32,
}

/// A node, for names in screens.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeRow {
    /// What people call it: the host name, without the domain that all share.
    pub name: String,
    /// Transfer address, `ip:port`: joins the run with the cluster's own logs.
    pub address: String,
    /// Place in `Trace::racks`.
    pub rack: u32,
    /// Not lost or dead.
    pub alive: bool,
}

/// How the run came about: key and value (`scenario`, `scenario_hash`, `seed`, `version`,
/// `command`, `trace_hash`, `origin` = `simulated` or `logged`, …), in order.
pub type RunTable = Vec<(String, String)>;

/// All tables of one run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trace {
    /// How it came about.
    pub run: RunTable,
    /// Racks by name.
    pub racks: Vec<String>,
    /// Nodes.
    pub nodes: Vec<NodeRow>,
    /// Disks, NICs, links.
    pub resources: Vec<Resource>,
    /// Changes of what resources can do, by time; mostly none.
    pub capacities: Vec<CapacityChange>,
    /// Settings that can be causes, then what the cluster lacks.
    pub settings: Vec<SettingRow>,
    /// What was done, in the order of their ids.
    pub intervals: Vec<Interval>,
    /// Use of resources, by time.
    pub series: Vec<Sample>,
    /// Names of counters.
    pub counter_names: Vec<String>,
    /// Counters, by time.
    pub counters: Vec<Counter>,
    /// Clients' requests, by the time of their end; unfinished ones last.
    pub requests: Vec<Request>,
}

impl Trace {
    /// A value of the run table.
    pub fn about(&self, key: &str) -> Option<&str> {
        self.run.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }
}
