//! Known behaviour of real HDFS that the model must show without being tuned for it.
use super::world::{
    recovery_s, run, scenario, two_lost, unexplained, waits_for, with_blocks, with_events,
};
use engine::Nanos;
use hdfs_model::hdfs::SimulationResult;
use hdfs_trace::{Interval, NodeId, block, disk, kind, rack};
use std::collections::BTreeMap;

const MULTIPLIER: &str = "hdfs-site.dfs.namenode.replication.work.multiplier.per.iteration";
const STREAMS: &str = "hdfs-site.dfs.namenode.replication.max-streams";
const HARD: &str = "hdfs-site.dfs.namenode.replication.max-streams-hard-limit";
const FAST: [(&str, &str); 2] = [("hardware.disk", "100GB/s"), ("hardware.nic", "100GB/s")];

fn with<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    FAST.iter().chain(more).copied().collect()
}

/// Only the NameNode limits re-replication: live nodes × multiplier blocks per redundancy interval.
#[test]
fn no_faster_than_the_rounds_allow() {
    for (multiplier, blocks) in [("1", 100.0f64), ("2", 100.0), ("4", 200.0)] {
        let held = blocks.to_string();
        let sets = [
            ("workload.blocks_on_lost_node", held.as_str()),
            ("cluster.nodes_per_rack", "11"),
            (MULTIPLIER, multiplier),
            (STREAMS, "50"),
            (HARD, "50"),
        ];
        let took = recovery_s(&run(&scenario(&with(&sets)), 3));
        let rounds = (blocks / (10.0 * multiplier.parse::<f64>().unwrap())).ceil();
        let (least, most) = ((rounds - 1.0) * 3.0, (rounds + 1.0) * 3.0 + 0.5);
        assert!(least < took && took < most, "multiplier {multiplier}: {took} s, {rounds} rounds");
    }
}

/// A heartbeat hands out max-streams copies, so no source starts more in three seconds.
#[test]
fn no_source_sends_more_than_its_streams_allow() {
    let sets =
        [("workload.blocks_on_lost_node", "200"), (MULTIPLIER, "100"), (STREAMS, "3"), (HARD, "3")];
    let run = run(&scenario(&with(&sets)), 5);
    let mut starts: BTreeMap<NodeId, Vec<f64>> = BTreeMap::new();
    for i in run.trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER) {
        starts.entry(i.node.unwrap()).or_default().push(i.start.as_secs())
    }
    let mut most = 0;
    for mut times in starts.into_values() {
        times.sort_by(f64::total_cmp);
        for (i, t) in times.iter().enumerate() {
            most = most.max(times[i..].iter().filter(|s| **s < t + 2.9).count())
        }
    }
    assert_eq!(most, 3, "the limit is reached and kept");
}

/// Two survivors on two racks: the target is in the source's rack. The dead node's rack mates hold
/// more of its blocks and receive about twice as much as the others.
#[test]
fn rack_mates_of_the_dead_receive_about_twice_as_much() {
    let sets = [
        ("cluster.racks", "4"),
        ("cluster.nodes_per_rack", "10"),
        ("workload.blocks_on_lost_node", "900"),
        (MULTIPLIER, "20"),
        (STREAMS, "20"),
        (HARD, "20"),
    ];
    let run = run(&scenario(&with(&sets)), 2);
    let (mut mates, mut others) = (0.0, 0.0);
    for i in run.trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER) {
        match rack(&run.trace.nodes[i.peer.unwrap().at()]) {
            0 => mates += 1.0 / 9.0,
            _ => others += 1.0 / 30.0,
        }
    }
    let ratio = mates / others;
    assert!((1.6..2.6).contains(&ratio), "rack mates receive {ratio} times the others' share");
}

