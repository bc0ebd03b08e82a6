//! Behaviour of Hadoop 1.x's FairScheduler, of randomwriter and of page caches.
use super::{near, run};

/// One node with one disk of 100 MB/s, and one job.
const ALONE: [(&str, &str); 8] = [
    ("cluster.nodes", "1"),
    ("cluster.disks", "1"),
    ("cluster.reduce_slots", "1"),
    ("workload.jobs", "1"),
    ("hardware.disk", "100MB/s"),
    ("hardware.disk_seek", "10ms"),
    ("hardware.disk_batch", "1MB"),
    ("hardware.disk_curve", "0"),
];

fn map_time(sets: &[(&str, &str)]) -> f64 {
    run(&[&ALONE[..], sets].concat(), 1).reading.metrics["map_s_mean"]
}

/// A map reads 600 MB and computes; memory takes its spills and merges, unless there is too little.
#[test]
fn memory_writes_back_and_holds_what_was_written() {
    let one = [
        ("cluster.map_slots", "1"),
        ("workload.maps", "1"),
        ("workload.reduces", "1"),
        ("workload.input_bytes", "600MB"),
        ("task.slow_start", "1"),
    ];
    let with = |memory| map_time(&[&one[..], &[("cluster.memory_gb", memory)]].concat());
    near(with("16"), 1.0 + 6.0 + 9.0, 0.001);
    // 0.08 GB of page cache: the spill waits for the disk, and most of it is read again.
    let least = 1.0 + 6.0 + 9.0 + 6.0 + 6.0;
    assert!(with("1") > least && with("1") < least + 6.0, "{}", with("1"));
}

/// Two readers share 100 · 1 / (1 + 1) MB/s, two writers 100 · 9 / (9 + 1).
#[test]
fn readers_and_writers_have_batches_of_their_own() {
    let two = [
        ("cluster.map_slots", "2"),
        ("workload.maps", "2"),
        ("workload.reduces", "0"),
        ("workload.input_bytes", "1200MB"),
        ("hardware.write_batch", "9MB"),
    ];
    near(map_time(&two), 1.0 + 1200.0 / 50.0 + 9.0 + 1200.0 / 90.0, 0.01)
}

/// With a long delay all maps run where their blocks are: on the nodes of randomwriter's maps.
#[test]
fn blocks_are_where_randomwriter_ran() {
    let makespan = |writers| {
        let sets = [
            ("policy.scheduling", "fair+delay"),
            ("policy.locality_wait", "1h"),
            ("cluster.map_slots", "1"),
            ("workload.jobs", "1"),
            ("workload.reduces", "0"),
            ("workload.writers", writers),
        ];
        let done = run(&sets, 1).reading.metrics;
        assert_eq!(done["data_local_share"], 1.0);
        done["makespan_s"]
    };
    let (one, four) = (makespan("1"), makespan("4"));
    assert!(one > 2.5 * four, "{one} {four}")
}

/// Four maps on four nodes of four slots: one each, not four on the node that asks first.
#[test]
fn tasks_are_spread_over_nodes() {
    let took = |even| {
        let sets = [
            ("policy.even_load", even),
            ("cluster.disks", "1"),
            ("workload.jobs", "1"),
            ("workload.maps", "4"),
            ("workload.reduces", "0"),
            ("workload.replication", "4"),
            ("workload.output_replication", "1"),
        ];
        run(&sets, 1).reading.metrics["map_s_mean"]
    };
    let (even, first) = (took("true"), took("false"));
    assert!(even < 0.7 * first, "{even} {first}")
}

/// Reduces hardly hold slots while they wait for maps.
#[test]
fn reduces_start_by_need() {
    let waits = |scheduling| {
        let sets = [("policy.scheduling", scheduling), ("cluster.disks", "1")];
        run(&sets, 1).reading.metrics["waits_for_maps_share"]
    };
    let (by_need, fair) = (waits("fair+reduces-by-need"), waits("fair"));
    assert!(by_need < 0.5 * fair, "{by_need} {fair}")
}
