//! Small scenarios for the tests.
use cluster::{DiskId, NodeId};
use engine::{Nanos, Scheduler};
use hdfs_model::hdfs::{Options, SimulationResult, load_blocks, simulate};
use hdfs_scenario::BlockMap;
use hdfs_scenario::{Blocks, Redundancy, Replica, ReplicaState, Scenario};
use hdfs_trace::{Cause, Interval, Trace, block, kind};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
    sync::Arc,
};

/// A synthetic cluster; each test sets what differs.
pub const BASE: &str = r#"
[cluster]
racks = 1
nodes_per_rack = 6
[hardware]
disk = "100MB/s"
disks_per_node = 1
nic = "125MB/s"
nic_latency = "0.1ms"
inter_rack = "125MB/s"
inter_rack_latency = "0.1ms"
[workload]
blocks_on_lost_node = 20
block_bytes = "64MB"
[policy]
rereplication = "default"
pacing = "hdfs3"
[[event]]
at = "0s"
kind = "node-lost"
target = "dn-r1-01"
[run]
until = "redundant"
seeds = 1
"#;

pub fn scenario(sets: &[(&str, &str)]) -> Scenario {
    scenario_of(BASE, sets)
}

/// `dn-r1-02` is lost together with `dn-r1-01`.
pub fn two_lost(sets: &[(&str, &str)]) -> Scenario {
    with_events("[[event]]\nat = \"0s\"\nkind = \"node-lost\"\ntarget = \"dn-r1-02\"\n", sets)
}

/// With additional events.
pub fn with_events(events: &str, sets: &[(&str, &str)]) -> Scenario {
    scenario_of(&BASE.replace("[run]", &format!("{events}[run]")), sets)
}

fn scenario_of(text: &str, sets: &[(&str, &str)]) -> Scenario {
    let sets: Vec<(String, String)> =
        sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    Scenario::from_str(text, "test.toml", &sets).unwrap_or_else(|e| panic!("{e}"))
}

/// `"0 1 2"` is a block with replicas on these nodes.
pub fn with_blocks(mut scenario: Scenario, rows: &[&str]) -> Scenario {
    let mut map = BlockMap { first: vec![0], ..BlockMap::default() };
    for (i, row) in rows.iter().enumerate() {
        let replicas: Vec<Replica> = row
            .split_whitespace()
            .map(|n| Replica {
                node: NodeId(n.parse().expect("a node")),
                disk: DiskId(0),
                state: ReplicaState::Live,
                index: 0,
            })
            .collect();
        let redundancy = Redundancy::Replicated(scenario.hdfs.replication);
        map.push(100 + i as i64, 64_000_000, redundancy, &replicas)
    }
    scenario.blocks = Blocks::Given(map);
    scenario
}

/// `"0 1 - 2"` has its internal blocks 0, 1 and 3 on these nodes, all on disk 0.
pub fn with_groups(
    mut scenario: Scenario,
    (data, parity): (u8, u8),
    bytes: u64,
    rows: &[&str],
) -> Scenario {
    let mut map = BlockMap { first: vec![0], ..BlockMap::default() };
    let internal = |(index, node): (usize, &str)| {
        let node = NodeId(node.parse().ok()?);
        Some(Replica { node, disk: DiskId(0), state: ReplicaState::Live, index: index as u8 })
    };
    for (i, row) in rows.iter().enumerate() {
        let held: Vec<Replica> = row.split_whitespace().enumerate().filter_map(internal).collect();
        map.push(-1600 + 16 * i as i64, bytes, Redundancy::ErasureCoded { data, parity }, &held)
    }
    scenario.blocks = Blocks::Given(map);
    scenario
}

/// Runs a scenario and checks all invariants.
pub fn run_as(scenario: &Scenario, seed: u64, scheduler: Scheduler) -> SimulationResult {
    let blocks = load_blocks(scenario, seed).unwrap_or_else(|e| panic!("{e}"));
    run_on(scenario, blocks, seed, scheduler)
}

pub fn run_on(
    scenario: &Scenario,
    blocks: Arc<BlockMap>,
    seed: u64,
    scheduler: Scheduler,
) -> SimulationResult {
    let options = Options { execution: scheduler.into(), check: true, observer: None };
    let go_on = &mut |_| ControlFlow::Continue(());
    let run = simulate(scenario, blocks, seed, options, go_on).unwrap_or_else(|e| panic!("{e}"));
    let told: Vec<String> = run.violations.iter().take(5).map(|v| v.to_string()).collect();
    assert!(told.is_empty(), "seed {seed}: {told:#?}");
    run
}

pub fn run(scenario: &Scenario, seed: u64) -> SimulationResult {
    run_as(scenario, seed, Scheduler::Sequential)
}

pub fn about(run: &SimulationResult, key: &str) -> Option<f64> {
    run.trace.about(key).map(|v| v.parse().expect("a number"))
}

/// From the declaration until no block is at risk.
pub fn recovery_s(run: &SimulationResult) -> f64 {
    let redundant = about(run, "redundant_s").expect("redundant at the end");
    redundant - about(run, "declared_s").expect("declared")
}

/// Longest latency of the report of a copy that broke off.
const WORD: Nanos = Nanos::millis(5);

/// Gaps in which no interval of a block is open, unless a loss is detected just then; and waits
/// without a cause.
pub fn unexplained(run: &SimulationResult) -> Vec<String> {
    let rows = &run.trace.intervals;
    let noticed: BTreeSet<u64> =
        rows.iter().filter(|i| i.kind == kind::DETECTION).map(|i| i.end.0).collect();
    let mut blocks: BTreeMap<i64, Vec<&Interval>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.parent.is_none()) {
        block(&run.trace, row)
            .into_iter()
            .for_each(|block| blocks.entry(block).or_default().push(row))
    }
    let name = |row: &Interval| run.trace.interval_kind(row.kind).name.clone();
    let mut found = vec![];
    for (block, mut rows) in blocks {
        rows.sort_by_key(|row| (row.start, row.end));
        let mut until = rows[0].end;
        for row in rows {
            if row.start > until + WORD && !noticed.contains(&row.start.0) {
                let (from, to) = (until.as_secs(), row.start.as_secs());
                found.push(format!("blk {block}: nothing from {from} to {to}"));
            }
            if row.cause == Cause::Unexplained && row.end > row.start {
                let (from, to) = (row.start.as_secs(), row.end.as_secs());
                found.push(format!("blk {block}: {} without a cause, {from} to {to}", name(row)));
            }
            until = until.max(row.end)
        }
    }
    found
}

/// Key of the setting or name of the shortage that an interval waits for; "" for others.
pub fn waits_for<'a>(trace: &'a Trace, interval: &Interval) -> &'a str {
    match interval.cause {
        Cause::Setting(s) => &trace.settings[s.at()].key,
        Cause::Shortage(s) => &trace.lacks[s.at()].name,
        _ => "",
    }
}
