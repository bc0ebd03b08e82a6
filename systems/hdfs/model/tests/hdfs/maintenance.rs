//! Nodes in maintenance: their replicas are not in service but still exist.
use super::world::{BASE, recovery_s, run, with_blocks, with_groups};
use cluster::Admin;
use hdfs_model::hdfs::SimulationResult;
use hdfs_scenario::Scenario;
use hdfs_trace::{Interval, NodeId, kind};
use std::collections::BTreeSet;

/// Copies made when `dn-r1-01` and `dn-r2-01` leave: nodes 0 and 3.
fn copies(kind: &str, replication: &str, rows: &[&str]) -> usize {
    copies_after(&[(kind, "dn-r1-01"), (kind, "dn-r2-01")], replication, rows)
}

/// Copies made after `events`, in racks of three nodes.
fn copies_after(events: &[(&str, &str)], replication: &str, rows: &[&str]) -> usize {
    let sets = [
        ("cluster.racks", "3"),
        ("cluster.nodes_per_rack", "3"),
        ("hdfs-site.dfs.replication", replication),
    ];
    let run = run(&with_blocks(scenario_with(events, &sets), rows), 1);
    assert!(run.unrepaired.is_empty());
    run.trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER).count()
}

fn scenario_with(events: &[(&str, &str)], sets: &[(&str, &str)]) -> Scenario {
    let event = |(kind, target): &(&str, &str)| {
        // `@` gives a later time.
        let (target, at) = target.split_once('@').unwrap_or((target, "0s"));
        format!("[[event]]\nat = \"{at}\"\nkind = \"{kind}\"\ntarget = \"{target}\"\n")
    };
    let events: String = events.iter().map(event).collect();
    let head = BASE.split("[[event]]").next().expect("before the event");
    let tail = BASE.split("[run]").nth(1).expect("behind it");
    let text = format!("{head}{events}[run]{tail}");
    let sets: Vec<_> = sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    Scenario::from_str(&text, "x.toml", &sets).expect("a scenario")
}

/// A node in maintenance counts for the racks (`getBlockPlacementStatus`): a block otherwise in one
/// rack is not copied to another, nor is one with one live replica.
#[test]
fn what_rests_counts_for_the_racks() {
    let rows = ["0 4 5", "3 1 2", "0 3 4", "0 3 6"];
    assert_eq!(copies("maintenance", "3", &rows), 0);
    assert_eq!(copies("decommission", "3", &rows), 6, "each leaving replica is made again");
}

/// One live replica is the minimum.
#[test]
fn what_no_other_node_holds_is_copied_once() {
    assert_eq!(copies("maintenance", "2", &["0 3", "0 4", "3 6"]), 1);
    assert_eq!(copies("maintenance", "1", &["0", "3", "6"]), 2);
}

/// The two other replicas are in maintenance in one rack. The first copy may go there, and the
/// second goes elsewhere for the rack rule. Replicas in service are then more than required, but
/// not more than the file expects: none is deleted (`getExpectedRedundancyNum`), else the racks
/// would lack again.
#[test]
fn what_was_copied_for_the_racks_stays_while_others_rest() {
    let events =
        [("node-lost", "dn-r2-01"), ("maintenance", "dn-r1-01"), ("maintenance", "dn-r1-02")];
    let sets = [
        ("cluster.racks", "3"),
        ("cluster.nodes_per_rack", "6"),
        ("workload.blocks_on_lost_node", "2000"),
    ];
    // The run's checks know what is still at risk at the end.
    assert!(run(&scenario_with(&events, &sets), 1).unrepaired.is_empty());
}

/// Groups of RS-3-2 in five racks of five nodes. The checks know what is still at risk at the end.
fn groups_after(events: &[(&str, &str)], row: &str) -> SimulationResult {
    groups_where(&[], events, row)
}

/// As `groups_after`, with some nodes in maintenance from the start.
fn groups_where(rest: &[usize], events: &[(&str, &str)], row: &str) -> SimulationResult {
    let sets = [("cluster.racks", "5"), ("cluster.nodes_per_rack", "5")];
    let mut scenario = scenario_with(events, &sets);
    rest.iter().for_each(|node| scenario.cluster.nodes[*node].admin = Admin::InMaintenance);
    let run = run(&with_groups(scenario, (3, 2), 3 << 20, &[row; 40]), 1);
    assert!(run.unrepaired.is_empty());
    run
}

/// A node without blocks, so that the run has an event.
const NOTHING: [(&str, &str); 1] = [("maintenance", "dn-r1-05")];

/// Copies of whole blocks: (from node, to rack).
fn moves(run: &SimulationResult) -> Vec<(usize, usize)> {
    let all = run.trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER);
    let copies = all.filter(|i| i.resource.is_some() && i.peer_resource.is_some());
    let move_ = |i: &Interval| (i.node.expect("a source").at(), i.peer.expect("a target").at() / 5);
    copies.map(move_).collect()
}

