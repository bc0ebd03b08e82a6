//! Erasure-coded groups, computed by hand: reads, writes, nodes, times, order and losses.
use super::world::{BASE, recovery_s, run, scenario, two_lost, with_groups};
use hdfs_model::hdfs::{Options, Reason, SimulationResult, load_blocks, simulate};
use hdfs_scenario::Scenario;
use hdfs_trace::{Cause, Interval, NodeId, block, kind};
use std::{collections::BTreeSet, ops::ControlFlow};

const MIB: u64 = 1 << 20;
const RS_6_3: (u8, u8) = (6, 3);
const TWELVE: (&str, &str) = ("cluster.nodes_per_rack", "12");

/// Internal blocks of 64 MiB.
const FULL: u64 = 6 * 64 * MIB;

fn transfers(run: &SimulationResult) -> Vec<&Interval> {
    run.trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER).collect()
}

/// Intervals that read parts, and those that write rebuilt blocks.
fn parts_and_rebuilt(run: &SimulationResult) -> (Vec<&Interval>, Vec<&Interval>) {
    transfers(run).into_iter().partition(|i| i.resource.is_some() && i.peer_resource.is_none())
}

/// One block of nine is lost: one node reads six, each from another node, and writes the rebuilt
/// one. All six enter through its NIC, which is slower than six disks.
#[test]
fn a_lost_internal_block_costs_six_times_its_length() {
    for sharing in ["fluid", "queue"] {
        let sets = [TWELVE, ("model.sharing", sharing)];
        let one = with_groups(scenario(&sets), RS_6_3, FULL, &["0 1 2 3 4 5 6 7 8"]);
        let run = run(&one, 1);
        let (parts, rebuilt) = parts_and_rebuilt(&run);
        let sources: BTreeSet<NodeId> = parts.iter().filter_map(|i| i.node).collect();
        assert_eq!((parts.len(), sources.len(), rebuilt.len()), (6, 6, 1), "{sharing}");
        assert!(
            parts.iter().all(|i| hdfs_trace::bytes(i) == 64 * MIB && i.peer == rebuilt[0].peer)
        );
        assert_eq!((rebuilt[0].node, rebuilt[0].resource), (rebuilt[0].peer, None));
        let [took, nic] = [parts[5].end - parts[0].start, parts[0].end - parts[0].start];
        let by_hand = FULL as f64 / 125e6;
        for took in [took.as_secs(), nic.as_secs()] {
            assert!((took / by_hand - 1.0).abs() < 0.02, "{sharing}: {took} s, not {by_hand} s");
        }
    }
}

/// Two lost together are rebuilt from the same six by one node, which sends one of them on.
#[test]
fn two_lost_internal_blocks_are_one_task() {
    for sharing in ["fluid", "queue"] {
        let sets = [TWELVE, ("model.sharing", sharing)];
        let two = with_groups(two_lost(&sets), RS_6_3, FULL, &["0 1 2 3 4 5 6 7 8"]);
        let run = run(&two, 1);
        let (parts, rebuilt) = parts_and_rebuilt(&run);
        assert_eq!((parts.len(), rebuilt.len()), (6, 2), "{sharing}");
        let at = rebuilt[0].node;
        assert!(parts.iter().all(|i| i.peer == at) && rebuilt.iter().all(|i| i.node == at));
        assert_eq!(rebuilt.iter().filter(|i| i.peer == at).count(), 1);
        assert!(run.unrepaired.is_empty() && recovery_s(&run) > 0.0);
    }
}

/// A group that cannot lose another block comes first, at any place in the queue.
#[test]
fn those_that_can_lose_least_come_first() {
    let multiplier = "hdfs-site.dfs.namenode.replication.work.multiplier.per.iteration";
    // In one queue the newest comes first: these are last.
    let rows: Vec<&str> = ["0 1 6 7 8"].into_iter().chain(["0 2 3 4 5"; 30]).collect();
    let one_a_round = two_lost(&[TWELVE, (multiplier, "1"), ("hardware.disk", "10GB/s")]);
    let run = run(&with_groups(one_a_round, (3, 2), 3 * 64 * MIB, &rows), 2);
    let waits = run.trace.intervals.iter().filter(|i| i.kind == kind::HANDOUT);
    let id = |row: i64| Some(-1600 + 16 * row);
    let first: Vec<_> = waits.map(|i| (i.start, block(&run.trace, i))).collect();
    let decided = |block| first.iter().filter(|(_, b)| *b == block).map(|(at, _)| *at).min();
    let earliest = first.iter().map(|(at, _)| *at).min();
    assert_eq!(decided(id(0)), earliest, "in the first round");
    assert!(decided(id(1)) > earliest, "nine of the others, and not the last of them");
}

