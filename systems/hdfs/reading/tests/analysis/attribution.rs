//! Drawn traces and the attribution tables that follow from them.
use crate::draw::{behind, count, empty, interval, limited, sample, setting, trace};
use hdfs_reading::{Attribution, attribution, blocked_time};
use hdfs_trace::{
    CapacityChange, Interval, NodeId, ResourceId, Setting, Trace, counter_name, kind,
};
use units::Nanos;

/// The table as text: seconds, whole percents, holder.
fn table(of: &Attribution) -> String {
    let row = |held: &trace::reading::HolderShare| {
        let hottest = held.hottest.as_deref().map(|name| format!(" ({name})")).unwrap_or_default();
        format!("{:5.1} s {:3.0} %  {}{hottest}", held.waited_s, 100.0 * held.share, held.holder)
    };
    let mut lines: Vec<String> = of.shares.iter().map(row).collect();
    lines.push(format!("{:5.1} s", of.total_s));
    lines.join("\n")
}

#[track_caller]
fn expect(of: &Attribution, golden: &str) {
    let wanted: Vec<&str> = golden.lines().map(str::trim_end).filter(|l| !l.is_empty()).collect();
    let found = table(of);
    let strip = |line: &str| line.trim_start().to_string();
    let found_lines: Vec<String> = found.lines().map(strip).collect();
    let wanted: Vec<String> = wanted.into_iter().map(strip).collect();
    assert_eq!(found_lines, wanted, "\n{found}\n");
}

#[test]
fn a_queue_a_handout_a_copy_and_a_report() {
    // The report ends at 21 s, all is safe at 22 s: a second without any interval.
    let trace = trace(
        2,
        Some(22),
        "1 |  qqqqqqqqhhttttttttr|
           |  mmmmmmmmbbddddddnnb|",
    );
    expect(
        &attribution(&trace),
        "8.0 s  40 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         6.0 s  30 %  Disk (a disk 0)
         3.0 s  15 %  dfs.heartbeat.interval = 3s
         2.0 s  10 %  NIC (a NIC)
         1.0 s   5 %  unexplained
         20.0 s",
    );
}

#[test]
fn the_last_block_leads_not_the_longest() {
    let trace = trace(
        0,
        Some(16),
        "1 |qqqqqqqqqqqttt  |
           |mmmmmmmmmmmddd  |
         2 |  qqhhhhhhhhtttt|
           |  mmssssssssuuuu|",
    );
    expect(
        &attribution(&trace),
        "8.0 s  50 %  dfs.namenode.replication.max-streams = 2
         4.0 s  25 %  Rack uplink (/r0 uplink)
         2.0 s  12 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         2.0 s  12 %  unexplained
         16.0 s",
    );
}

#[test]
fn a_wait_for_another_copy_goes_on_in_its_chain() {
    // Block 3 waits for the copy of 2, which waited for the copy of 1, which waited in the queue.
    let trace = trace(
        0,
        Some(18),
        "1 |qqqtttt           |
           |mmmdddd           |
         2 |qhhhhhhttttttt    |
           |m111111eeeeeen    |
         3 |qhhhhhhhhhhhhhtttt|
           |s2222222222222nnnn|",
    );
    expect(
        &attribution(&trace),
        "10.0 s  56 %  Disk (b disk 0)
          5.0 s  28 %  NIC (a NIC)
          3.0 s  17 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         18.0 s",
    );
}

#[test]
fn the_example_of_the_documentation() {
    let trace = trace(
        0,
        Some(12),
        "1 |qqqtttttt   |
           |mmmdddddd   |
         2 |qhhhhhhhhttt|
           |s11111111nnn|",
    );
    expect(
        &attribution(&trace),
        "6.0 s  50 %  Disk (a disk 0)
         3.0 s  25 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         3.0 s  25 %  NIC (a NIC)
         12.0 s",
    );
}

#[test]
fn a_copy_whose_inside_is_unknown_is_an_interval_only_if_it_was_waited_for() {
    let trace = trace(
        0,
        Some(12),
        "1 |qqtttttt    |
           |mm======    |
         2 |hhhhhhhhtttt|
           |11111111====|",
    );
    expect(
        &attribution(&trace),
        "6.0 s  50 %  another copy
         2.0 s  17 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         4.0 s  33 %  unexplained
         12.0 s",
    );
}

