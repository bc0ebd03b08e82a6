//! The model under all schedulers, and what it must obey.
use engine::Scheduler;
use ozone::OZONE;
use std::path::Path;
use system::lab::Lab;
use system::{RunOptions, SimulatedRun};

const SCENARIO: &str = include_str!("../../../scenarios/ozone-small-files.toml");

fn run(sets: &[(&str, &str)], seed: u64, scheduler: Scheduler) -> SimulatedRun {
    let sets: Vec<(String, String)> =
        sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let lab = Lab::of(&OZONE).unwrap();
    let sheet = lab.read_text(SCENARIO, Path::new("ozone.toml"), &sets).unwrap();
    let how = RunOptions { keep_trace: true, check: true, ..RunOptions::by(scheduler) };
    lab.run_once(&sheet, seed, how).unwrap().unwrap()
}

fn metric(sets: &[(&str, &str)], name: &str) -> f64 {
    run(sets, 1, Scheduler::Sequential).reading.metrics[name]
}

#[test]
fn all_schedulers_give_one_hash() {
    let small = [("workload.objects", "300"), ("workload.clients", "16")];
    for more in [
        &[][..],
        &[("policy.commit_notice", "metadata-entry"), ("policy.choice", "least-queued")],
        &[("workload.rate", "50"), ("workload.burst", "5"), ("policy.pipeline", "even")],
        &[("fault.kind", "crash"), ("fault.at", "0.3s"), ("workload.limit", "15min")],
        &[
            ("fault.kind", "crash"),
            ("fault.at", "0.2s"),
            ("policy.pipeline", "one"),
            ("ozone-site.hdds.ratis.client.request.watch.type", "MAJORITY_COMMITTED"),
        ],
    ] {
        let sets: Vec<(&str, &str)> = small.iter().chain(more).copied().collect();
        let first = run(&sets, 1, Scheduler::Sequential);
        assert!(first.reading.metrics["finished"] == 1.0, "{more:?}");
        for scheduler in [
            Scheduler::Conservative { threads: 2 },
            Scheduler::Optimistic { threads: 2 },
            Scheduler::RollbackCheck { depth: 4 },
        ] {
            let other = run(&sets, 1, scheduler);
            assert_eq!(first.trace_hash, other.trace_hash, "{scheduler:?} {more:?}");
            assert_eq!(first.reading.metrics, other.reading.metrics, "{scheduler:?} {more:?}");
        }
    }
}

#[test]
fn one_writer_on_an_idle_cluster_takes_what_its_steps_take() {
    // Two services of OM, four hops to it and back; the chunk through two NICs; two flushes, for
    // the end of the block comes while the chunk's entry is being flushed; hops.
    let sets = [
        ("workload.clients", "1"),
        ("workload.objects", "50"),
        ("hardware.flush_shape", "fixed"),
        ("hardware.flush_time", "10ms"),
    ];
    let mean = metric(&sets, "latency_ms_p50");
    assert!((21.0..23.5).contains(&mean), "{mean} ms");
}

#[test]
fn a_commit_that_ends_in_an_entry_of_its_own_is_told_by_the_heartbeat() {
    // Bursts into one pipeline, so that ends of blocks often follow a `CommitIndex` entry.
    let sets = |notice| {
        [
            ("policy.pipeline", "one"),
            ("workload.rate", "0.3"),
            ("workload.objects", "200"),
            ("policy.commit_notice", notice),
        ]
    };
    let late = |notice| metric(&sets(notice), "share_2_to_3s");
    assert_eq!(late("at-once"), 0.0, "no client waits for a notice sent at once");
    assert!(late("metadata-entry") > 0.0, "RATIS-1042");
    assert!(late("next-entry") > 0.2, "nothing comes after the end of a block");
    let majority = ("ozone-site.hdds.ratis.client.request.watch.type", "MAJORITY_COMMITTED");
    let majority: Vec<_> = sets("at-once").into_iter().chain([majority]).collect();
    assert_eq!(metric(&majority, "share_2_to_3s"), 0.0);
}

/// Each of three nodes receives every byte, and sends two thirds of a byte for each.
#[test]
fn nodes_receive_no_faster_than_their_nics() {
    let sets = [
        ("cluster.nodes", "3"),
        ("hardware.nic", "1Gbit/s"),
        ("hardware.disk", "2000MB/s"),
        ("ozone-site.ozone.scm.datanode.pipeline.limit", "3"),
        ("workload.objects", "300"),
        ("workload.object_bytes", "10MB"),
        ("workload.clients", "64"),
    ];
    let received = 10.0 * metric(&sets, "writes_per_s");
    assert!((110.0..=125.0).contains(&received), "{received:.1} MB/s of 125")
}

#[test]
fn the_manager_is_a_ceiling() {
    let sets = [("om.time", "5ms"), ("workload.objects", "500")];
    let rate = metric(&sets, "writes_per_s");
    assert!((95.0..=100.5).contains(&rate), "{rate}: 1 / (2 · 5 ms)");
}

#[test]
fn a_slow_follower_holds_up_who_waits_for_all_and_not_who_waits_for_two() {
    let sets = |watch| {
        [
            ("policy.pipeline", "one"),
            ("workload.clients", "4"),
            ("workload.objects", "200"),
            ("fault.kind", "slow"),
            ("fault.node", "2"),
            ("fault.at", "1ms"),
            ("fault.factor", "20"),
            ("ozone-site.hdds.ratis.client.request.watch.type", watch),
        ]
    };
    let p50 = |watch| metric(&sets(watch), "latency_ms_p50");
    assert!(p50("ALL_COMMITTED") > 5.0 * p50("MAJORITY_COMMITTED"));
}