/// With a limit of 0 HDFS repairs nothing: the run ends and blames only that setting. If both
/// limits refuse, the smaller one is blamed.
#[test]
fn a_limit_that_refuses_all_is_what_every_block_waits_for() {
    let all = [("0", "4", STREAMS), ("2", "0", HARD), ("0", "0", STREAMS)];
    for (soft, hard, blamed) in all {
        let run = run(&scenario(&[(STREAMS, soft), (HARD, hard)]), 2);
        assert!(run.unrepaired.len() == 20 && run.trace.about("redundant_s").is_none());
        let waits = run.trace.intervals.iter().filter(|i| i.end - i.start > engine::Nanos::secs(9));
        let names = waits.filter(|i| i.kind != kind::DETECTION).map(|i| match i.cause {
            hdfs_trace::Cause::Setting(s) => run.trace.settings[s.at()].key.as_str(),
            _ => "no setting",
        });
        let names: Vec<&str> = names.collect();
        let key = blamed.strip_prefix("hdfs-site.").expect("a key of HDFS");
        assert!(!names.is_empty() && names.iter().all(|name| *name == key), "{names:?}");
    }
}

/// Lost blocks need no second loss: blocks without a holder count from the start.
#[test]
fn blocks_lost_before_are_counted_from_the_start() {
    let mut scenario = with_blocks(scenario(&[]), &["", "3", "0 1 2"]);
    scenario.cluster.nodes[3].alive = false;
    let run = run(&scenario, 1);
    let zero = run.trace.counter_names.iter().position(|row| row.name == "at_zero_replicas");
    let of_zero = run.trace.counters.iter().filter(|c| Some(c.counter.at()) == zero);
    let told: Vec<_> = of_zero.map(|c| (c.at.0, c.value)).collect();
    assert_eq!(told, [(0, Some(2.0))]);
}

/// The latency between racks exceeds the copy's time: it is the cause in both ways of sharing.
#[test]
fn latency_is_a_cause_of_its_own() {
    for sharing in ["fluid", "queue"] {
        let sets = [
            ("hardware.inter_rack_latency", "100s"),
            ("cluster.racks", "3"),
            ("policy.pacing", "event-driven"),
            ("workload.blocks_on_lost_node", "3"),
            ("model.sharing", sharing),
        ];
        let run = run(&scenario(&sets), 1);
        let mut by_cause: BTreeMap<String, f64> = BTreeMap::new();
        for i in run.trace.intervals.iter().filter(|i| i.kind != kind::TRANSFER) {
            let name = match i.cause {
                hdfs_trace::Cause::Setting(s) => run.trace.settings[s.at()].key.clone(),
                other => format!("{other:?}"),
            };
            *by_cause.entry(name).or_default() += (i.end - i.start).as_secs()
        }
        let all: f64 = by_cause.values().sum();
        let share = by_cause.get("hardware.inter_rack_latency").copied().unwrap_or(0.0) / all;
        assert!(share > 0.9, "{sharing}: {by_cause:?}");
    }
}

/// `BlockTargetPair`: a block that lacks two replicas takes one stream of its source, and both
/// copies arrive together.
#[test]
fn two_copies_of_a_block_are_one_stream_of_their_source() {
    for (pacing, sharing) in [("hdfs3", "fluid"), ("hdfs3", "queue"), ("hdfs1", "fluid")] {
        for policy in ["default", "ring"] {
            let sets = [
                ("policy.pacing", pacing),
                ("policy.rereplication", policy),
                ("model.sharing", sharing),
                (STREAMS, "1"),
                (HARD, "1"),
            ];
            let run = run(&with_blocks(two_lost(&with(&sets)), &["0 1 2", "1 0 3"]), 3);
            let copies = || run.trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER);
            assert_eq!(copies().count(), 4, "{sets:?}");
            for first in copies().filter(|i| i.resource.is_some()) {
                let relayed = copies().find(|i| i.subject == first.subject && i.resource.is_none());
                let relayed = relayed.expect("the first target sends on");
                assert_eq!((relayed.node, relayed.start), (first.peer, first.start));
                assert!(first.end.0.abs_diff(relayed.end.0) < 1_000_000, "{first:?} {relayed:?}");
            }
        }
    }
}

/// Declared dead at the first recheck after 2 × recheck + 10 × heartbeat interval.
#[test]
fn detection_takes_ten_and_a_half_minutes_and_up_to_five_more() {
    let declared = |seed| {
        let run = run(&scenario(&[]), seed);
        run.trace.about("declared_s").unwrap().parse::<f64>().unwrap()
    };
    let all: Vec<f64> = (1..=60).map(declared).collect();
    let (least, most) = all.iter().fold((f64::MAX, 0.0f64), |(a, b), t| (a.min(*t), b.max(*t)));
    assert!(least >= 630.0 && most <= 930.0, "{least} .. {most}");
    assert!(least < 670.0 && most > 890.0, "where the monitor stands is chance: {least} .. {most}");
}