/// One internal block in each rack, one of them in maintenance. Another lost one is rebuilt in its
/// own rack, not next to the one in maintenance, from where it would be moved away again.
#[test]
fn what_a_group_lost_is_not_put_beside_what_rests() {
    let rests = ("maintenance", "dn-r3-01");
    let lost = groups_after(&[("node-lost", "dn-r2-01"), rests], "0 5 10 15 20");
    let all = lost.trace.intervals.iter().filter(|i| i.kind == kind::TRANSFER).count();
    assert_eq!((all, moves(&lost).len()), (40 * (3 + 1), 0));
    let left = moves(&groups_after(&[("decommission", "dn-r2-01"), rests], "0 5 10 15 20"));
    assert_eq!(left, [(5, 1); 40], "each once, into the same rack");
}

/// One of two in a rack is in maintenance: the other moves to the empty rack and does not return,
/// as the loss of that rack shows.
#[test]
fn what_lies_beside_one_that_rests_is_moved_once() {
    let moved = groups_where(&[10], &NOTHING, "0 5 10 11 15");
    assert_eq!(moves(&moved), [(11, 4); 40]);
    let again = [&NOTHING[..], &[("rack-lost", "/rack5@3000s")]].concat();
    let run = groups_where(&[10], &again, "0 5 10 11 15");
    let rebuilt =
        run.trace.intervals.iter().filter(|i| i.resource.is_none() && i.peer_resource.is_some());
    assert_eq!(rebuilt.map(|i| i.subject).collect::<BTreeSet<_>>().len(), 40);
}

/// If both are in maintenance none can move: another block is held twice until they return, for the
/// racks.
#[test]
fn what_is_there_twice_for_the_racks_stays() {
    let run = groups_where(&[10, 11], &NOTHING, "0 5 10 11 15");
    assert_eq!(moves(&run), [(0, 4); 40]);
}

/// As in HDFS, a missing block is rebuilt next to one in maintenance if no other rack has a node.
#[test]
fn what_a_group_lost_goes_beside_what_rests_rather_than_nowhere() {
    let sets = [("cluster.racks", "3"), ("cluster.nodes_per_rack", "2")];
    let events = [("node-lost", "dn-r2-01"), ("maintenance", "dn-r3-01")];
    let others = [("maintenance", "dn-r2-02"), ("maintenance", "dn-r1-02")];
    let scenario = scenario_with(&[&events[..], &others].concat(), &sets);
    let run = run(&with_groups(scenario, (2, 1), 2 << 20, &["0 2 4"]), 1);
    let made = run.trace.intervals.iter().find(|i| i.peer_resource.is_some());
    assert_eq!(made.and_then(|i| i.peer), Some(NodeId::of(5)));
}

/// Blocks of a failed disk are gone even if their node is in maintenance.
#[test]
fn a_failed_disk_holds_nothing_at_rest() {
    let events = [("disk-lost", "dn-r1-01/0"), ("maintenance", "dn-r1-01")];
    assert_eq!(copies_after(&events, "3", &["0 3 6", "1 4 7"]), 1);
    let rebuilt = groups_after(&events, "0 5 10 15 20");
    assert!(rebuilt.trace.intervals.iter().any(|i| i.kind == kind::TRANSFER));
}

/// A copy made in this run counts in maintenance like one from the start.
#[test]
fn a_new_copy_rests_too() {
    let events = [("node-lost", "dn-r1-01"), ("maintenance", "dn-r2-02@3000s")];
    let sets = [("cluster.racks", "2"), ("cluster.nodes_per_rack", "2")];
    let run = run(&with_blocks(scenario_with(&events, &sets), &["0 1 2"]), 1);
    assert!(run.unrepaired.is_empty(), "only the fourth node could take it: {:?}", run.unrepaired);
}

/// A rack or node that returns does not affect blocks repaired without it: HDFS does not check them
/// again. The run's checks know what is still at risk at the end.
#[test]
fn what_was_repaired_without_a_rack_is_safe_when_it_is_back() {
    let two = [("cluster.racks", "2"), ("workload.blocks_on_lost_node", "20")];
    let four = [
        ("cluster.racks", "4"),
        ("cluster.nodes_per_rack", "2"),
        ("workload.blocks_on_lost_node", "20"),
        ("workload.redundancy", "RS-3-2-1024k"),
    ];
    let lost = ("rack-lost", "/rack2");
    let back = [("node-back", "dn-r2-01@3000s"), ("node-back", "dn-r2-02@3000s")];
    for sets in [&two[..], &four[..]] {
        let without = recovery_s(&run(&scenario_with(&[lost], sets), 1));
        for returns in [&back[..1], &back[..]] {
            let events: Vec<_> = [lost].into_iter().chain(returns.iter().copied()).collect();
            let run = run(&scenario_with(&events, sets), 1);
            assert!(run.unrepaired.is_empty());
            assert_eq!(recovery_s(&run), without, "{sets:?}, back: {returns:?}")
        }
    }
}
