//! Nodes that rest: what they hold cannot be counted on, but is still there.
use crate::world::{BASE, run, with_blocks};
use cluster::Scenario;
use trace::IntervalKind;

/// Copies that are made where `dn-r1-01` and `dn-r2-01` leave: nodes 0 and 3.
fn copies(kind: &str, replication: &str, rows: &[&str]) -> usize {
    copies_after(&[(kind, "dn-r1-01"), (kind, "dn-r2-01")], replication, rows)
}

/// Copies that are made after these things have happened, in racks of three nodes.
fn copies_after(events: &[(&str, &str)], replication: &str, rows: &[&str]) -> usize {
    let sets = [
        ("cluster.racks", "3"),
        ("cluster.nodes_per_rack", "3"),
        ("hdfs-site.dfs.replication", replication),
    ];
    let run = run(&with_blocks(scenario_with(events, &sets), rows), 1);
    assert!(run.unrepaired.is_empty());
    run.trace.intervals.iter().filter(|i| i.kind == IntervalKind::Transfer).count()
}

fn scenario_with(events: &[(&str, &str)], sets: &[(&str, &str)]) -> Scenario {
    let event = |(kind, target): &(&str, &str)| {
        format!("[[event]]\nat = \"0s\"\nkind = \"{kind}\"\ntarget = \"{target}\"\n")
    };
    let events: String = events.iter().map(event).collect();
    let head = BASE.split("[[event]]").next().expect("before the event");
    let tail = BASE.split("[run]").nth(1).expect("behind it");
    let text = format!("{head}{events}[run]{tail}");
    let sets: Vec<_> = sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    Scenario::from_str(&text, "x.toml", &sets).expect("a scenario")
}

/// A node in maintenance counts for the racks (`getBlockPlacementStatus`): what is left in one rack
/// is not copied to another one, nor what has one live replica.
#[test]
fn what_rests_counts_for_the_racks() {
    let rows = ["0 4 5", "3 1 2", "0 3 4", "0 3 6"];
    assert_eq!(copies("maintenance", "3", &rows), 0);
    assert_eq!(copies("decommission", "3", &rows), 6, "each leaving replica is made anew");
}

/// One live replica is the least.
#[test]
fn what_no_other_node_holds_is_copied_once() {
    assert_eq!(copies("maintenance", "2", &["0 3", "0 4", "3 6"]), 1);
    assert_eq!(copies("maintenance", "1", &["0", "3", "6"]), 2);
}

/// Where the two others rest in one rack, the first copy may go there, and the second goes
/// elsewhere for the racks. That is more than must be in service meanwhile, but not more than the
/// file wants: none is taken away (`getExpectedRedundancyNum`), or the racks would be short again.
#[test]
fn what_was_copied_for_the_racks_stays_while_others_rest() {
    let events =
        [("node-lost", "dn-r2-01"), ("maintenance", "dn-r1-01"), ("maintenance", "dn-r1-02")];
    let sets = [
        ("cluster.racks", "3"),
        ("cluster.nodes_per_rack", "6"),
        ("workload.blocks_on_lost_node", "2000"),
    ];
    // The checks know what is still short at the end.
    assert!(run(&scenario_with(&events, &sets), 1).unrepaired.is_empty());
}
