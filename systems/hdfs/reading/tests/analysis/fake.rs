//! A pretended repair, for pages and speed: rounds of live × multiplier blocks every 3 s, a
//! heartbeat, a copy limited by its two disks. No model, only a trace of the right form.
use crate::draw::{count, limited, resource, sample, setting};
use crate::random::Dice;
use hdfs_trace::{
    Blocks, Disks, Interval, IntervalId, NodeId, Setting, Trace, begin, counter_name, datanode,
    kind, number,
};
use std::collections::BTreeMap;
use units::Nanos;

/// The size of the pretence.
#[derive(Clone, Copy)]
pub struct Fake {
    pub racks: u32,
    pub nodes_per_rack: u32,
    pub disks: u32,
    pub blocks: u32,
    pub multiplier: u32,
    pub seed: u64,
    /// Held parts of each copy.
    pub parts: u32,
}

/// Ten nodes, two racks, 200 blocks.
pub const SMALL: Fake =
    Fake { racks: 2, nodes_per_rack: 5, disks: 6, blocks: 200, multiplier: 2, seed: 1, parts: 2 };

const DECLARED: Nanos = Nanos::secs(630);
const BLOCK: u64 = 64 << 20;
const KEYS: [(&str, &str); 4] = [
    ("dfs.namenode.redundancy.interval.seconds", "3s"),
    ("dfs.namenode.replication.work.multiplier.per.iteration", ""),
    ("dfs.heartbeat.interval", "3s"),
    ("dfs.namenode.replication.max-streams", "2"),
];

/// The trace: node 0 is lost at 0 and declared dead at 630 s.
pub fn trace(fake: Fake) -> Trace {
    let nodes = fake.racks * fake.nodes_per_rack;
    let times = [("fault_s".into(), "0".into()), ("declared_s".into(), "630".into())];
    let mut trace = Trace {
        racks: (0..fake.racks).map(|r| format!("/rack{r}")).collect(),
        nodes: (0..nodes)
            .map(|n| datanode(format!("dn-{n:02}"), "", (n / fake.nodes_per_rack) as usize, n > 0))
            .collect(),
        settings: KEYS
            .iter()
            .map(|&(key, value)| Setting { key: key.into(), value: value.into() })
            .collect(),
        ..begin()
    };
    trace.run.extend(times);
    trace.settings[1].value = fake.multiplier.to_string();
    resources(&mut trace, fake);
    let ends = copies(&mut trace, fake);
    let last = ends.last().copied().unwrap_or(DECLARED);
    trace.run.push(("redundant_s".into(), format!("{:.9}", last.as_secs())));
    counters(&mut trace, fake, &ends);
    trace
}

/// Node n has its disks, then NIC out and in, from (disks + 2) · n; then two uplinks a rack.
fn resources(trace: &mut Trace, fake: Fake) {
    for n in 0..trace.nodes.len() as u32 {
        let name = trace.nodes[n as usize].name.clone();
        let mut add = |kind, what: String, capacity| {
            let name = format!("{name} {what}");
            trace.resources.push(resource(kind, name, Some(n as usize), None, capacity));
        };
        for d in 0..fake.disks {
            add(kind::DISK, format!("disk {d}"), 150_000_000);
        }
        add(kind::NIC_OUT, "NIC out".into(), 1_250_000_000);
        add(kind::NIC_IN, "NIC in".into(), 1_250_000_000);
    }
    for rack in 0..fake.racks {
        for (kind, way) in [(kind::UPLINK_OUT, "out"), (kind::UPLINK_IN, "in")] {
            let name = format!("/rack{rack} uplink {way}");
            let rack = Some(rack as usize);
            trace.resources.push(resource(kind, name, None, rack, 5_000_000_000));
        }
    }
    number(&mut trace.resources);
}

