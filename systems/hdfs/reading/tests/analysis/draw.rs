//! Traces drawn as text, one column a second.
//!
//! A block has two lines of equal length: what happens, and what it waits for.
//! ```text
//! 1 |qqqhhtttt r|     q queued, h handout, t transfer, r report, space nothing
//!   |mmmbbdd.n b|     m s b settings, x no source, d e n u resources, 1–9 the copy of
//!                     that block, . no evidence
//! ```
//! One interval a run of equal causes; a transfer is one interval whose runs are its `Held` parts.
//! `=` beneath a transfer means that it has no parts at all, and its cause is unexplained.
use hdfs_trace::{
    Blocks, Cause, Count, CounterId, EntityId, Interval, IntervalId, NodeId, OptionalNumber,
    RackId, Resource, ResourceId, ResourceKind, Sample, Setting, SettingId, Shortage, ShortageId,
    Trace, begin, datanode, kind, number,
};
use trace::IntervalKind;
use units::Nanos;

/// What `m s b` are.
const SETTINGS: [(char, &str, &str); 3] = [
    ('m', "dfs.namenode.replication.work.multiplier.per.iteration", "2"),
    ('s', "dfs.namenode.replication.max-streams", "2"),
    ('b', "dfs.heartbeat.interval", "3s"),
];

/// What `x` is.
const SHORTAGE: (&str, &str) = ("no source", "no readable replica is left");

/// Blocks that drawings may have.
const BLOCKS: i64 = 10;

/// What `d e n u` are.
const RESOURCES: [(char, ResourceKind, &str); 4] = [
    ('d', kind::DISK, "a disk 0"),
    ('e', kind::DISK, "b disk 0"),
    ('n', kind::NIC_OUT, "a NIC"),
    ('u', kind::UPLINK_OUT, "/r0 uplink"),
];

/// Bytes that every copy moves in a second: half of what each resource can.
pub const RATE: u64 = 50;
/// Capacity of each resource \[bytes/s\].
pub const CAPACITY: u64 = 100;

/// A trace of two nodes in two racks, without intervals.
pub fn empty() -> Trace {
    let node = |name: &str, rack| datanode(name.into(), "", rack, true);
    let resource = |&(_, kind, name): &(char, ResourceKind, &str)| {
        let (node, rack) = match name.as_bytes()[0] {
            b'a' => (Some(0), 0),
            b'b' => (Some(1), 1),
            _ => (None, 0),
        };
        resource(kind, name.into(), node, Some(rack), CAPACITY)
    };
    let setting =
        |&(_, key, value): &(_, &str, &str)| Setting { key: key.into(), value: value.into() };
    let (name, why) = (SHORTAGE.0.into(), SHORTAGE.1.into());
    let mut trace = Trace {
        racks: vec!["/r0".into(), "/r1".into()],
        nodes: vec![node("a", 0), node("b", 1)],
        resources: RESOURCES.iter().map(resource).collect(),
        settings: SETTINGS.iter().map(setting).collect(),
        lacks: vec![Shortage { name, why }],
        ..begin()
    };
    number(&mut trace.resources);
    let mut blocks = Blocks::default();
    for block in 0..BLOCKS {
        blocks.add(&mut trace, block);
    }
    trace
}

/// A resource of a node, of a rack.
pub fn resource(
    kind: ResourceKind,
    name: String,
    node: Option<usize>,
    rack: Option<usize>,
    capacity: u64,
) -> Resource {
    let (node, rack) = (node.map(NodeId::of), rack.map(RackId::of));
    Resource { kind, name, node, rack, place: None, capacity: Some(capacity), setting: None }
}

/// A resource's use from a time on.
pub fn sample(resource: usize, at: Nanos, used: f64, queue: u32) -> Sample {
    let resource = ResourceId::of(resource);
    Sample { resource, at, used: used.into(), busy: OptionalNumber::NONE, queue: queue.into() }
}

/// A counter's value from a time on.
pub fn count(counter: usize, at: Nanos, value: f64) -> Count {
    Count { counter: CounterId::of(counter), at, value: Some(value) }
}

pub fn setting(place: usize) -> Cause {
    Cause::Setting(SettingId::of(place))
}

pub fn limited(resource: usize) -> Cause {
    Cause::Resource(ResourceId::of(resource))
}