#[test]
fn gaps_are_unexplained() {
    let trace = trace(
        1,
        Some(14),
        "1 |  qqq   ttttt  |
           |  mmm   dd..d  |",
    );
    expect(
        &attribution(&trace),
        "3.0 s  23 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         3.0 s  23 %  Disk (a disk 0)
         7.0 s  54 %  unexplained
         13.0 s",
    );
}

#[test]
fn a_wait_that_outlasts_what_it_waited_for_is_unexplained_from_there() {
    let trace = trace(
        0,
        Some(10),
        "1 |tttt      |
           |dddd      |
         2 |hhhhhhhttt|
           |1111111nnn|",
    );
    expect(
        &attribution(&trace),
        "4.0 s  40 %  Disk (a disk 0)
         3.0 s  30 %  NIC (a NIC)
         3.0 s  30 %  unexplained
         10.0 s",
    );
}

#[test]
fn nothing_is_blamed_that_had_little_to_do() {
    let mut trace = trace(
        0,
        Some(12),
        "1 |qqtttttttttt|
           |mmddddddnnnn|",
    );
    // The disk is at 19 % during its 6 s, the NIC at 21 % during its 4 s.
    let sample = |resource, at, used| sample(resource, Nanos::secs(at), used, 1);
    trace.series = vec![sample(0, 0, 19.0), sample(2, 0, 0.0), sample(2, 8, 21.0)];
    expect(
        &attribution(&trace),
        "4.0 s  33 %  NIC (a NIC)
         2.0 s  17 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         6.0 s  50 %  unexplained
         12.0 s",
    );
}

#[test]
fn what_has_become_slow_is_blamed_by_what_it_can_do_then() {
    let mut trace = trace(
        0,
        Some(12),
        "1 |qqtttttttttt|
           |mmdddddddddd|",
    );
    // 5 of 100 bytes/s, but it can do no more than 5 from 2 s on.
    trace.series = vec![sample(0, Nanos::secs(2), 5.0, 1)];
    trace.capacities =
        vec![CapacityChange { resource: ResourceId::of(0), at: Nanos::secs(2), capacity: 5 }];
    let disk = "10.0 s  83 %  Disk (a disk 0)
         2.0 s  17 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         12.0 s";
    expect(&attribution(&trace), disk);
    // It becomes slow only at 4: 46 of the 240 bytes of the whole wait, and 8 of its 10 seconds.
    let sample = |at, used| sample(0, Nanos::secs(at), used, 1);
    trace.series = vec![sample(2, 3.0), sample(4, 5.0)];
    trace.capacities =
        vec![CapacityChange { resource: ResourceId::of(0), at: Nanos::secs(4), capacity: 5 }];
    expect(&attribution(&trace), disk);
}

/// The first loss is declared at 2 s. The second happens at `fault` and is declared at 9 s, when
/// both blocks, of which the first had been safe for a while, are found short.
fn second_loss(fault: usize) -> Trace {
    let mut trace = trace(
        2,
        Some(15),
        "1 |  qqttt  qqtttr|
           |  mmddd  mmdddb|
         2 |         qqttt |
           |         mmddd |",
    );
    trace.settings.push(Setting {
        key: "dfs.namenode.heartbeat.recheck-interval".into(),
        value: "300000".into(),
    });
    let recheck = setting(trace.settings.len() - 1);
    let seen = interval(kind::DETECTION, None, 0, fault, 9);
    trace.intervals.push(Interval { subject: None, cause: recheck, ..seen });
    trace
}

#[test]
fn a_second_loss_is_waited_for_from_its_fault_to_its_declaration() {
    expect(
        &attribution(&second_loss(5)),
        "4.0 s  31 %  dfs.namenode.heartbeat.recheck-interval = 300000
         3.0 s  23 %  Disk (a disk 0)
         3.0 s  23 %  time before a later loss
         2.0 s  15 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         1.0 s   8 %  dfs.heartbeat.interval = 3s
         13.0 s",
    );
    // Both fell silent at once, but the second is noticed later.
    expect(
        &attribution(&second_loss(0)),
        "7.0 s  54 %  dfs.namenode.heartbeat.recheck-interval = 300000
         3.0 s  23 %  Disk (a disk 0)
         2.0 s  15 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         1.0 s   8 %  dfs.heartbeat.interval = 3s
         13.0 s",
    );
    // On average: the blocks' own waits, without the time before the loss.
    expect(
        &blocked_time(&second_loss(5)),
        "4.0 s  42 %  dfs.namenode.heartbeat.recheck-interval = 300000
         3.0 s  32 %  Disk (a disk 0)
         2.0 s  21 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         0.5 s   5 %  dfs.heartbeat.interval = 3s
         9.5 s",
    );
}