/// Raising one limit shows the next: recovery is not always shorter with a higher multiplier.
#[test]
fn a_disk_slow_enough_is_all_that_matters() {
    let slow = |multiplier| {
        let sets = [("hardware.disk", "5MB/s"), (MULTIPLIER, multiplier)];
        recovery_s(&run(&scenario(&sets), 1))
    };
    let (two, nine) = (slow("2"), slow("9"));
    assert!((two / nine - 1.0).abs() < 0.25, "{two} s and {nine} s");
}

/// `DataTransferThrottler` limits all copies that a DataNode sends, and is named as the cause.
#[test]
fn a_throttled_node_sends_no_faster_whatever_its_streams() {
    let bandwidth = ("hdfs-site.dfs.datanode.data.transfer.bandwidthPerSec", "10485760");
    for sharing in ["fluid", "queue"] {
        let sets = [
            ("policy.pacing", "event-driven"),
            ("policy.streams_per_source", "3"),
            ("model.sharing", sharing),
            bandwidth,
        ];
        let run = run(&scenario(&sets), 4);
        let mut sent: BTreeMap<NodeId, f64> = BTreeMap::new();
        for i in run.trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER) {
            *sent.entry(i.node.unwrap()).or_default() += hdfs_trace::bytes(i) as f64
        }
        let most = sent.values().fold(0.0f64, |a, b| a.max(*b));
        let least_s = most / 10_485_760.0;
        let took = recovery_s(&run);
        assert!(took >= least_s && took < least_s * 1.3, "{sharing}: {took} s, at least {least_s}");
        let held = run.trace.intervals.iter().filter(|i| i.kind == kind::HELD);
        let blamed = held.filter(|i| matches!(i.cause, hdfs_trace::Cause::Setting(_))).count();
        assert!(blamed > 0, "{sharing}: the setting is the cause");
    }
}

/// A copy slower than `…pending.timeout-sec` is decided again and still arrives: the run waits for
/// it although the NameNode has given it up.
#[test]
fn copies_that_outlive_the_timeout_are_waited_for() {
    let timeout = "hdfs-site.dfs.namenode.reconstruction.pending.timeout-sec";
    for pacing in ["hdfs1", "hdfs3"] {
        let sets = [(timeout, "1"), ("policy.pacing", pacing), ("hardware.disk", "2MB/s")];
        let run = run(&scenario(&sets), 1);
        assert!(run.unrepaired.is_empty(), "{pacing}: {:?}", run.unrepaired);
        assert!(run.trace.about("redundant_s").is_some(), "{pacing}");
    }
}

/// A copy that broke off with its target is detected by the timeout, which is named as the cause.
#[test]
fn a_broken_copy_is_missed_at_its_timeout() {
    let key = "dfs.namenode.reconstruction.pending.timeout-sec";
    let waited = |at: &str| {
        let second =
            format!("[[event]]\nat = \"{at}\"\nkind = \"node-lost\"\ntarget = \"dn-r1-02\"\n[run]");
        let text = super::world::BASE.replace("[run]", &second);
        let sets = [("policy.pacing".to_string(), "hdfs3".to_string())];
        let scenario =
            hdfs_scenario::Scenario::from_str(&text, "x.toml", &sets).expect("a scenario");
        let run = run(&scenario, 1);
        let of = |i: &&hdfs_trace::Interval| match i.cause {
            hdfs_trace::Cause::Setting(s) => run.trace.settings[s.at()].key == key,
            _ => false,
        };
        run.trace
            .intervals
            .iter()
            .filter(of)
            .map(|i| (i.end - i.start).as_secs())
            .fold(0.0, f64::max)
    };
    // Somewhere in the repair a copy is on its way to or from the second node.
    let longest = (726..746).step_by(2).map(|at| waited(&format!("{at}s"))).fold(0.0, f64::max);
    assert!(longest > 250.0, "{longest}");
}

