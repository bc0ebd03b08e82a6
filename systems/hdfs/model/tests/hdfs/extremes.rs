//! Extreme values of settings: each run ends with a plausible result.
use super::world::{recovery_s, run, scenario, with_blocks, with_groups};
use hdfs_trace::{Outcome, kind, requests};
use std::collections::BTreeMap;

const MULTIPLIER: &str = "hdfs-site.dfs.namenode.replication.work.multiplier.per.iteration";
const STREAMS: &str = "hdfs-site.dfs.namenode.replication.max-streams";
const HARD: &str = "hdfs-site.dfs.namenode.replication.max-streams-hard-limit";
const REPLICATION: &str = "hdfs-site.dfs.replication";
const MOST: &str = "1000000";
const GIB: f64 = (1u64 << 30) as f64;

/// Chunks of 1 GiB, the largest. The first passes disk, NIC, NIC and disk one after the other; the
/// next ones follow at the rate of the slowest, the disk.
#[test]
fn chunks_of_gibibytes_arrive() {
    for gib in [1, 4, 5] {
        let size = format!("{gib}GiB");
        let others = f64::from(gib - 1) * GIB / 100e6;
        let by_hand = GIB * (2.0 / 100e6 + 2.0 / 125e6) + others;
        let sets = [
            ("model.sharing", "queue"),
            ("model.chunk", "1GiB"),
            ("workload.block_bytes", &*size),
            ("run.until", "1200s"),
        ];
        let run = run(&with_blocks_of(&sets, u64::from(gib as u32) << 30), 1);
        let copy = run.trace.intervals.iter().find(|i| i.kind == kind::TRANSFER);
        let took = copy.map(|copy| (copy.end - copy.start).as_secs()).expect("a copy");
        assert!((took / by_hand - 1.0).abs() < 0.01, "{size}: {took} s, not {by_hand} s");
        assert!(run.unrepaired.is_empty(), "{size}: {:?}", run.unrepaired);
    }
}

fn with_blocks_of(sets: &[(&str, &str)], bytes: u64) -> hdfs_scenario::Scenario {
    let mut scenario = with_blocks(scenario(sets), &["0 1 2"]);
    if let hdfs_scenario::Blocks::Given(map) = &mut scenario.blocks {
        map.bytes[0] = bytes
    }
    scenario
}

/// Mean number of replicas that a client's writes leave on disks, and the number of writes.
fn replicas_written(replication: &str, sharing: &str) -> (f64, f64) {
    let sets = [
        (REPLICATION, replication),
        ("cluster.nodes_per_rack", "12"),
        ("workload.foreground.writers", "1"),
        ("workload.foreground.write_bytes", "50MB"),
        ("model.sharing", sharing),
        ("run.until", "100s"),
    ];
    let run = run(&scenario(&sets), 1);
    let ended = requests(&run.trace).filter(|r| r.outcome == Outcome::Ok);
    let ended = ended.map(|r| (r.end - r.start).as_secs());
    let ended: Vec<f64> = ended.collect();
    // A stream alone has its disks; a queue's chunks pass three nodes before the last.
    assert!(ended.iter().all(|took| (0.5..0.55).contains(took)), "{sharing}: {ended:?}");
    let (mut at, mut written) = (BTreeMap::new(), 0.0);
    for sample in &run.trace.series {
        if run.trace.resources[sample.resource.at()].kind == kind::DISK {
            let (since, rate) = at
                .insert(sample.resource, (sample.at, sample.used.get().expect("it")))
                .unwrap_or_default();
            written += rate * (sample.at - since).as_secs()
        }
    }
    let writes = ended.len() as f64;
    (written / 50e6 / writes, writes)
}

#[test]
fn clients_write_as_many_replicas_as_are_asked_for() {
    for sharing in ["fluid", "queue"] {
        for replication in [1, 3, 4, 7, 11] {
            let (each, writes) = replicas_written(&replication.to_string(), sharing);
            // The end of the run cuts at most one.
            let (least, most) =
                (f64::from(replication), f64::from(replication) * (1.0 + 1.0 / writes));
            assert!(writes > 20.0, "{sharing}: {writes}");
            assert!(
                each > least - 1e-3 && each < most + 1e-3,
                "{sharing}: {each} of {replication}"
            );
        }
    }
}