#[test]
fn what_is_lost_before_it_is_missed_waited_for_no_repair() {
    // Safe from 7 on; at 9 a node falls silent, and at 12 all that it had is lost.
    let mut trace = trace(
        2,
        None,
        "1 |  qqttt       |
           |  mmddd       |",
    );
    let missed = interval(kind::DETECTION, None, 0, 9, 20);
    trace.intervals.push(Interval { subject: None, cause: setting(1), ..missed });
    trace.run.push(("end_s".into(), "14".into()));
    trace.counter_names = ["at_risk", "at_zero_replicas"].map(counter_name).into();
    let counted = [(0, 2, 2.0), (0, 7, 0.0), (0, 9, 5.0), (1, 12, 5.0)];
    let counter = |(name, at, value)| count(name, Nanos::secs(at), value);
    trace.counters = counted.map(counter).to_vec();
    expect(
        &attribution(&trace),
        "3.0 s  30 %  dfs.namenode.replication.max-streams = 2
         3.0 s  30 %  Disk (a disk 0)
         2.0 s  20 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         2.0 s  20 %  time before a later loss
         10.0 s",
    );
}

/// A node's return makes a block lack replicas: the NameNode detects it a little later.
#[test]
fn what_a_return_asks_for_waited_for_nothing_before() {
    let rows = "1 |  qqttt  qq  |\n  |  mmddd  mm  |";
    let mut trace = trace(2, Some(11), rows);
    trace.counter_names = ["at_risk", "at_zero_replicas"].map(counter_name).into();
    let counted = [(2_000, 1.0), (7_000, 0.0), (8_999, 1.0), (11_000, 0.0)];
    let counter = |(ms, value)| count(0, Nanos::millis(ms), value);
    trace.counters = counted.map(counter).to_vec();
    expect(
        &attribution(&trace),
        "4.0 s  44 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         3.0 s  33 %  Disk (a disk 0)
         2.0 s  22 %  time before a later loss
         9.0 s",
    );
}

/// Of two silent nodes one is back; with the other one all that both had is lost.
#[test]
fn losses_that_overlap_are_waited_for_from_the_first_on() {
    let mut trace = trace(2, None, "1 |  qq           |\n  |  mm           |");
    for (node, from, to, place) in [(0, 6, 11, 1), (1, 9, 20, 2)] {
        let missed = interval(kind::DETECTION, None, 0, from, to);
        let missed = Interval { subject: None, cause: setting(place), ..missed };
        trace.intervals.push(Interval { node: Some(NodeId::of(node)), ..missed });
    }
    trace.run.push(("end_s".into(), "14".into()));
    trace.counter_names = ["at_risk", "at_zero_replicas"].map(counter_name).into();
    let counted = [(0, 2, 2.0), (0, 4, 0.0), (0, 6, 5.0), (1, 12, 5.0)];
    let counter = |(name, at, value)| count(name, Nanos::secs(at), value);
    trace.counters = counted.map(counter).to_vec();
    expect(
        &attribution(&trace),
        "3.0 s  30 %  dfs.heartbeat.interval = 3s
         3.0 s  30 %  dfs.namenode.replication.max-streams = 2
         2.0 s  20 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         2.0 s  20 %  time before a later loss
         10.0 s",
    );
}

#[test]
fn who_is_back_before_being_missed_is_waited_for_though_nothing_is_repaired() {
    // A node goes into maintenance at 2 and nothing has to be copied; another is silent in 9–12.
    let mut trace = trace(2, Some(12), "");
    let missed = interval(kind::DETECTION, None, 0, 9, 12);
    trace.intervals.push(Interval { subject: None, cause: setting(1), ..missed });
    expect(
        &attribution(&trace),
        "7.0 s  70 %  time before a later loss
         3.0 s  30 %  dfs.namenode.replication.max-streams = 2
         10.0 s",
    );
}