/// Every block's chain; when each is safe, ascending.
fn copies(trace: &mut Trace, fake: Fake) -> Vec<Nanos> {
    let mut dice = Dice(fake.seed);
    let live = trace.nodes.len() as u32 - 1;
    let mut changes: BTreeMap<(u32, Nanos), f64> = BTreeMap::new();
    let mut ends = Vec::new();
    let jitter = Nanos::millis(dice.below(3_000));
    let (mut blocks, at) = (Blocks::default(), Disks::of(trace));
    let place = |node: u32| NodeId::of(node as usize);
    for block in 0..fake.blocks {
        let round = block / (live * fake.multiplier);
        let source = 1 + dice.below(u64::from(live)) as u32;
        let target = 1 + (source - 1 + 1 + dice.below(u64::from(live - 1)) as u32) % live;
        let disks = [0, 1].map(|_| dice.below(u64::from(fake.disks)) as u16);
        let tick = DECLARED + jitter;
        let decided = tick + Nanos::secs(3) * u64::from(round);
        let start = decided + Nanos::millis(1 + dice.below(3_000));
        let length = Nanos::millis(950 + dice.below(600));
        let id = i64::from(1_073_741_825 + block);
        let mut push = |kind, from: Nanos, to: Nanos, cause| {
            if from < to {
                let copy = kind == kind::TRANSFER;
                let disk = |node, disk| at.read(place(node), disk).filter(|_| copy);
                let row = Interval {
                    subject: Some(blocks.add(trace, id)),
                    node: Some(place(source)),
                    peer: copy.then_some(place(target)),
                    resource: disk(source, disks[0]),
                    peer_resource: disk(target, disks[1]),
                    amount: copy.then_some(BLOCK),
                    cause,
                    ..Interval::new(kind, from, to)
                };
                trace.intervals.push(row);
            }
        };
        push(kind::QUEUED, DECLARED, tick.min(decided), setting(0));
        push(kind::QUEUED, tick, decided, setting(1));
        push(kind::HANDOUT, decided, start, setting(2));
        let per_node = fake.disks + 2;
        let ways = [
            source * per_node + u32::from(disks[0]),
            source * per_node + fake.disks,
            target * per_node + fake.disks + 1,
            target * per_node + u32::from(disks[1]),
        ];
        push(kind::TRANSFER, start, start + length, limited(ways[0] as usize));
        let rate = BLOCK as f64 / length.as_secs();
        for way in ways {
            *changes.entry((way, start)).or_default() += rate;
            *changes.entry((way, start + length)).or_default() -= rate;
        }
        parts(trace, fake, start, length, [ways[0], ways[3]]);
        ends.push(start + length);
    }
    series(trace, &changes);
    ends.sort_unstable();
    ends
}

fn parts(trace: &mut Trace, fake: Fake, start: Nanos, length: Nanos, ways: [u32; 2]) {
    let parent = trace.intervals.len() - 1;
    let mut part = trace.intervals[parent].clone();
    for p in 0..u64::from(fake.parts) {
        part.kind = kind::HELD;
        part.parent = Some(IntervalId::of(parent));
        part.start = start + Nanos(length.0 * p / u64::from(fake.parts));
        part.end = start + Nanos(length.0 * (p + 1) / u64::from(fake.parts));
        part.cause = limited(ways[p as usize % 2] as usize);
        trace.intervals.push(part.clone());
    }
}

fn series(trace: &mut Trace, changes: &BTreeMap<(u32, Nanos), f64>) {
    let (mut now, mut used) = (u32::MAX, 0.0);
    for (&(resource, at), change) in changes {
        if resource != now {
            (now, used) = (resource, 0.0);
        }
        used += change;
        let used = if used < 1.0 { 0.0 } else { used };
        trace.series.push(sample(resource as usize, at, used, 0));
    }
    trace.series.sort_by_key(|sample| (sample.at, sample.resource));
}

fn counters(trace: &mut Trace, fake: Fake, ends: &[Nanos]) {
    let all = f64::from(fake.blocks);
    let names = ["at_risk", "at_one_replica", "at_zero_replicas", "one_rack_only"];
    trace.counter_names = names.map(counter_name).to_vec();
    for (name, value) in [(0, all), (1, 0.0), (2, 0.0), (3, libm::floor(all / 3.0))] {
        trace.counters.push(count(name, Nanos::ZERO, value));
    }
    for (done, &at) in ends.iter().enumerate() {
        let left = all - done as f64 - 1.0;
        trace.counters.push(count(0, at, left));
        trace.counters.push(count(3, at, libm::floor(left / 3.0)));
    }
}