/// A cluster of which `node` falls at `at`.
fn crash<'a>(node: &'a str, at: &'a str, watch: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("fault.kind", "crash"),
        ("fault.node", node),
        ("fault.at", at),
        ("workload.objects", "1500"),
        ("ozone-site.hdds.ratis.client.request.watch.type", watch),
        ("workload.limit", "20min"),
    ]
}

#[test]
fn whoever_falls_and_whenever_raft_keeps_its_promises_and_no_object_is_lost() {
    let mut elections = 0.0;
    for seed in 0..24u64 {
        let (node, at) = ((seed % 8).to_string(), format!("{}ms", 40 + seed * 137));
        let limit = ["1", "2", "4"][usize::try_from(seed % 3).unwrap()];
        let mut sets = crash(&node, &at, "MAJORITY_COMMITTED");
        sets.push(("ozone-site.ozone.scm.datanode.pipeline.limit", limit));
        let done = run(&sets, seed, Scheduler::Sequential);
        assert_eq!(done.violations, Vec::<String>::new(), "{sets:?}");
        assert_eq!(done.reading.metrics["finished"], 1.0, "{sets:?}");
        elections += done.reading.metrics["elections"]
    }
    assert!(elections >= 8.0, "{elections}: leaders fell")
}

#[test]
fn a_leader_that_falls_is_replaced_within_the_timeout_and_its_writes_go_on() {
    // Node 0 leads the one pipeline. A follower waits 5–5.2 s for it, a client 2.5–7.5 s for its
    // first try, and again where that was too early.
    let mut sets = crash("0", "1s", "MAJORITY_COMMITTED");
    sets.extend([("policy.pipeline", "one"), ("workload.clients", "4")]);
    let metric = |name: &str| metric(&sets, name);
    assert_eq!(metric("elections"), 1.0);
    assert!((4.0..=12.0).contains(&metric("retries")), "each of four clients, once to thrice");
    let whole = 1_500.0 / metric("writes_per_s");
    let calm = run(&sets[3..], 1, Scheduler::Sequential).reading.metrics["writes_per_s"];
    let lost = whole - 1_500.0 / calm;
    assert!((2.5..=16.0).contains(&lost), "{lost} s longer than without");
}

#[test]
fn who_waits_for_all_three_waits_for_the_watch_timeout_once_one_is_gone() {
    let slow = |watch| metric(&crash("3", "1s", watch), "latency_ms_mean");
    assert!(slow("ALL_COMMITTED") > 10.0 * slow("MAJORITY_COMMITTED"));
    let mut sets = crash("3", "1s", "ALL_COMMITTED");
    sets.push(("ozone-site.hdds.ratis.client.request.watch.timeout", "1s"));
    assert!(slow("ALL_COMMITTED") > 10.0 * metric(&sets, "latency_ms_mean"));
    let stall = |watch, version| {
        let mut sets = crash("3", "1s", watch);
        sets.push(("ozone.version", version));
        metric(&sets, "longest_stall_s")
    };
    // The leader answers after 30 s from Ozone 2.0 on, after 180 s before.
    assert!((28.0..=35.0).contains(&stall("ALL_COMMITTED", "2.1")), "the leader gives up");
    assert!((170.0..=190.0).contains(&stall("ALL_COMMITTED", "1.4")), "the client does");
    assert!(stall("MAJORITY_COMMITTED", "2.1") < 10.0);
    assert!(stall("MAJORITY_COMMITTED", "1.4") > 170.0, "1.x has no such key");
}

#[test]
fn large_writes_under_way_are_no_stall() {
    let sets = [
        ("workload.object_bytes", "4GB"),
        ("workload.objects", "4"),
        ("workload.clients", "2"),
        ("workload.limit", "6h"),
    ];
    let (mean, stall) = (metric(&sets, "latency_ms_mean"), metric(&sets, "longest_stall_s"));
    assert!(mean > 5_000.0 && stall < mean / 2_000.0, "{mean} ms each, {stall} s");
}

#[test]
fn scm_opens_pipelines_in_place_of_those_that_it_closed() {
    // With one pipeline, which the lost node is in, nothing else could be written to.
    let mut sets = crash("1", "1s", "MAJORITY_COMMITTED");
    sets.extend([
        ("policy.pipeline", "one"),
        ("ozone-site.ozone.scm.stale.node.interval", "5s"),
        ("ozone-site.ozone.scm.pipeline.creation.interval", "10s"),
        ("workload.objects", "5000"),
        ("workload.clients", "4"),
    ]);
    let done = run(&sets, 1, Scheduler::Sequential);
    assert_eq!(done.reading.metrics["finished"], 1.0);
    assert_eq!(done.reading.metrics["pipelines_open"], 1.0, "as it began");
    // Four nodes' disks have worked, of which three are new.
    assert!(done.reading.metrics["disks_used"] > 8.0, "{:?}", done.reading.metrics["disks_used"]);
}

#[test]
fn a_node_that_falls_costs_retries_and_no_object() {
    let sets = [
        ("fault.kind", "crash"),
        ("fault.at", "1s"),
        ("workload.objects", "2000"),
        ("ozone-site.hdds.ratis.client.request.write.timeout", "10s"),
        ("ozone-site.ozone.scm.stale.node.interval", "30s"),
    ];
    let done = run(&sets, 1, Scheduler::Sequential);
    assert_eq!(done.reading.metrics["finished"], 1.0);
    assert!(done.reading.metrics["retries"] > 0.0);
    assert_eq!(done.violations, Vec::<String>::new());
}