/// With fewer internal blocks than data the group is lost: reported, counted, and not read.
#[test]
fn with_fewer_blocks_than_data_a_group_is_lost() {
    let rows = ["0 1 2", "3 0 1"];
    let lost = run(&with_groups(two_lost(&[]), (2, 1), 2 * 64 * MIB, &rows), 1);
    assert!(transfers(&lost).is_empty());
    let why: Vec<_> = lost.unrepaired.iter().map(|(_, why)| *why).collect();
    assert_eq!(why, [Some(Reason::NoSource); 2]);
    let zero = lost.trace.counter_names.iter().position(|n| n.name == "at_zero_replicas").unwrap();
    let last = lost.trace.counters.iter().rfind(|c| c.counter.at() == zero).unwrap();
    assert_eq!(last.value, Some(2.0));
    let kept = run(&with_groups(scenario(&[]), (2, 1), 2 * 64 * MIB, &rows), 1);
    assert!(kept.unrepaired.is_empty(), "two are enough: {:?}", kept.unrepaired);
}

/// A group of one cell has one data block and its parity; a task reads only one of them.
#[test]
fn a_short_group_is_read_from_as_few_as_it_has() {
    let run = run(&with_groups(scenario(&[]), RS_6_3, 1_000_000, &["0 - - - - - 1 2 3"]), 1);
    let (parts, rebuilt) = parts_and_rebuilt(&run);
    assert_eq!((parts.len(), rebuilt.len()), (1, 1));
    assert_eq!(
        (hdfs_trace::bytes(parts[0]), hdfs_trace::bytes(rebuilt[0])),
        (1_000_000, 1_000_000)
    );
    assert!(run.unrepaired.is_empty());
}

fn decommission(sets: &[(&str, &str)]) -> Scenario {
    let text = BASE.replace("node-lost", "decommission");
    let sets: Vec<_> = sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    Scenario::from_str(&text, "x.toml", &sets).expect("a scenario")
}

/// Blocks only on a leaving node are copied from it; missing ones are rebuilt first.
#[test]
fn a_leaving_block_is_copied_and_a_lost_one_rebuilt_before() {
    let rows = ["0 1 2 3 4 5 6 7 8"];
    let whole = run(&with_groups(decommission(&[TWELVE]), RS_6_3, FULL, &rows), 1);
    let (parts, copies) = parts_and_rebuilt(&whole);
    assert_eq!((parts.len(), copies.len()), (0, 1));
    assert_eq!((copies[0].node, hdfs_trace::bytes(copies[0])), (Some(NodeId::of(0)), 64 * MIB));
    let rows = ["0 - 2 3 4 5 6 7 8"];
    let gap = run(&with_groups(decommission(&[TWELVE]), RS_6_3, FULL, &rows), 1);
    let (parts, written) = parts_and_rebuilt(&gap);
    assert_eq!((parts.len(), written.len()), (6, 2));
    let [rebuilt, copied] = [written[0], written[1]];
    assert!(
        rebuilt.end <= copied.start
            && copied.node == Some(NodeId::of(0))
            && rebuilt.resource.is_none()
    );
    assert!(gap.unrepaired.is_empty());
}

/// The most concurrent tasks of one node, and whether its threads are named as a cause.
fn at_once(sets: &[(&str, &str)]) -> (usize, bool) {
    let rows = ["0 1 2 3 4 5 6 7 8"; 7];
    let sets: Vec<_> = sets.iter().copied().chain([("cluster.nodes_per_rack", "10")]).collect();
    let run = run(&with_groups(scenario(&sets), RS_6_3, FULL, &rows), 1);
    assert!(run.unrepaired.is_empty());
    let (_, rebuilt) = parts_and_rebuilt(&run);
    let ends = |at| {
        let parts = transfers(&run).into_iter().filter(|i| i.subject == at);
        parts.map(|i| i.end).max().expect("a part")
    };
    let spans: Vec<_> = rebuilt.iter().map(|i| (i.start, ends(i.subject))).collect();
    let most = spans.iter().map(|(at, _)| spans.iter().filter(|(s, e)| s <= at && at < e).count());
    let threads = run.trace.intervals.iter().any(|i| match i.cause {
        Cause::Setting(s) => run.trace.settings[s.at()].key.ends_with("reconstruction.threads"),
        _ => false,
    });
    (most.max().expect("tasks"), threads)
}

/// A task of RS-6-3 counts as three copies: a heartbeat fetches two, the next none while one runs.
/// With less weight and more streams the threads are the limit.
#[test]
fn tasks_count_among_the_streams_and_have_threads_of_their_own() {
    let streams = "hdfs-site.dfs.namenode.replication.max-streams";
    let hard = "hdfs-site.dfs.namenode.replication.max-streams-hard-limit";
    let ec = "hdfs-site.dfs.datanode.ec.reconstruction";
    let (weight, threads) = (format!("{ec}.xmits.weight"), format!("{ec}.threads"));
    assert_eq!(at_once(&[]), (2, false));
    let many = [(streams, "9"), (hard, "9"), (&weight, "0.1")];
    assert_eq!(at_once(&many), (7, false));
    let few: Vec<_> = many.into_iter().chain([(&threads[..], "3")]).collect();
    assert_eq!(at_once(&few), (3, true));
}

