//! Sources that are chosen before the first copy starts (`policy.sources_chosen = "before"`).
use super::world::{run, scenario, unexplained, with_events};
use engine::Nanos;
use hdfs_model::hdfs::SimulationResult;
use hdfs_policy::rereplication::registry;
use hdfs_scenario::Scenario;
use hdfs_trace::{Interval, block, kind};
use std::collections::{BTreeMap, BTreeSet};

const BLOCKS: usize = 60;

fn sets<'a>(racks: &'a str, policy: &'a str, streams: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("cluster.racks", racks),
        ("workload.blocks_on_lost_node", "60"),
        ("policy.pacing", "event-driven"),
        ("policy.sources_chosen", "before"),
        ("policy.rereplication", policy),
        ("policy.streams_per_source", streams),
    ]
}

fn copies(result: &SimulationResult) -> impl Iterator<Item = &Interval> {
    result.trace.intervals.iter().filter(|row| row.kind == kind::TRANSFER)
}

/// (block, source, target) of each copy.
fn decisions(result: &SimulationResult) -> BTreeSet<(i64, usize, usize)> {
    let row = |row: &Interval| {
        let (source, target) = ends(row);
        (block(&result.trace, row).expect("a block"), source, target)
    };
    copies(result).map(row).collect()
}

fn ends(row: &Interval) -> (usize, usize) {
    (row.node.expect("a source").at(), row.peer.expect("a target").at())
}

/// The most copies that one node sends at a time.
fn most_streams(result: &SimulationResult) -> usize {
    let mut moments: BTreeMap<usize, Vec<(Nanos, bool)>> = BTreeMap::new();
    for row in copies(result) {
        let of_node = moments.entry(ends(row).0).or_default();
        // Ends sort before starts.
        of_node.extend([(row.start, true), (row.end, false)])
    }
    let of_node = |mut moments: Vec<(Nanos, bool)>| {
        moments.sort_unstable();
        let now = moments.iter().scan(0, |now, (_, starts)| {
            *now = if *starts { *now + 1 } else { *now - 1 };
            Some(*now)
        });
        now.max().unwrap_or(0)
    };
    moments.into_values().map(of_node).max().unwrap_or(0)
}

/// Each block is repaired once, within the limit of streams, and the number of streams decides
/// nothing. (`inter-rack` counts copies by the number of streams that its sources have.)
#[test]
fn decisions_do_not_depend_on_streams() {
    for policy in registry::all().iter().map(|policy| policy.name()) {
        for racks in ["1", "2"] {
            let runs = ["1", "3"].map(|streams| {
                let result = run(&scenario(&sets(racks, policy, streams)), 1);
                let decisions = decisions(&result);
                assert_eq!(
                    (copies(&result).count(), decisions.len()),
                    (BLOCKS, BLOCKS),
                    "{policy}"
                );
                let blocks: BTreeSet<i64> = decisions.iter().map(|(block, ..)| *block).collect();
                assert_eq!(blocks.len(), BLOCKS, "{policy}: a block is repaired once");
                assert!(most_streams(&result) <= streams.parse().unwrap(), "{policy}");
                assert_eq!(result.unrepaired, [], "{policy}");
                decisions
            });
            if (policy, racks) != ("inter-rack", "2") {
                assert_eq!(runs[0], runs[1], "{policy}, {racks} racks")
            }
        }
    }
}

/// A list has all copies between racks first.
#[test]
fn priority_orders_each_list() {
    let scenario = scenario(&sets("2", "ring-priority", "1"));
    let rack = |node: usize| scenario.cluster.nodes[node].rack;
    let result = run(&scenario, 1);
    let mut lists: BTreeMap<usize, Vec<(Nanos, bool)>> = BTreeMap::new();
    for row in copies(&result) {
        let (from, to) = ends(row);
        lists.entry(from).or_default().push((row.start, rack(from) == rack(to)))
    }
    for list in lists.values_mut() {
        list.sort_unstable();
        assert!(list.is_sorted_by_key(|(_, stays)| *stays), "{list:?}")
    }
    let mixed = |list: &&Vec<(Nanos, bool)>| !list[0].1 && list[list.len() - 1].1;
    assert!(lists.values().filter(mixed).count() > 2, "lists have copies of both kinds")
}

/// A later fault takes copies from the lists; the invariants of every run hold.
#[test]
fn a_fault_changes_the_lists() {
    let event = |kind: &str, target: &str| {
        format!("[[event]]\nat = \"4s\"\nkind = \"{kind}\"\ntarget = \"{target}\"\n")
    };
    let faults = [
        event("node-lost", "dn-r1-02"),
        event("disk-lost", "dn-r1-03/0"),
        event("decommission", "dn-r1-04"),
        event("node-back", "dn-r1-01"),
        event("node-lost", "dn-r1-02") + &event("node-back", "dn-r1-02").replace("4s", "6s"),
    ];
    for policy in registry::all().iter().map(|policy| policy.name()) {
        for fault in &faults {
            let scenario: Scenario = with_events(fault, &sets("2", policy, "2"));
            let result = run(&scenario, 2);
            assert_eq!(unexplained(&result), [""; 0], "{policy}: {fault}");
            assert_eq!(result.unrepaired, [], "{policy}: {fault}");
            assert!(most_streams(&result) <= 2, "{policy}: {fault}")
        }
    }
}