/// Orders at a silent node not yet declared dead wait for the timeout, not for a heartbeat, however
/// short its interval.
#[test]
fn an_order_at_a_silent_source_waits_for_its_timeout() {
    let second = "[[event]]\nat = \"620s\"\nkind = \"node-lost\"\ntarget = \"dn-r1-02\"\n[run]";
    let text = super::world::BASE.replace("[run]", second);
    for pacing in ["hdfs1", "hdfs3"] {
        let sets = [("policy.pacing".to_string(), pacing.to_string())];
        let run = run(&hdfs_scenario::Scenario::from_str(&text, "x.toml", &sets).expect("it"), 1);
        let silent = engine::Nanos::secs(620);
        let handouts = run.trace.intervals.iter().filter(|i| i.kind == kind::HANDOUT);
        let there = handouts.filter(|i| i.node == Some(NodeId::of(1)) && i.end > silent);
        let told: Vec<(&str, bool)> = there
            .map(|i| match i.cause {
                hdfs_trace::Cause::Setting(s) => {
                    (run.trace.settings[s.at()].key.as_str(), i.start >= silent)
                }
                _ => ("no setting", false),
            })
            .collect();
        let ours = |(key, after): &(&str, bool)| key.contains("pending.timeout") && *after;
        assert!(!told.is_empty() && told.iter().all(ours), "{pacing}: {told:?}");
    }
}

/// A copy that breaks off after its timeout delays nothing: the NameNode has already decided
/// another, which is under way.
#[test]
fn a_copy_that_is_given_up_is_not_missed_when_it_breaks_off() {
    let sets = [
        ("hdfs-site.dfs.namenode.reconstruction.pending.timeout-sec", "40"),
        ("hardware.disk", "400kB/s"),
    ];
    let one = |scenario| with_blocks(scenario, &["0 1 2"]);
    let copies = |run: &SimulationResult| -> Vec<Interval> {
        let all = run.trace.intervals.iter();
        all.filter(|i| i.kind == kind::TRANSFER).cloned().collect()
    };
    let mut first = copies(&run(&one(scenario(&sets)), 1));
    first.sort_by_key(|copy| copy.start);
    let (target, dies) = (first[0].peer.expect("it"), first[1].start.as_secs().ceil() + 2.0);
    let dead = format!("dn-r1-{:02}", target.at() + 1);
    let event = format!("[[event]]\nat = \"{dies}s\"\nkind = \"node-lost\"\ntarget = \"{dead}\"\n");
    let run = run(&one(with_events(&event, &sets)), 1);
    let broken = copies(&run).into_iter().filter(|copy| hdfs_trace::bytes(copy) == 0).count();
    assert_eq!(broken, 1, "{:?}", copies(&run));
    let waits = run.trace.intervals.iter().filter(|i| i.kind == kind::QUEUED);
    let at_once: Vec<&Interval> = waits.filter(|i| i.start.as_secs() == dies).collect();
    assert!(at_once.is_empty(), "{at_once:?}");
}

/// Event by event the NameNode decides a dead source's orders again at once. The nodes of a rack
/// die together, and orders go to nodes that are declared dead next.
#[test]
fn event_by_event_no_order_waits_at_a_source_that_is_dead() {
    let rack = "[[event]]\nat = \"400s\"\nkind = \"rack-lost\"\ntarget = \"/rack3\"\n";
    let sets = [
        ("cluster.racks", "3"),
        ("cluster.nodes_per_rack", "4"),
        ("policy.pacing", "event-driven"),
    ];
    let base = super::world::BASE.replace("[run]", &format!("{rack}[run]"));
    let base = base.replace("node-lost", "maintenance").replace("dn-r1-01", "dn-r3-02");
    let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
    let scenario = hdfs_scenario::Scenario::from_str(&base, "x.toml", &sets).expect("a scenario");
    let run = run(&scenario, 1);
    let handouts = run.trace.intervals.iter().filter(|i| i.kind == kind::HANDOUT);
    let long: Vec<&Interval> = handouts.filter(|i| (i.end - i.start).as_secs() > 1.0).collect();
    assert!(long.is_empty(), "{long:?}");
}

