//! Several losses in sequence.
use super::world::{recovery_s, run, unexplained, with_events};

fn event(at: &str, kind: &str, target: &str) -> String {
    format!("[[event]]\nat = \"{at}\"\nkind = \"{kind}\"\ntarget = \"{target}\"\n")
}

/// The NameNode counts on a copy to a dead node until its timeout. A return makes the block safe
/// meanwhile; a second loss makes it wait for that copy again.
#[test]
fn a_copy_that_never_comes_is_waited_for_at_each_loss() {
    let events = event("0.6s", "disk-lost", "dn-r1-02/0")
        + &event("87.7s", "node-back", "dn-r1-01")
        + &event("104.3s", "node-lost", "dn-r1-01");
    for sharing in ["fluid", "queue"] {
        let sets = [
            ("model.sharing", sharing),
            ("cluster.racks", "2"),
            ("cluster.nodes_per_rack", "2"),
            ("hardware.disks_per_node", "3"),
            ("workload.blocks_on_lost_node", "5"),
            ("workload.block_bytes", "8MiB"),
            ("hdfs-site.dfs.namenode.heartbeat.recheck-interval", "10000"),
        ];
        let run = run(&with_events(&events, &sets), 1);
        assert!(recovery_s(&run) > 300.0, "{sharing}: {}", recovery_s(&run));
        assert_eq!(unexplained(&run), Vec::<String>::new(), "{sharing}");
    }
}

/// The NameNode does not detect a slow link; event by event the run ends all the same.
#[test]
fn a_run_ends_though_something_becomes_slow_at_last() {
    let slow = event("900s", "slow-link", "dn-r1-03") + "rate = \"1MB/s\"\n";
    for sharing in ["fluid", "queue"] {
        let sets = [("model.sharing", sharing), ("policy.pacing", "event-driven")];
        let (without, with) = (run(&with_events("", &sets), 1), run(&with_events(&slow, &sets), 1));
        assert_eq!(recovery_s(&without), recovery_s(&with), "{sharing}");
        assert!(with.simulated.as_secs() < 1_000.0, "{sharing}: {:?}", with.simulated);
    }
}

/// A rack returns in part: blocks repaired without it stay, though a disk fails on another node.
/// (The invariants' checker counts as the ledger does.)
#[test]
fn a_disk_fails_after_a_rack_is_back() {
    let events = event("1s", "rack-lost", "/rack2")
        + &event("1045s", "node-back", "dn-r2-01")
        + &event("1209s", "disk-lost", "dn-r1-02/0");
    let sets = [
        ("cluster.racks", "2"),
        ("cluster.nodes_per_rack", "3"),
        ("hardware.disks_per_node", "6"),
        ("hdfs-site.dfs.replication", "2"),
    ];
    for seed in 1..4 {
        let run = run(&with_events(&events, &sets), seed);
        let is_lost = |(_, why): &(_, _)| format!("{why:?}") == "Some(NoSource)";
        assert!(run.unrepaired.iter().all(is_lost), "seed {seed}: {:?}", run.unrepaired);
    }
}

/// A rack is lost after one of its nodes has died.
#[test]
fn a_rack_is_lost_of_which_a_node_is_dead() {
    let sets = [("cluster.racks", "3"), ("cluster.nodes_per_rack", "3")];
    let scenario = with_events(&event("100s", "rack-lost", "/rack1"), &sets);
    assert_eq!(scenario.events.len(), 3, "{:?}", scenario.events);
}
