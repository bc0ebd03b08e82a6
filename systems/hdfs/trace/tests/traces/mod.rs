//! A trace for tests.
use hdfs_trace::{
    Blocks, CapacityChange, Cause, Count, CounterId, Disks, Interval, IntervalId, NodeId,
    OptionalNumber, Outcome, RackId, Resource, ResourceId, Sample, Setting, SettingId, Shortage,
    Trace, begin, counter_name, datanode, kind, number,
};
use trace::{IntervalKind, ResourceKind};
use units::Nanos;

/// Two racks of two nodes; a node is lost and two blocks are copied at once from one node.
pub fn small() -> Trace {
    let nodes = ["dn-r1-01", "dn-r1-02", "dn-r2-01", "dn-r2-02"];
    let row = |(at, name): (usize, &str)| {
        datanode(name.into(), &format!("10.0.0.{at}:9866"), at / 2, at != 3)
    };
    let setting = Setting { key: "dfs.heartbeat.interval".into(), value: "3s".into() };
    let (name, why) = ("no source".into(), "no readable replica is left".into());
    let mut trace = Trace {
        racks: vec!["/rack1".into(), "/rack2".into()],
        nodes: nodes.into_iter().enumerate().map(row).collect(),
        resources: resources(&nodes),
        settings: vec![setting],
        lacks: vec![Shortage { name, why }],
        counter_names: ["at_risk", "at_one_replica"].map(counter_name).into(),
        ..begin()
    };
    trace.run.extend(
        [("scenario", "small"), ("origin", "simulated")]
            .map(|(key, value)| (key.to_string(), value.to_string())),
    );
    number(&mut trace.resources);
    intervals(&mut trace);
    let sample = |resource, at, used| {
        let (resource, at) = (ResourceId::of(resource), Nanos(at));
        Sample {
            resource,
            at,
            used: OptionalNumber::from(used),
            busy: OptionalNumber::NONE,
            queue: 1.into(),
        }
    };
    trace.series = vec![
        sample(0, 9_000, 65e6),
        sample(1, 9_000, 65e6),
        sample(8, 10_000, 1e300),
        sample(0, 20_000, 0.0),
    ];
    let (resource, at) = (ResourceId::of(0), Nanos(12_000));
    trace.capacities = vec![CapacityChange { resource, at, capacity: 5_000_000 }];
    let count = |(counter, at, value)| Count {
        counter: CounterId::of(counter),
        at: Nanos(at),
        value: Some(value),
    };
    let counts = [(0, 5_000, 2.0), (1, 5_000, 1.0), (0, 15_001, 1.0), (0, 20_000, 0.0)];
    trace.counters = counts.map(count).into();
    trace
}

/// A disk and a NIC of each node, then an uplink whose name must be escaped.
fn resources(nodes: &[&str]) -> Vec<Resource> {
    let row = |kind: ResourceKind, name, node: Option<usize>, rack, capacity| {
        let (node, rack) = (node.map(NodeId::of), Some(RackId::of(rack)));
        Resource { kind, name, node, rack, place: None, capacity: Some(capacity), setting: None }
    };
    let mut resources = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let of = |kind, what| row(kind, format!("{node} {what}"), Some(at), at / 2, 125_000_000);
        resources.extend([of(kind::DISK, "disk 0"), of(kind::NIC_OUT, "NIC out")])
    }
    resources.push(row(kind::UPLINK_OUT, "/rack1 uplink \"out\"\n".into(), None, 0, u64::MAX));
    resources
}

fn intervals(trace: &mut Trace) {
    let (mut blocks, disks) = (Blocks::default(), Disks::of(trace));
    let mut push = |kind: IntervalKind, block: Option<i64>, (start, end), cause| {
        let (node, copies) = (NodeId::of(0), kind == kind::TRANSFER);
        let peer = copies.then_some(NodeId::of(2));
        let row = Interval {
            subject: block.map(|block| blocks.add(trace, block)),
            parent: (kind == kind::HELD).then_some(IntervalId::of(2)),
            node: Some(node),
            peer,
            resource: disks.read(node, 0),
            peer_resource: peer.and_then(|peer| disks.written(peer, 0)),
            amount: Some(1 << 27),
            cause,
            ..Interval::new(kind, Nanos(start), Nanos(end))
        };
        trace.intervals.push(row)
    };
    let resource = |at| Cause::Resource(ResourceId::of(at));
    push(kind::DETECTION, None, (0, 5_000), Cause::Unexplained);
    push(kind::QUEUED, Some(7), (5_000, 8_500), Cause::Setting(SettingId::of(0)));
    push(kind::TRANSFER, Some(7), (9_000, 20_000), resource(0));
    push(kind::TRANSFER, Some(-16), (10_000, 15_001), resource(8));
    push(kind::HELD, Some(7), (9_000, 15_000), resource(0));
    push(kind::REPORT, Some(7), (20_000, 20_000), Cause::Interval(IntervalId::of(2)));
    let request = |kind, start, end| Interval {
        node: Some(NodeId::of(1)),
        peer: Some(NodeId::of(0)),
        amount: Some(1 << 27),
        tries: 2,
        ..Interval::new(kind, Nanos(start), Nanos(end))
    };
    trace.intervals.push(request(kind::READ, 5, 900));
    trace.intervals.push(request(kind::WRITE, 7, 20_000));
    // Both still run at the end.
    trace.intervals[5].outcome = Outcome::Cut;
    trace.intervals[7].outcome = Outcome::Cut;
}