/// A block lacks two replicas, gets one, and its other holder returns: it is safe and waits for
/// nothing, though other repairs take longer.
#[test]
fn event_by_event_a_copy_and_a_return_end_a_wait() {
    let events = ["node-lost", "node-back"].map(|kind| {
        let at = if kind == "node-back" { "0.3s" } else { "0s" };
        format!("[[event]]\nat = \"{at}\"\nkind = \"{kind}\"\ntarget = \"dn-r1-02\"\n")
    });
    let sets = [("policy.pacing", "event-driven"), ("policy.streams_per_source", "1")];
    let scenario = with_events(&events.concat(), &sets);
    let run = run(&with_blocks(scenario, &["0 1 2", "0 3 4", "0 3 4", "0 3 4"]), 1);
    let of_first = |i: &&Interval| block(&run.trace, i) == Some(100) && i.kind != kind::DETECTION;
    let rows: Vec<&Interval> = run.trace.intervals.iter().filter(of_first).collect();
    let copied = rows.iter().filter(|i| i.kind == kind::TRANSFER).map(|i| i.end);
    let safe = copied.max().expect("a copy") + Nanos::millis(1);
    let end = run.trace.intervals.iter().map(|i| i.end).max().expect("rows");
    assert!(end > safe + Nanos::millis(100), "others take longer");
    assert!(rows.iter().any(|i| i.kind == kind::QUEUED), "it waits for its second copy");
    assert!(rows.iter().all(|i| i.end <= safe), "{rows:?}");
}

/// A node whose excess replica was deleted can receive the block again (`InvalidateBlocks`): three
/// live nodes can hold three replicas.
#[test]
fn a_node_whose_replica_was_one_too_many_may_hold_the_block_again() {
    let event = |at: u32, kind: &str, node: &str| {
        format!("[[event]]\nat = \"{at}s\"\nkind = \"{kind}\"\ntarget = \"{node}\"\n")
    };
    let events = event(1500, "node-back", "dn-r1-01") + &event(3000, "node-lost", "dn-r1-02");
    for (pacing, sharing) in [("hdfs3", "fluid"), ("hdfs1", "queue"), ("event-driven", "fluid")] {
        let sets = [
            ("cluster.nodes_per_rack", "4"),
            ("policy.pacing", pacing),
            ("model.sharing", sharing),
        ];
        let run = run(&with_events(&events, &sets), 1);
        assert!(run.unrepaired.is_empty(), "{pacing}: {:?}", run.unrepaired);
    }
}

/// Blocks of a failed disk may go to another disk of the same node if no other node can take them.
#[test]
fn a_failed_disk_leaves_its_node_a_target() {
    let sets = [
        ("cluster.nodes_per_rack", "3"),
        ("hardware.disks_per_node", "2"),
        ("event.kind", "disk-lost"),
        ("event.target", "dn-r1-01/0"),
    ];
    let run = run(&scenario(&sets), 1);
    let copies = run.trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER);
    let target = |i: &Interval| (i.peer.map(NodeId::at), disk(&run.trace, i.peer_resource));
    let targets: Vec<(Option<usize>, Option<u16>)> = copies.map(target).collect();
    assert!(run.unrepaired.is_empty(), "{:?}", run.unrepaired);
    assert!(!targets.is_empty() && targets.iter().all(|at| *at == (Some(0), Some(1))));
}

/// Bytes under way when their source dies make no replica, in both ways of sharing: the target's
/// connection breaks.
#[test]
fn what_the_dead_were_sending_does_not_arrive() {
    for (sharing, at) in [("fluid", 770), ("queue", 810)] {
        let second =
            format!("[[event]]\nat = \"{at}s\"\nkind = \"node-lost\"\ntarget = \"dn-r1-02\"\n");
        let sets = [
            ("model.sharing", sharing),
            // One chunk: 64 s out of the source's NIC and 64 s into the target's.
            ("model.chunk", "64MB"),
            ("hardware.nic", "1MB/s"),
            ("hdfs-site.dfs.replication", "2"),
        ];
        let scenario = with_events(&second, &sets);
        let run = run(&with_blocks(scenario, &["0 1"]), 1);
        let copies = run.trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER);
        let drawn: Vec<_> =
            copies.map(|i| (i.node, i.end.as_secs(), hdfs_trace::bytes(i))).collect();
        assert!(
            drawn.starts_with(&[(Some(NodeId::of(1)), f64::from(at), 0)]),
            "{sharing}: {drawn:?}"
        );
        assert_eq!(run.unrepaired.len(), 1, "{sharing}: {drawn:?}");
    }
}

