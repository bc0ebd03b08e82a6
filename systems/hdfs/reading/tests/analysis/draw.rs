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
    Cause, Interval, IntervalKind, NodeRow, Resource, ResourceKind, SettingRow, Trace,
};
use units::{Bytes, Nanos};

/// What `m s b` are, and `x`, which is none.
const SETTINGS: [(char, &str, &str); 4] = [
    ('m', "dfs.namenode.replication.work.multiplier.per.iteration", "2"),
    ('s', "dfs.namenode.replication.max-streams", "2"),
    ('b', "dfs.heartbeat.interval", "3s"),
    ('x', "no source", "no readable replica is left"),
];

/// What `d e n u` are.
const RESOURCES: [(char, ResourceKind, &str); 4] = [
    ('d', ResourceKind::Disk, "a disk 0"),
    ('e', ResourceKind::Disk, "b disk 0"),
    ('n', ResourceKind::NicOut, "a NIC"),
    ('u', ResourceKind::UplinkOut, "/r0 uplink"),
];

/// Bytes that every copy moves in a second: half of what each resource can.
pub const RATE: u64 = 50;
/// Of each resource [bytes/s].
pub const CAPACITY: u64 = 100;

/// A trace of two nodes in two racks, without intervals.
pub fn empty() -> Trace {
    let node =
        |name: &str, rack| NodeRow { name: name.into(), address: String::new(), rack, alive: true };
    let resource = |&(_, kind, name): &(char, ResourceKind, &str)| {
        let (node, rack) = match name.as_bytes()[0] {
            b'a' => (Some(0), Some(0)),
            b'b' => (Some(1), Some(1)),
            _ => (None, Some(0)),
        };
        Resource { kind, name: name.into(), node, rack, capacity: CAPACITY }
    };
    let setting =
        |&(_, key, value): &(_, &str, &str)| SettingRow { key: key.into(), value: value.into() };
    Trace {
        racks: vec!["/r0".into(), "/r1".into()],
        nodes: vec![node("a", 0), node("b", 1)],
        resources: RESOURCES.iter().map(resource).collect(),
        settings: SETTINGS.iter().map(setting).collect(),
        ..Trace::default()
    }
}

/// The trace of a drawing; declared at `declared`, all safe at `redundant` [s].
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
        let block = Some(digit.to_digit(10).unwrap() as i64);
        let copy = |interval: &Interval| {
            interval.kind == IntervalKind::Transfer && interval.block == block
        };
        let other = trace.intervals.iter().position(copy).expect("the copy that is waited for");
        trace.intervals[id].cause = Cause::Interval(other as u64);
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
            'q' => IntervalKind::Queued,
            'h' => IntervalKind::Handout,
            't' => IntervalKind::Transfer,
            'r' => IntervalKind::Report,
            ' ' => continue,
            other => panic!("`{other}` means nothing"),
        };
        let parent = (kind == IntervalKind::Transfer).then_some(trace.intervals.len() as u64);
        if parent.is_some() {
            trace.intervals.push(interval(kind, None, block, start, end));
        }
        for (from, to) in runs(start, end, why) {
            if parent.is_some() && matches!(why[from], '.' | '=') {
                continue;
            }
            let kind = if parent.is_some() { IntervalKind::Held } else { kind };
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
    parent: Option<u64>,
    block: i64,
    start: usize,
    end: usize,
) -> Interval {
    let copies = kind == IntervalKind::Transfer;
    Interval {
        kind,
        parent,
        block: Some(block),
        node: Some(0),
        peer: copies.then_some(1),
        disk: copies.then_some(0),
        peer_disk: copies.then_some(0),
        start: Nanos::secs(start as u64),
        end: Nanos::secs(end as u64),
        bytes: Bytes(if copies { RATE * (end - start) as u64 } else { 0 }),
        cause: Cause::Unexplained,
    }
}

fn cause(letter: char) -> Cause {
    if let Some(place) = SETTINGS.iter().position(|s| s.0 == letter) {
        return Cause::Setting(place as u32);
    }
    if let Some(place) = RESOURCES.iter().position(|r| r.0 == letter) {
        return Cause::Resource(place as u32);
    }
    assert!(letter == '.' || letter == ' ', "`{letter}` is no cause");
    Cause::Unexplained
}
