//! Queue and fluid sharing model the same thing: they agree within 2 %.
use super::world::{recovery_s, run, scenario};

fn compare(sets: &[(&str, &str)]) {
    let with = |sharing| {
        let mut sets = sets.to_vec();
        sets.push(("model.sharing", sharing));
        let runs = (1..=8).map(|seed| recovery_s(&run(&scenario(&sets), seed)));
        runs.sum::<f64>() / 8.0
    };
    let (fluid, queue) = (with("fluid"), with("queue"));
    let off = (queue / fluid - 1.0).abs();
    assert!(off < 0.02, "{sets:?}: fluid {fluid} s, queue {queue} s");
}

const EVENTS: (&str, &str) = ("policy.pacing", "event-driven");

#[test]
fn disks_limit() {
    compare(&[EVENTS, ("workload.blocks_on_lost_node", "150")])
}

#[test]
fn nics_limit() {
    compare(&[EVENTS, ("workload.blocks_on_lost_node", "150"), ("hardware.nic", "40MB/s")])
}

#[test]
fn one_link_between_two_racks_limits() {
    let link = [("hardware.inter_rack", "50MB/s"), ("hardware.inter_rack_kind", "one-link")];
    compare(&[
        EVENTS,
        ("cluster.racks", "2"),
        ("workload.blocks_on_lost_node", "80"),
        link[0],
        link[1],
    ])
}

#[test]
fn uplinks_limit() {
    let link = ("hardware.inter_rack", "60MB/s");
    compare(&[EVENTS, ("cluster.racks", "3"), ("workload.blocks_on_lost_node", "80"), link])
}

#[test]
fn the_namenode_limits() {
    compare(&[("workload.blocks_on_lost_node", "100"), ("cluster.nodes_per_rack", "9")])
}

#[test]
fn rings_too() {
    compare(&[EVENTS, ("policy.rereplication", "ring"), ("workload.blocks_on_lost_node", "150")])
}

/// Groups with more nodes than internal blocks, on two racks.
#[test]
fn groups_too() {
    compare(&[
        ("cluster.racks", "2"),
        ("cluster.nodes_per_rack", "8"),
        ("workload.redundancy", "RS-6-3-1024k"),
        ("workload.blocks_on_lost_node", "40"),
        ("hardware.disk", "40MB/s"),
    ])
}
