//! Blocks that cannot be complete do not spoil the result: more replicas than nodes, leaving racks.
use super::world::{BASE, about, recovery_s, run, with_blocks, with_groups};
use hdfs_scenario::{Blocks, Redundancy, Scenario};

/// These nodes leave or are lost, in a cluster of `racks` of `nodes`.
fn scenario(kind: &str, targets: &[&str], racks: &str, nodes: &str) -> Scenario {
    let event = |target: &&str| {
        format!("[[event]]\nat = \"0s\"\nkind = \"{kind}\"\ntarget = \"{target}\"\n")
    };
    let events: String = targets.iter().map(event).collect();
    let head = BASE.split("[[event]]").next().expect("before the event");
    let tail = BASE.split("[run]").nth(1).expect("behind it");
    let sets = [("cluster.racks", racks), ("cluster.nodes_per_rack", nodes)];
    let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
    Scenario::from_str(&format!("{head}{events}[run]{tail}"), "x.toml", &sets).expect("a scenario")
}

/// The first block's file expects `replicas`.
fn first_wants(mut scenario: Scenario, replicas: u16) -> Scenario {
    let Blocks::Given(map) = &mut scenario.blocks else { panic!("blocks by hand") };
    map.redundancy[0] = Redundancy::Replicated(replicas);
    scenario
}

/// Ten replicas on four nodes: the others are repaired, and the repair ends.
#[test]
fn a_block_that_wants_more_than_there_are_nodes_keeps_no_repair_from_ending() {
    for kind in ["node-lost", "decommission"] {
        let rows = ["0 1 2 3", "0 1 2", "1 2 3"];
        let four = with_blocks(scenario(kind, &["dn-r1-01"], "1", "4"), &rows);
        let run = run(&first_wants(four, 10), 1);
        assert!(recovery_s(&run) > 0.0, "{kind}");
        assert_eq!(about(&run, "blocks_beyond_nodes"), Some(1.0));
        assert_eq!(run.unrepaired.len(), 1, "{kind}: HDFS goes on wanting it");
    }
}

/// `dfs.replication` = 3 live replicas let a node leave, though the file expects four.
#[test]
fn a_decommission_is_content_with_the_default_replication() {
    let rows = ["0 1 2 3", "1 2 3"];
    let four = with_blocks(scenario("decommission", &["dn-r1-01"], "1", "4"), &rows);
    let run = run(&first_wants(four, 4), 1);
    assert_eq!((recovery_s(&run), about(&run, "blocks_beyond_nodes")), (0.0, Some(1.0)));
}

/// Four replicas were on four nodes, of which three are left: the other block is repaired. If all
/// files expect `dfs.replication` and too few nodes are left, the cluster stays at risk.
#[test]
fn a_loss_may_put_replicas_out_of_reach() {
    let lost = |nodes: &str, rows: &[&str], first: u16| {
        let lost = with_blocks(scenario("node-lost", &["dn-r1-01"], "1", nodes), rows);
        run(&first_wants(lost, first), 1)
    };
    let four = lost("4", &["0 1 2 3", "0 1 2"], 4);
    assert!(recovery_s(&four) > 0.0);
    assert_eq!((about(&four, "blocks_beyond_nodes"), four.unrepaired.len()), (Some(1.0), 1));
    let three = lost("3", &["0 1 2", "0 1 2"], 3);
    assert_eq!((about(&three, "redundant_s"), three.unrepaired.len()), (None, 2));
}

/// HDFS-16456: a rack of leaving nodes does not count for the rack rule, so that its nodes can
/// leave.
#[test]
fn a_whole_rack_can_be_decommissioned() {
    let rack = ["dn-r1-01", "dn-r1-02", "dn-r1-03"];
    let two = with_blocks(scenario("decommission", &rack, "2", "3"), &["0 3 4", "1 2 3", "2 4 5"]);
    let run = run(&two, 1);
    assert!(recovery_s(&run) > 0.0 && run.unrepaired.is_empty(), "{:?}", run.unrepaired);
    let five = scenario("decommission", &rack, "5", "3");
    let groups = with_groups(five, (3, 2), 192_000_000, &["0 3 6 9 12", "4 1 7 10 13"]);
    let run = super::world::run(&groups, 1);
    assert!(recovery_s(&run) > 0.0 && run.unrepaired.is_empty(), "{:?}", run.unrepaired);
}
