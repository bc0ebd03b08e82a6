//! The balancer: figures computed by hand from its settings, and its invariants.
use super::world::{BASE, about, recovery_s, run, scenario, with_blocks};
use engine::Scheduler;
use hdfs_model::hdfs::{Options, SimulationResult, load_blocks, simulate};
use hdfs_scenario::Scenario;
use hdfs_trace::{Cause, ResourceId, ResourceKind, kind};

const START: (&str, &str) = ("workload.balancer.start", "0s");
const LIMIT: &str = "hdfs-site.dfs.datanode.balance.bandwidthPerSec";
const MOVES: &str = "hdfs-site.dfs.datanode.balance.max.concurrent.moves";
/// One of three nodes can hold all blocks.
const LOOSE: (&str, &str) = ("workload.balancer.mean_utilisation", "30");
const ONE: (&str, &str) = ("hdfs-site.dfs.replication", "1");

/// A scenario in which only the balancer acts.
fn alone(sets: &[(&str, &str)]) -> Scenario {
    let (head, event) = BASE.split_once("[[event]]").expect("an event");
    let (_, tail) = event.split_once("[run]").expect("a run");
    let sets = sets.iter().chain([&START]).map(|(k, v)| (k.to_string(), v.to_string()));
    let text = format!("{head}[run]{tail}");
    Scenario::from_str(&text, "test.toml", &sets.collect::<Vec<_>>())
        .unwrap_or_else(|e| panic!("{e}"))
}

fn number(run: &SimulationResult, key: &str) -> f64 {
    about(run, key).unwrap_or_else(|| panic!("no {key} in {:?}", run.trace.run))
}

/// The maximum of a counter.
fn most(run: &SimulationResult, counter: &str) -> f64 {
    let name = run.trace.counter_names.iter().position(|row| row.name == counter);
    let name = name.expect("a counter");
    let counts = run.trace.counters.iter().filter(|c| c.counter.at() == name);
    counts.filter_map(|c| c.value).fold(0.0, f64::max)
}

/// The most concurrent flows through resources of a kind.
fn busiest(run: &SimulationResult, kind: ResourceKind) -> u32 {
    let of_kind = |r: ResourceId| run.trace.resources[r.at()].kind == kind;
    let samples = run.trace.series.iter().filter(|sample| of_kind(sample.resource));
    samples.filter_map(|sample| sample.queue.get()).max().unwrap_or(0)
}

/// A scenario with an overfull node is refused, with the largest possible value.
#[test]
fn no_node_begins_more_than_full() {
    let sets = [ONE, ("workload.balancer.mean_utilisation", "80")];
    let full = with_blocks(alone(&sets), &["0", "0", "0", "1", "2", "3", "4", "5"]);
    let blocks = load_blocks(&full, 1).expect("blocks");
    let options = Options { execution: Scheduler::Sequential.into(), check: true, observer: None };
    let go_on = &mut |_| std::ops::ControlFlow::Continue(());
    let refused = simulate(&full, blocks, 1, options, go_on).expect_err("three of a mean of 4/3");
    // 3 blocks of nodes for 8 / (6 x 0.8): 180 %.
    let wanted = "mean_utilisation: 80 % on average: dn-r1-01 would begin 180.0 % full; expected \
                  at most 44";
    assert!(refused.ends_with(wanted), "{refused}");
}

/// Two nodes, two blocks of 64 MB on one of them: nodes of 128 MB are half full on average. One
/// block moves, at 1 MB/s for 64 s; 2 × 3 s + 3 s later the cluster is balanced.
#[test]
fn one_move_takes_its_bytes_over_the_limit() {
    for sharing in ["fluid", "queue"] {
        let sets =
            [ONE, ("cluster.nodes_per_rack", "2"), (LIMIT, "1000000"), ("model.sharing", sharing)];
        let run = run(&with_blocks(alone(&sets), &["0", "0"]), 1);
        assert_eq!(number(&run, "balancer_moves"), 1.0);
        assert_eq!(number(&run, "balancer_moved_bytes"), 64e6);
        assert_eq!(number(&run, "balancer_iterations"), 2.0);
        let ends = number(&run, "balancer_ends_s");
        assert!((ends - 73.0).abs() < 0.6, "{sharing}: {ends}");
        let spread =
            ["before", "after"].map(|when| number(&run, &format!("balancer_spread_{when}")));
        assert_eq!(spread, [100.0, 0.0]);
        assert_eq!(run.trace.about("balancer_ends_why"), Some("The cluster is balanced"));
        // A move is no repair.
        assert_eq!((run.trace.intervals.len(), most(&run, "at_risk")), (0, 0.0));
    }
}

/// Nine blocks on one of three nodes: each other node gets three. The throttler of the sender
/// covers both: 6 × 64 MB at 1 MB/s, not half of that.
#[test]
fn a_node_has_one_limit_for_all_its_moves() {
    let sets = [ONE, LOOSE, ("cluster.nodes_per_rack", "3"), (LIMIT, "1000000")];
    let run = run(&with_blocks(alone(&sets), &["0"; 9]), 1);
    assert_eq!(number(&run, "balancer_moves"), 6.0);
    let ends = number(&run, "balancer_ends_s");
    assert!((ends - 384.0 - 9.0).abs() < 0.1, "{ends}");
}

