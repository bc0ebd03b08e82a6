//! Timelines as text, one file a case, for reviewers. `TENBIN_BLESS=1 cargo test -p hdfs-model`
//! rewrites them: review the difference.
use super::world::{run, scenario, two_lost, with_blocks};
use hdfs_model::hdfs::SimulationResult;
use hdfs_scenario::Scenario;
use hdfs_trace::{Cause, Interval, NodeId, Trace, block, kind};
use std::fmt::Write;

fn cause(trace: &Trace, interval: &Interval) -> String {
    match interval.cause {
        Cause::Unexplained => "?".into(),
        Cause::Resource(r) => trace.resources[r.at()].name.clone(),
        Cause::Setting(s) => {
            let row = &trace.settings[s.at()];
            format!("{} = {}", row.key, row.value)
        }
        Cause::Shortage(s) => format!("{} = {}", trace.lacks[s.at()].name, trace.lacks[s.at()].why),
        Cause::Interval(i) => format!("#{}", i.at()),
        Cause::Phase => "phase".into(),
    }
}

fn line(trace: &Trace, id: usize, i: &Interval) -> String {
    let name = |n: NodeId| trace.nodes[n.at()].name.clone();
    let who = match (i.node, i.peer) {
        (Some(a), Some(b)) => format!("{} > {}", name(a), name(b)),
        (Some(a), None) => name(a),
        _ => String::new(),
    };
    let block = block(trace, i).map_or(String::new(), |b| format!("blk {b}"));
    let kind = &trace.interval_kind(i.kind).name;
    let (from, to) = (i.start.as_secs(), i.end.as_secs());
    let drawn = format!("#{id:<3} {from:>9.3} .. {to:>9.3}  {kind:<9} {block:<8} {who:<20}");
    format!("{drawn} {}", cause(trace, i))
}

fn draw(scenario: &Scenario) -> String {
    let run: SimulationResult = run(scenario, 1);
    let trace = &run.trace;
    let mut text = String::new();
    let shown = |i: &Interval| i.kind != kind::REPORT && i.end.0 - i.start.0 > 1_000_000;
    for (id, i) in trace.intervals.iter().enumerate().filter(|(_, i)| shown(i)) {
        writeln!(text, "{}", line(trace, id, i).trim_end()).expect("text")
    }
    for c in &trace.counters {
        let (name, value) = (&trace.counter_names[c.counter.at()].name, c.value.expect("it"));
        writeln!(text, "     {:>9.3}  {name} = {value}", c.at.as_secs()).expect("text")
    }
    for (block, reason) in &run.unrepaired {
        let id = match &scenario.blocks {
            hdfs_scenario::Blocks::Given(map) => map.id[block.at()],
            _ => block.0 as i64,
        };
        writeln!(text, "     blk {id} is still short: {reason:?}").expect("text")
    }
    text
}

fn check(name: &str, scenario: &Scenario) {
    let file = format!("{}/tests/hdfs/golden/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let drawn = draw(scenario);
    if std::env::var_os("TENBIN_BLESS").is_some() {
        std::fs::write(&file, &drawn).expect("the golden file is written")
    }
    let wanted = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(drawn == wanted, "{name}: drawn now\n{drawn}\nbut {file} says\n{wanted}")
}

/// Five blocks of a lost node, three of them held by the same two nodes.
const FIVE: [&str; 5] = ["0 1 2", "0 1 2", "0 1 2", "3 0 4", "5 0 1"];

const MULTIPLIER: &str = "hdfs-site.dfs.namenode.replication.work.multiplier.per.iteration";
const STREAMS: &str = "hdfs-site.dfs.namenode.replication.max-streams";

#[test]
fn rounds_of_hadoop_3() {
    check("hdfs3", &with_blocks(scenario(&[]), &FIVE))
}

#[test]
fn one_stream_makes_the_third_copy_of_a_pair_wait() {
    check("hdfs3-one-stream", &with_blocks(scenario(&[(STREAMS, "1"), (MULTIPLIER, "9")]), &FIVE))
}

#[test]
fn rounds_of_hadoop_1() {
    check("hdfs1", &with_blocks(scenario(&[("policy.pacing", "hdfs1")]), &FIVE))
}

#[test]
fn event_by_event() {
    let sets = [("policy.pacing", "event-driven"), ("policy.streams_per_source", "1")];
    check("event-driven", &with_blocks(scenario(&sets), &FIVE))
}

/// A node that has just received a block sends it on at once.
#[test]
fn event_by_event_a_target_sends_on() {
    let sets = [("policy.pacing", "event-driven"), ("policy.streams_per_source", "1")];
    check("event-driven-on", &with_blocks(two_lost(&sets), &["0 1 2"; 3]))
}

#[test]
fn on_the_ring() {
    let sets = [("policy.pacing", "event-driven"), ("policy.rereplication", "ring")];
    check("ring", &with_blocks(scenario(&sets), &FIVE))
}

/// The NICs are slower than the disks: the first NIC limits the pipeline.
#[test]
fn two_copies_of_a_block_go_down_one_pipeline() {
    let blocks = ["0 1 2", "0 3 4", "1 0 5"];
    let nic = ("hardware.nic", "40MB/s");
    check("pipeline", &with_blocks(two_lost(&[nic]), &blocks));
    check("pipeline-queue", &with_blocks(two_lost(&[nic, ("model.sharing", "queue")]), &blocks))
}

#[test]
fn fewer_live_nodes_than_replicas() {
    let three = scenario(&[("cluster.nodes_per_rack", "3")]);
    check("too-few-nodes", &with_blocks(three, &["0 1 2", "1 0 2"]))
}

#[test]
fn the_last_replica_is_lost() {
    check("block-lost", &with_blocks(scenario(&[]), &["0", "0 1 2"]))
}