/// Hadoop 1.x and event-driven pacing have no groups.
#[test]
fn other_pacings_refuse_groups() {
    for pacing in ["hdfs1", "event-driven"] {
        let one = scenario(&[("policy.pacing", pacing)]);
        let one = with_groups(one, (3, 2), FULL, &["0 1 2 3 4"]);
        let options = Options {
            execution: engine::Scheduler::Sequential.into(),
            check: true,
            observer: None,
        };
        let blocks = load_blocks(&one, 1).expect("a map");
        let told = simulate(&one, blocks, 1, options, &mut |_| ControlFlow::Continue(()));
        let told = told.expect_err("refused");
        let said = format!(
            "test.toml: policy.pacing = \"{pacing}\" has no erasure-coded groups, but the block \
             map has 1; set policy.pacing = \"hdfs3\""
        );
        assert_eq!(told, said);
    }
}

/// A lost source breaks the task; the timeout detects it, and the task is repeated from others.
#[test]
fn a_task_that_lost_a_source_is_done_again() {
    for sharing in ["fluid", "queue"] {
        let second = "[[event]]\nat = \"800s\"\nkind = \"node-lost\"\ntarget = \"dn-r1-02\"\n[run]";
        let text = BASE.replace("[run]", second);
        let sets = [TWELVE, ("hardware.disk", "100kB/s"), ("model.sharing", sharing)];
        let sets: Vec<_> = sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let slow = Scenario::from_str(&text, "x.toml", &sets).expect("a scenario");
        let rows = ["0 1 2 3 4 5 6 7 8"];
        let run = run(&with_groups(slow, RS_6_3, 6 * 16 * MIB, &rows), 1);
        let (parts, rebuilt) = parts_and_rebuilt(&run);
        let broken = parts.iter().filter(|i| hdfs_trace::bytes(i) == 0).count();
        assert!(run.unrepaired.is_empty() && broken > 0, "{sharing}: {parts:?}");
        assert!(
            rebuilt.iter().filter(|i| hdfs_trace::bytes(i) > 0).count() >= 2,
            "{sharing}: {rebuilt:?}"
        );
    }
}

/// A cut task is incomplete: it waits for what it still reads.
#[test]
fn a_task_that_is_cut_waits_for_its_slowest_source() {
    for sharing in ["fluid", "queue"] {
        let sets =
            [TWELVE, ("model.sharing", sharing), ("hardware.nic", "1MB/s"), ("run.until", "900s")];
        let one = with_groups(scenario(&sets), RS_6_3, FULL, &["0 1 2 3 4 5 6 7 8"]);
        let run = run(&one, 1);
        assert_eq!(run.unrepaired.len(), 1, "{sharing}: it takes 400 s");
        let last = run.trace.intervals.iter().map(|i| i.end).max();
        let of_reports = run.trace.intervals.iter().filter(|i| i.kind == kind::REPORT);
        assert_eq!(of_reports.count(), 0, "{sharing}: nothing is to be reported");
        let is_open = |i: &&Interval| i.kind == kind::TRANSFER && Some(i.end) == last;
        assert!(run.trace.intervals.iter().filter(is_open).count() > 0, "{sharing}: none is open")
    }
}

/// A rebuilt block is on the disk that its target chose, also on a node with a failed disk. A task
/// with several outputs ends when all have arrived. Both hold in both ways of sharing.
#[test]
fn tasks_end_with_their_outputs_on_the_disks_that_targets_chose() {
    for sharing in ["fluid", "queue"] {
        for (kind, target, code) in
            [("disk-lost", "dn-r2-03/0", "XOR-2-1-1024k"), ("rack-lost", "/rack2", "RS-3-2-1024k")]
        {
            let sets = [
                ("cluster.racks", "4"),
                ("hardware.disks_per_node", "2"),
                ("hardware.inter_rack", "2Gbit/s"),
                ("workload.blocks_on_lost_node", "60"),
                ("workload.block_bytes", "32MB"),
                ("workload.redundancy", code),
                ("event.kind", kind),
                ("event.target", target),
                ("model.sharing", sharing),
                ("run.until", "1h"),
            ];
            let run = run(&scenario(&sets), 1);
            assert!(run.unrepaired.is_empty(), "{sharing}, {kind}: {:?}", run.unrepaired);
            let took = recovery_s(&run);
            assert!(took < 120.0, "{sharing}, {kind}: {took} s");
        }
    }
}