/// No block moves twice, so a node that stays overfull ends the balancer: five iterations without a
/// byte, each with a minute in which the source looks for more.
#[test]
fn it_gives_up_after_five_iterations_in_vain() {
    // Blocks below the least length.
    let sets = [
        ONE,
        ("cluster.nodes_per_rack", "2"),
        ("hdfs-site.dfs.balancer.getBlocks.min-block-size", "128m"),
    ];
    let run = run(&with_blocks(alone(&sets), &["0", "0"]), 1);
    let why = run.trace.about("balancer_ends_why");
    assert_eq!(why, Some("No block has been moved for 5 iterations"));
    let ends = number(&run, "balancer_ends_s");
    // Four pauses of 9 s; a source without blocks does not look for more.
    assert!((ends - 36.0).abs() < 0.1, "{ends}");
    assert_eq!(number(&run, "balancer_moves"), 0.0);
}

/// Hadoop 2's 1 MB/s and five concurrent moves: a source without a block to choose for a minute
/// ends the iteration. Its five moves take 320 s, and the run takes longer than one iteration may.
#[test]
fn a_slow_limit_is_moved_to_the_end() {
    let sets = [ONE, ("cluster.nodes_per_rack", "2"), (MOVES, "5"), (LIMIT, "1000000")];
    let run = run(&with_blocks(alone(&sets), &["0"; 60]), 1);
    assert_eq!(run.trace.about("balancer_ends_why"), Some("The cluster is balanced"));
    let (lasts, rounds) = (number(&run, "balancer_s"), number(&run, "balancer_iterations"));
    assert_eq!(number(&run, "balancer_moves"), 5.0 * (rounds - 1.0));
    assert!((lasts - (rounds - 1.0) * 329.0).abs() < 2.0 && rounds >= 6.0, "{lasts} s, {rounds}");
    assert_eq!(number(&run, "balancer_balanced"), 1.0);
}

/// Concurrent moves reach the setting and never exceed it.
#[test]
fn no_more_moves_at_a_time_than_allowed() {
    for (limit, expected) in [("3", 3), ("100", 15)] {
        let sets = [ONE, ("cluster.nodes_per_rack", "2"), (MOVES, limit)];
        let run = run(&with_blocks(alone(&sets), &["0"; 30]), 1);
        assert_eq!(number(&run, "balancer_moves"), 15.0);
        assert_eq!(busiest(&run, kind::NIC_IN), expected);
    }
}

/// Threads are shared among the targets: 8 for two targets are 4 each.
#[test]
fn mover_threads_are_shared_among_targets() {
    let threads = ("hdfs-site.dfs.balancer.moverThreads", "8");
    let sets = [ONE, LOOSE, ("cluster.nodes_per_rack", "3"), threads];
    let run = run(&with_blocks(alone(&sets), &["0"; 30]), 1);
    assert_eq!((busiest(&run, kind::NIC_IN), busiest(&run, kind::NIC_OUT)), (4, 8));
}

/// New nodes in every rack: the balancer ends within the threshold, and no block ever lacks a
/// replica or a rack.
#[test]
fn new_nodes_are_filled_and_nothing_is_ever_short() {
    for (threshold, seed) in [("5", 1), ("10", 2), ("20", 3)] {
        let sets = [
            ("cluster.racks", "3"),
            ("cluster.nodes_per_rack", "5"),
            ("workload.blocks_on_lost_node", "120"),
            ("workload.balancer.new_nodes_per_rack", "1"),
            ("workload.balancer.threshold", threshold),
        ];
        let run = run(&alone(&sets), seed);
        let limit: f64 = threshold.parse().expect("a number");
        let before = number(&run, "balancer_spread_before");
        let after = number(&run, "balancer_spread_after");
        assert!(before > 60.0 && after <= 2.0 * limit, "{threshold}: {before} to {after}");
        assert_eq!(run.trace.about("balancer_ends_why"), Some("The cluster is balanced"));
        assert_eq!((most(&run, "at_risk"), most(&run, "one_rack_only")), (0.0, 0.0));
    }
}

/// Two racks, all blocks on two nodes of one and one of the other: every block keeps both racks.
#[test]
fn a_move_keeps_the_racks() {
    let sets = [("cluster.racks", "2"), ("cluster.nodes_per_rack", "3")];
    let run = run(&with_blocks(alone(&sets), &["0 1 3"; 12]), 1);
    assert!(number(&run, "balancer_moves") > 0.0);
    assert_eq!((most(&run, "at_risk"), most(&run, "one_rack_only")), (0.0, 0.0));
}

/// Moves slow a rebuild at disks and NICs, and no copy waits for a resource that only moves use.
#[test]
fn a_rebuild_shares_its_disks_with_moves() {
    let sets = |limit| {
        [
            ("cluster.racks", "3"),
            ("cluster.nodes_per_rack", "4"),
            ("workload.blocks_on_lost_node", "200"),
            ("workload.balancer.new_nodes_per_rack", "1"),
            ("workload.balancer.start", "700s"),
            ("hdfs-site.dfs.namenode.replication.work.multiplier.per.iteration", "10"),
            (LIMIT, limit),
        ]
    };
    let slow = run(&scenario(&sets("1m")), 4);
    let fast = run(&scenario(&sets("1g")), 4);
    let (slow_s, fast_s) = (recovery_s(&slow), recovery_s(&fast));
    assert!(fast_s > 1.1 * slow_s, "{fast_s} s beside fast moves, {slow_s} s beside slow ones");
    assert!(number(&fast, "balancer_moves") > 0.0);
    for run in [&slow, &fast] {
        assert!(run.unrepaired.is_empty());
        for interval in &run.trace.intervals {
            let Cause::Resource(r) = interval.cause else { continue };
            assert!(r.at() < run.trace.resources.len())
        }
    }
}
