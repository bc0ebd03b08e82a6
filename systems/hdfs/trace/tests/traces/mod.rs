//! Traces for tests: one to read, one drawn.
#![allow(dead_code, reason = "each test file uses what it needs")]
use hdfs_trace::{
    CapacityChange, Cause, Counter, Interval, IntervalKind, NodeRow, Request, Resource,
    ResourceKind, Sample, SettingRow, Trace,
};
use units::{Bytes, Nanos};

/// Two racks of two nodes; a node is lost and two blocks are copied at once from one node.
pub fn small() -> Trace {
    let nodes = ["dn-r1-01", "dn-r1-02", "dn-r2-01", "dn-r2-02"];
    let row = |(at, name): (usize, &str)| NodeRow {
        name: name.into(),
        address: format!("10.0.0.{at}:9866"),
        rack: at as u32 / 2,
        alive: at != 3,
    };
    let mut trace = Trace {
        run: vec![("scenario".into(), "small".into()), ("origin".into(), "simulated".into())],
        racks: vec!["/rack1".into(), "/rack2".into()],
        nodes: nodes.into_iter().enumerate().map(row).collect(),
        settings: [("dfs.heartbeat.interval", "3s"), ("no source", "no readable replica is left")]
            .map(|(key, value)| SettingRow { key: key.into(), value: value.into() })
            .into(),
        counter_names: vec!["at_risk".into(), "at_one_replica".into()],
        ..Trace::default()
    };
    trace.resources = resources(&nodes);
    trace.intervals = intervals();
    let sample = |resource, at, used| Sample { resource, at: Nanos(at), used, queue: 1 };
    trace.series = vec![
        sample(0, 9_000, 65e6),
        sample(1, 9_000, 65e6),
        sample(8, 10_000, 1e300),
        sample(0, 20_000, 0.0),
    ];
    trace.capacities = vec![CapacityChange { resource: 0, at: Nanos(12_000), capacity: 5_000_000 }];
    let counter = |name, at, value| Counter { name, at: Nanos(at), value };
    trace.requests = vec![request(5, Some(900)), request(7, None)];
    trace.counters = vec![
        counter(0, 5_000, 2.0),
        counter(1, 5_000, 1.0),
        counter(0, 15_001, 1.0),
        counter(0, 20_000, 0.0),
    ];
    trace
}

/// A disk and a NIC of each node, then an uplink whose name must be escaped.
fn resources(nodes: &[&str]) -> Vec<Resource> {
    let mut resources = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let of = |kind, what| Resource {
            kind,
            name: format!("{node} {what}"),
            node: Some(at as u32),
            rack: Some(at as u32 / 2),
            capacity: 125_000_000,
        };
        resources.push(of(ResourceKind::Disk, "disk 0"));
        resources.push(of(ResourceKind::NicOut, "NIC out"))
    }
    resources.push(Resource {
        kind: ResourceKind::UplinkOut,
        name: "/rack1 uplink \"out\"\n".into(),
        node: None,
        rack: Some(0),
        capacity: u64::MAX,
    });
    resources
}

fn intervals() -> Vec<Interval> {
    let interval = |kind, parent, block, start, end, cause| Interval {
        kind,
        parent,
        block,
        node: Some(0),
        peer: matches!(kind, IntervalKind::Transfer).then_some(2),
        disk: Some(0),
        peer_disk: matches!(kind, IntervalKind::Transfer).then_some(0),
        start: Nanos(start),
        end: Nanos(end),
        bytes: Bytes(1 << 27),
        cause,
    };
    vec![
        interval(IntervalKind::Detection, None, None, 0, 5_000, Cause::Unexplained),
        interval(IntervalKind::Queued, None, Some(7), 5_000, 8_500, Cause::Setting(0)),
        interval(IntervalKind::Transfer, None, Some(7), 9_000, 20_000, Cause::Resource(0)),
        interval(IntervalKind::Transfer, None, Some(-16), 10_000, 15_001, Cause::Resource(8)),
        interval(IntervalKind::Held, Some(2), Some(7), 9_000, 15_000, Cause::Resource(0)),
        interval(IntervalKind::Report, None, Some(7), 20_000, u64::MAX, Cause::Interval(2)),
    ]
}

fn request(begun: u64, end: Option<u64>) -> Request {
    let (bytes, end) = (Bytes(1 << 27), end.map(Nanos));
    Request { write: end.is_none(), client: 1, node: 0, begun: Nanos(begun), end, bytes, tries: 2 }
}

/// `n` intervals and samples at random, in the order of their starts.
pub fn drawn(seed: u64, n: usize) -> Trace {
    let mut trace = small();
    let mut state = seed;
    let mut below = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    trace.intervals.clear();
    let kinds =
        [IntervalKind::Queued, IntervalKind::Handout, IntervalKind::Transfer, IntervalKind::Held];
    let mut start = 0;
    for at in 0..n as u64 {
        start += below(50);
        let kind = kinds[below(4) as usize];
        let cause = match below(4) {
            0 => Cause::Unexplained,
            1 => Cause::Resource(below(9) as u32),
            2 => Cause::Setting(below(2) as u32),
            _ => Cause::Interval(below(at + 1)),
        };
        let mut row = Interval {
            kind,
            parent: (below(3) == 0).then(|| below(at + 1)),
            block: (below(5) > 0).then(|| below(1000) as i64 - 500),
            node: (below(9) > 0).then(|| below(4) as u32),
            peer: (kind == IntervalKind::Transfer).then(|| below(4) as u32),
            disk: None,
            peer_disk: None,
            start: Nanos(start),
            end: Nanos(start + below(3_000)),
            bytes: Bytes(below(1 << 30)),
            cause,
        };
        // Each node has one disk.
        row.disk = row.node.and((below(2) > 0).then_some(0));
        row.peer_disk = row.peer.and((below(2) > 0).then_some(0));
        trace.intervals.push(row);
        let (resource, used) = (below(9) as u32, below(1 << 30) as f64 / 7.0);
        trace.series.push(Sample {
            resource,
            at: Nanos(20_000 + start),
            used,
            queue: below(5) as u32,
        })
    }
    trace
}