pub fn behind(interval: usize) -> Cause {
    Cause::Interval(IntervalId::of(interval))
}

/// The trace of a drawing; declared at `declared`, all safe at `redundant` \[s\].
pub fn trace(declared: u64, redundant: Option<u64>, drawing: &str) -> Trace {
    let mut trace = empty();
    trace.run.push(("fault_s".into(), "0".into()));
    trace.run.push(("declared_s".into(), declared.to_string()));
    if let Some(redundant) = redundant {
        trace.run.push(("redundant_s".into(), redundant.to_string()));
    }
    let lines: Vec<&str> = drawing.lines().filter(|line| line.contains('|')).collect();
    assert_eq!(lines.len() % 2, 0, "each block has two lines");
    let mut waits: Vec<(usize, char)> = Vec::new();
    for pair in lines.chunks(2) {
        let block: i64 = pair[0].split('|').next().unwrap().trim().parse().unwrap();
        let row = |line: &str| line.split('|').nth(1).unwrap().chars().collect::<Vec<char>>();
        draw_block(&mut trace, &mut waits, block, &row(pair[0]), &row(pair[1]));
    }
    for (id, digit) in waits {
        let block = Some(EntityId::of(digit.to_digit(10).unwrap() as usize));
        let copy =
            |interval: &Interval| interval.kind == kind::TRANSFER && interval.subject == block;
        let other = trace.intervals.iter().position(copy).expect("the copy that is waited for");
        trace.intervals[id].cause = behind(other);
    }
    trace
}

fn draw_block(
    trace: &mut Trace,
    waits: &mut Vec<(usize, char)>,
    block: i64,
    what: &[char],
    why: &[char],
) {
    assert_eq!(what.len(), why.len(), "block {block}: lines of equal length");
    let runs = |from: usize, to: usize, of: &[char]| -> Vec<(usize, usize)> {
        let mut starts: Vec<usize> =
            (from..to).filter(|&i| i == from || of[i] != of[i - 1]).collect();
        starts.push(to);
        starts.windows(2).map(|w| (w[0], w[1])).collect()
    };
    for (start, end) in runs(0, what.len(), what) {
        let kind = match what[start] {
            'q' => kind::QUEUED,
            'h' => kind::HANDOUT,
            't' => kind::TRANSFER,
            'r' => kind::REPORT,
            ' ' => continue,
            other => panic!("`{other}` means nothing"),
        };
        let parent = (kind == kind::TRANSFER).then_some(trace.intervals.len());
        if parent.is_some() {
            trace.intervals.push(interval(kind, None, block, start, end));
        }
        for (from, to) in runs(start, end, why) {
            if parent.is_some() && matches!(why[from], '.' | '=') {
                continue;
            }
            let kind = if parent.is_some() { kind::HELD } else { kind };
            let mut part = interval(kind, parent, block, from, to);
            match why[from] {
                digit if digit.is_ascii_digit() => waits.push((trace.intervals.len(), digit)),
                letter => part.cause = cause(letter),
            }
            trace.intervals.push(part);
        }
    }
}

/// An interval between whole seconds.
pub fn interval(
    kind: IntervalKind,
    parent: Option<usize>,
    block: i64,
    start: usize,
    end: usize,
) -> Interval {
    let copies = kind == kind::TRANSFER;
    let (from, to) = (Nanos::secs(start as u64), Nanos::secs(end as u64));
    Interval {
        parent: parent.map(IntervalId::of),
        subject: Some(EntityId::of(block as usize)),
        node: Some(NodeId::of(0)),
        peer: copies.then_some(NodeId::of(1)),
        resource: copies.then_some(ResourceId::of(0)),
        peer_resource: copies.then_some(ResourceId::of(1)),
        amount: Some(RATE * (end - start) as u64).filter(|bytes| copies && *bytes > 0),
        ..Interval::new(kind, from, to)
    }
}

fn cause(letter: char) -> Cause {
    if let Some(place) = SETTINGS.iter().position(|s| s.0 == letter) {
        return setting(place);
    }
    if let Some(place) = RESOURCES.iter().position(|r| r.0 == letter) {
        return limited(place);
    }
    if letter == 'x' {
        return Cause::Shortage(ShortageId::of(0));
    }
    assert!(letter == '.' || letter == ' ', "`{letter}` is no cause");
    Cause::Unexplained
}