#[test]
fn without_an_end_the_last_wait_counts() {
    let trace = trace(
        0,
        None,
        "1 |qqqqtttt  |
           |mmmmdddd  |
         2 |qqqqqqqqqq|
           |ssssssssss|",
    );
    expect(
        &attribution(&trace),
        "10.0 s 100 %  dfs.namenode.replication.max-streams = 2
         10.0 s",
    );
}

#[test]
fn what_the_cluster_lacks_is_no_setting() {
    let alone = attribution(&trace(0, None, "2 |qqqq|\n  |xxxx|"));
    expect(&alone, "4.0 s 100 %  no source: no readable replica is left\n4.0 s");
    // With another block that can be repaired, it does not extend the repair.
    let both = trace(
        0,
        None,
        "1 |qqqqqqqq|
           |xxxxxxxx|
         2 |qqqqtttt|
           |mmmmdddd|",
    );
    expect(
        &attribution(&both),
        "4.0 s  50 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         4.0 s  50 %  Disk (a disk 0)
         8.0 s",
    );
}

#[test]
fn the_mean_of_all_blocks_charges_a_wait_only_one_step_far() {
    let trace = trace(
        0,
        Some(12),
        "1 |qqqttttt    |
           |mmmddddd    |
         2 |qhhhhhhhtttt|
           |m1111111nnnn|",
    );
    // Block 1: 3 m, 5 d. Block 2: 1 m, 2 others (before the copy of 1 began), 5 d, 4 n.
    expect(
        &blocked_time(&trace),
        "5.0 s  50 %  Disk (a disk 0)
         2.0 s  20 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         2.0 s  20 %  NIC (a NIC)
         1.0 s  10 %  another copy
         10.0 s",
    );
}

#[test]
fn who_waits_for_a_copy_that_has_not_begun_waits_for_what_that_waits_for() {
    // One copy of block 3 runs from 5 to 12. The other waits until 9 for the copy of block 2, which
    // begins at 7: at 5 both wait for the copy of block 1.
    let mut trace = trace(
        0,
        Some(12),
        "1 |ttttt       |
           |ddddd       |
         2 |hhhhhhhtt   |
           |11111bbnn   |
         3 |hhhhhhhhh   |
           |222222222   |",
    );
    let goes_on = interval(kind::TRANSFER, None, 3, 5, 12);
    trace.intervals.push(Interval { cause: limited(2), ..goes_on });
    expect(
        &attribution(&trace),
        "7.0 s  58 %  NIC (a NIC)
         5.0 s  42 %  Disk (a disk 0)
         12.0 s",
    );
}

#[test]
fn of_what_ends_the_repair_and_what_goes_on_beyond_it_the_former_is_last() {
    // At 8 a node returns: block 1 no longer needs its copy, which continues.
    let trace = trace(
        0,
        Some(8),
        "1 |tttttttttt |
           |dddddddddd |
         2 |qqqqqttt   |
           |mmmmmnnn   |",
    );
    expect(
        &attribution(&trace),
        "5.0 s  62 %  dfs.namenode.replication.work.multiplier.per.iteration = 2
         3.0 s  38 %  NIC (a NIC)
         8.0 s",
    );
}

#[test]
fn circles_and_references_to_nothing_are_unexplained() {
    let mut circle = trace(
        0,
        Some(6),
        "1 |qqqqqq|
           |mmmmmm|
         2 |qqqqqq|
           |ssssss|",
    );
    circle.intervals[0].cause = behind(1);
    circle.intervals[1].cause = behind(0);
    expect(&attribution(&circle), "6.0 s 100 %  unexplained\n6.0 s");
    circle.intervals[0].cause = behind(77);
    expect(&attribution(&circle), "6.0 s 100 %  unexplained\n6.0 s");
    circle.intervals[0].cause = limited(77);
    expect(&attribution(&circle), "6.0 s 100 %  unexplained\n6.0 s");
}

#[test]
fn nothing_declared_nothing_attributed() {
    assert_eq!(attribution(&empty()), Attribution::default());
    assert_eq!(blocked_time(&empty()), Attribution::default());
}
