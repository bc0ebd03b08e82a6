//! A block whose decided copies never come waits for the timeout, not for a limit.
use super::world::{run, scenario, unexplained, waits_for, with_events, with_groups};
use hdfs_model::hdfs::SimulationResult;
use hdfs_trace::{Cause, Interval, kind};

/// Settings that delay a block in the NameNode's queue; with few blocks only briefly.
const LIMITS: [&str; 4] = [
    "redundancy.interval.seconds",
    "work.multiplier.per.iteration",
    "max-streams",
    "max-streams-hard-limit",
];
const TIMEOUT: &str = "pending.timeout-sec";

/// The longest wait of a block for a setting, among those that end after `later` \[s\].
fn longest(run: &SimulationResult, key: &str, later: f64) -> f64 {
    let is_it = |i: &&Interval| waits_for(&run.trace, i).ends_with(key);
    let queued = run.trace.intervals.iter().filter(|i| i.kind == kind::QUEUED);
    let waits = queued.filter(|i| i.end.as_secs() > later);
    let took = |i: &Interval| (i.end - i.start).as_secs();
    waits.filter(is_it).map(took).fold(0.0, f64::max)
}

fn longest_of_limits(run: &SimulationResult, later: f64) -> f64 {
    LIMITS.iter().map(|key| longest(run, key, later)).fold(0.0, f64::max)
}

fn event(at: &str, kind: &str, target: &str) -> String {
    format!("[[event]]\nat = \"{at}\"\nkind = \"{kind}\"\ntarget = \"{target}\"\n")
}

/// A group whose task broke off loses another block: nothing is decided for it before the timeout.
/// Higher limits change nothing, a shorter timeout does.
#[test]
fn a_group_that_awaits_a_broken_task_waits_for_its_timeout() {
    let rows: Vec<String> = (0..40)
        .map(|i| (0..9).map(|k| ((i + k) % 12).to_string()).collect::<Vec<_>>().join(" "))
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    // The second falls silent long before its declaration: tasks of the first's blocks break off.
    let second = event("300s", "node-lost", "dn-r1-02");
    let one = with_events(&second, &[("cluster.nodes_per_rack", "12")]);
    let run = run(&with_groups(one, (6, 3), 6 << 20, &rows), 1);
    assert!(run.unrepaired.is_empty(), "{:?}", run.unrepaired);
    let (limits, timeout) = (longest_of_limits(&run, 0.0), longest(&run, TIMEOUT, 0.0));
    assert!(limits < 40.0 && timeout > 100.0, "{limits} s for a limit, {timeout} s for {TIMEOUT}");
    assert_eq!(unexplained(&run), Vec::<String>::new());
}

/// A block that lacks two replicas gets one from a returned node; the copy decided for the other
/// broke off. The block is in no queue and waits only for the timeout.
#[test]
fn a_block_that_a_return_takes_out_of_the_queue_waits_for_its_timeout() {
    let multiplier = "hdfs-site.dfs.namenode.replication.work.multiplier.per.iteration";
    let sets = [
        ("cluster.nodes_per_rack", "8"),
        ("workload.blocks_on_lost_node", "60"),
        (multiplier, "1"),
    ];
    let silent = event("300s", "node-lost", "dn-r1-04") + &event("301s", "node-lost", "dn-r1-02");
    let declared = run(&with_events(&silent, &sets), 1);
    let noticed = declared.trace.intervals.iter().filter(|i| i.kind == kind::DETECTION);
    let last = noticed.map(|i| i.end.as_secs()).fold(0.0, f64::max) + 4.0;
    let back = event(&format!("{}s", last as u32), "node-back", "dn-r1-02");
    let run = run(&with_events(&(silent + &back), &sets), 1);
    assert!(run.unrepaired.is_empty(), "{:?}", run.unrepaired);
    let (limits, timeout) = (longest_of_limits(&run, last), longest(&run, TIMEOUT, last));
    assert!(limits < 60.0 && timeout > 100.0, "{limits} s for a limit, {timeout} s for {TIMEOUT}");
    assert_eq!(unexplained(&run), Vec::<String>::new());
}

/// The only source is silent and not declared dead: orders there are not fetched, and a higher
/// limit would queue more. The block waits for the node's return or declaration.
#[test]
fn a_block_whose_only_source_is_silent_waits_for_its_declaration() {
    let sets = [
        ("cluster.nodes_per_rack", "8"),
        ("hdfs-site.dfs.replication", "2"),
        ("workload.blocks_on_lost_node", "400"),
    ];
    let more = event("300s", "node-lost", "dn-r1-02") + &event("850s", "node-back", "dn-r1-02");
    let recheck = "heartbeat.recheck-interval";
    let run = run(&with_events(&more, &sets), 1);
    assert!(run.unrepaired.is_empty(), "{:?}", run.unrepaired);
    let (limits, silent) = (longest_of_limits(&run, 0.0), longest(&run, recheck, 0.0));
    assert!(limits < 100.0 && silent > 100.0, "{limits} s for a limit, {silent} s for {recheck}");
    assert_eq!(unexplained(&run), Vec::<String>::new())
}

/// A block waits for a source only while there is none.
#[test]
fn a_block_whose_source_is_back_waits_for_a_round() {
    let sets = [("hdfs-site.dfs.replication", "2")];
    let more = event("0s", "node-lost", "dn-r1-02") + &event("1000s", "node-back", "dn-r1-02");
    let run = run(&with_events(&more, &sets), 1);
    let lacking = |i: &&Interval| waits_for(&run.trace, i) == "no source";
    let lacking = run.trace.intervals.iter().filter(lacking);
    let ends: Vec<f64> = lacking.map(|i| i.end.as_secs()).collect();
    assert!(!ends.is_empty() && ends.iter().all(|end| (*end - 1000.0).abs() < 0.1), "{ends:?}");
}

/// Chunks wait minutes at the disk and longer at the uplink: the uplink limits the copies.
#[test]
fn the_longer_of_two_long_lines_is_to_blame() {
    let sets = [
        ("cluster.racks", "2"),
        ("policy.pacing", "event-driven"),
        ("policy.streams_per_source", "10"),
        ("model.sharing", "queue"),
        ("model.chunk", "64MB"),
        ("hardware.disk", "20MB/s"),
        ("hardware.inter_rack", "2MB/s"),
        ("workload.blocks_on_lost_node", "60"),
    ];
    let run = run(&scenario(&sets), 1);
    let (mut disks, mut uplinks) = (0.0, 0.0);
    for held in run.trace.intervals.iter().filter(|i| i.kind == kind::HELD) {
        let took = (held.end - held.start).as_secs();
        match held.cause {
            Cause::Resource(r) if run.trace.resources[r.at()].name.contains("uplink") => {
                uplinks += took
            }
            Cause::Resource(r) if run.trace.resources[r.at()].name.contains("disk") => {
                disks += took
            }
            _ => {}
        }
    }
    assert!(uplinks > 2.0 * disks, "disks {disks} s, uplinks {uplinks} s");
}