/// A node falls silent during writes of several streams: each is retried once.
#[test]
fn writers_of_many_replicas_outlive_a_lost_node() {
    for sharing in ["fluid", "queue"] {
        let sets = [
            (REPLICATION, "5"),
            ("cluster.nodes_per_rack", "12"),
            ("workload.foreground.writers", "6"),
            ("model.sharing", sharing),
            ("event.at", "10s"),
            ("run.until", "60s"),
        ];
        let run = run(&scenario(&sets), 2);
        let all = || requests(&run.trace);
        assert!(all().any(|r| r.tries > 0), "{sharing}: some broke off");
        let late = all().filter(|r| r.outcome == Outcome::Ok && r.end.as_secs() > 40.0);
        assert!(late.count() > 10, "{sharing}: they go on");
        let unfinished = all().filter(|r| r.outcome == Outcome::Cut).count();
        assert!(unfinished <= 6, "{sharing}: one each: {unfinished}");
    }
}

/// A block that lost one of many replicas gets one replica.
#[test]
fn blocks_of_hundreds_of_replicas_are_repaired() {
    let sets = [
        (REPLICATION, "512"),
        ("cluster.nodes_per_rack", "520"),
        ("workload.blocks_on_lost_node", "2"),
        ("hdfs-site.dfs.heartbeat.interval", "30s"),
    ];
    let run = run(&scenario(&sets), 1);
    assert!(run.unrepaired.is_empty() && recovery_s(&run) > 0.0, "{:?}", run.unrepaired);
    let copies = run.trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER);
    assert_eq!(copies.count(), 2);
}

/// 4296 live nodes × a million is more than 32 bits.
#[test]
fn a_round_takes_no_more_blocks_than_there_are() {
    let sets = [
        (MULTIPLIER, MOST),
        ("cluster.nodes_per_rack", "4297"),
        ("workload.blocks_on_lost_node", "3"),
        ("workload.blocks", "concerned"),
        ("hdfs-site.dfs.heartbeat.interval", "60s"),
    ];
    let run = run(&scenario(&sets), 1);
    assert!(run.unrepaired.is_empty() && recovery_s(&run) > 0.0, "{:?}", run.unrepaired);
}

/// 4400 orders wait at one node; a million may be handed out at once.
#[test]
fn a_heartbeat_takes_all_that_waits() {
    let sets = [
        (MULTIPLIER, MOST),
        (STREAMS, MOST),
        (HARD, MOST),
        (REPLICATION, "2"),
        ("hdfs-site.dfs.namenode.redundancy.considerLoad", "false"),
        ("hdfs-site.dfs.namenode.heartbeat.recheck-interval", "10s"),
        ("run.until", "80s"),
    ];
    let run = run(&with_blocks(scenario(&sets), &["0 1"; 4400]), 1);
    let mut handed = BTreeMap::new();
    for wait in run.trace.intervals.iter().filter(|i| i.kind == kind::HANDOUT) {
        let end = handed.entry(wait.subject).or_insert(wait.end);
        *end = wait.end.min(*end)
    }
    let ends: Vec<_> = handed.into_values().collect();
    assert_eq!(ends.len(), 4400);
    assert!(ends.iter().all(|end| *end == ends[0]), "all by one heartbeat");
}

/// The weight of a rebuilt group does not overflow.
#[test]
fn groups_of_any_weight_are_rebuilt() {
    let sets = [
        ("hdfs-site.dfs.datanode.ec.reconstruction.xmits.weight", "1e9"),
        ("cluster.nodes_per_rack", "10"),
        (MULTIPLIER, "10"),
        (STREAMS, "8"),
        (HARD, "8"),
    ];
    let rows = ["0 1 2 3 4 5 6 7 8"; 20];
    let run = run(&with_groups(scenario(&sets), (6, 3), 6 << 26, &rows), 1);
    assert!(run.unrepaired.is_empty() && recovery_s(&run) > 0.0, "{:?}", run.unrepaired);
}
