//! Copies through pipelines of several nodes.
use super::world::{run, with_events};
use hdfs_trace::{Cause, Interval, NodeId, kind};
use std::collections::BTreeMap;

/// Blocks lose the replicas of a rack; then every link into or out of another one is slow.
const LOST: &str = "[[event]]\nat = \"0s\"\nkind = \"rack-lost\"\ntarget = \"/rack2\"\n\
                    [[event]]\nat = \"600s\"\nkind = \"slow-link\"\ntarget = \"/rack3\"\n\
                    rate = \"1MB/s\"\n";

/// A resource of one copy holds up the whole pipeline: within a rack nothing is slow. The run is
/// cut, so no copy reports where its chunks spent their time.
#[test]
fn a_slow_place_holds_all_of_a_pipeline() {
    let sets = [
        ("model.sharing", "queue"),
        ("cluster.racks", "3"),
        ("workload.blocks_on_lost_node", "20"),
        ("run.until", "960s"),
    ];
    let run = run(&with_events(LOST, &sets), 1);
    let rows = &run.trace.intervals;
    let cut = |row: &&Interval| row.kind == kind::TRANSFER && row.end.as_secs() >= 960.0;
    let mut of_block = BTreeMap::<_, Vec<&Interval>>::new();
    for copy in rows.iter().filter(cut) {
        of_block.entry(copy.subject).or_default().push(copy)
    }
    let rack = |node: Option<NodeId>| node.map(|node| run.trace.nodes[node.at()].rack);
    let name = |copy: &&Interval| match copy.cause {
        Cause::Resource(r) => run.trace.resources[r.at()].name.clone(),
        other => format!("{other:?}"),
    };
    let pipelines: Vec<_> = of_block.values().filter(|hops| hops.len() > 1).collect();
    assert!(pipelines.iter().any(|hops| rack(hops[0].node) == rack(hops[0].peer)));
    for hops in pipelines {
        let names: Vec<String> = hops.iter().map(name).collect();
        assert!(names.iter().all(|name| name.starts_with("/rack3 uplink")), "{names:?}");
    }
}