/// A node with a slow disk dies while copies are queued there: all of them break off, not only the
/// one being written, and the repair ends.
#[test]
fn copies_in_the_line_of_a_dead_disk_break_off() {
    let more = "[[event]]\nat = \"100s\"\nkind = \"slow-disk\"\ntarget = \"dn-r1-02/0\"\n\
                rate = \"5MB/s\"\n[[event]]\nat = \"738s\"\nkind = \"node-lost\"\n\
                target = \"dn-r1-02\"\n";
    for sharing in ["fluid", "queue"] {
        let sets = [("model.sharing", sharing), ("workload.blocks_on_lost_node", "40")];
        let scenario = with_events(more, &sets);
        let run = run(&scenario, 1);
        let mut at_disk = 0;
        for copy in run.trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER) {
            let (from, to) = (copy.start.as_secs(), copy.end.as_secs());
            if copy.peer == Some(NodeId::of(1)) && (from..to).contains(&737.9) {
                assert!(to < 739.0, "{sharing}: {copy:?}");
                at_disk += 1
            }
        }
        assert!(at_disk > 1, "{sharing}: {at_disk}");
        assert!(run.unrepaired.is_empty(), "{sharing}: {:?}", run.unrepaired);
    }
}

/// A returning node ends waits for it alone. If it returns before its declaration but after that of
/// others, the declaration time is the cause of its detection interval.
#[test]
fn what_a_return_ends_has_its_cause() {
    let with = |events: &str, replication: &str| {
        run(&with_events(events, &[("hdfs-site.dfs.replication", replication)]), 1)
    };
    let event = |at: u32, kind: &str, node: &str| {
        format!("[[event]]\nat = \"{at}s\"\nkind = \"{kind}\"\ntarget = \"{node}\"\n")
    };
    let drawn =
        |run: &hdfs_model::hdfs::SimulationResult, kind: hdfs_trace::IntervalKind, key: &str| {
            let rows = run
                .trace
                .intervals
                .iter()
                .filter(|i| i.kind == kind)
                .filter(|i| waits_for(&run.trace, i).contains(key));
            rows.map(|i| (i.start.as_secs() as u32, i.end.as_secs() as u32)).collect::<Vec<_>>()
        };
    let alone = with(&event(1000, "node-back", "dn-r1-01"), "1");
    let waits = drawn(&alone, kind::QUEUED, "no source");
    assert!(!waits.is_empty() && waits.iter().all(|(_, end)| *end == 1000), "{waits:?}");
    let unmissed = event(800, "node-lost", "dn-r1-02") + &event(950, "node-back", "dn-r1-02");
    let missed = drawn(&with(&unmissed, "3"), kind::DETECTION, "recheck");
    assert_eq!((missed.len(), missed[1]), (2, (800, 950)), "{missed:?}");
}

/// Three nodes fall silent in sequence: copies break off at both ends, some blocks lose several,
/// and some runs are cut.
#[test]
fn no_block_waits_without_a_cause() {
    let mut ended_late = 0;
    for (seed, sharing) in (1..=60).flat_map(|seed| [(seed, "fluid"), (seed, "queue")]) {
        let at = |n: u64| (seed * 7919 + n * 104_729) % 420 + if n == 1 { 0 } else { 600 };
        let lost = |n: u64| {
            let (at, rack) = (at(n), 1 + n % 2);
            format!(
                "[[event]]\nat = \"{at}s\"\nkind = \"node-lost\"\ntarget = \"dn-r{rack}-0{n}\"\n"
            )
        };
        let more = lost(1) + &lost(2) + &lost(3);
        let until = if seed % 4 == 0 { "1025s" } else { "redundant" };
        let sets = [
            ("model.sharing", sharing),
            ("cluster.racks", "2"),
            ("hardware.inter_rack", ["20MB/s", "1GB/s"][seed as usize % 2]),
            ("workload.blocks_on_lost_node", "30"),
            (
                "policy.pacing",
                ["hdfs3", "hdfs1", "hdfs3", "hdfs3", "event-driven"][seed as usize % 5],
            ),
            ("run.until", until),
        ];
        let run = run(&with_events(&more, &sets), seed);
        ended_late += usize::from(run.simulated > engine::Nanos::secs(1200));
        let found = unexplained(&run);
        assert!(found.is_empty(), "seed {seed}, {sharing}: {found:#?}");
    }
    assert!(ended_late > 5, "some wait for the timeout: {ended_late}");
}
