//! `[workload.balancer]`: the HDFS balancer.
use super::{Event, first_named};
use crate::keys::{self, BALANCER_START, Key};
use cluster::document::Place;
use cluster::sheet::values::Values;
use cluster::{Cluster, NodeId};
use std::collections::BTreeSet;
use units::{Bytes, BytesPerSec, Nanos};

/// The balancer and the settings that only affect its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Balancer {
    pub start: Nanos,
    /// A node within this distance of the mean utilisation is balanced \[percent\].
    pub threshold: f64,
    /// Synthetic cluster: mean utilisation \[percent\]; `None`: the import has capacities.
    pub mean_utilisation: Option<u32>,
    /// Synthetic cluster: the last n nodes of each rack are empty.
    pub new_nodes_per_rack: u32,
    /// `dfs.datanode.balance.bandwidthPerSec`
    pub bandwidth: BytesPerSec,
    /// `dfs.datanode.balance.max.concurrent.moves`
    pub concurrent_moves: u32,
    /// `dfs.balancer.moverThreads`
    pub mover_threads: u32,
    /// `dfs.balancer.max-size-to-move`
    pub max_size_to_move: Bytes,
    /// `dfs.balancer.getBlocks.min-block-size`
    pub min_block_size: Bytes,
    /// `dfs.balancer.max-iteration-time`
    pub max_iteration_time: Nanos,
    /// `dfs.balancer.max-no-move-interval`
    pub max_no_move_interval: Nanos,
}

impl Balancer {
    /// `None`: the balancer does not run.
    pub(super) fn read(v: &Values) -> Option<Balancer> {
        v.find(BALANCER_START)?;
        let own = |name: &str| format!("workload.balancer.{name}");
        let site = |name: &str| format!("hdfs-site.dfs.{name}");
        let threads = |name: &str| v.narrow(&site(name));
        let synthetic = |name: &str| v.find(&own(name)).map(|_| v.narrow(&own(name)));
        Some(Balancer {
            start: v.time(BALANCER_START),
            threshold: v.number(&own("threshold")),
            mean_utilisation: synthetic("mean_utilisation"),
            new_nodes_per_rack: synthetic("new_nodes_per_rack").unwrap_or(0),
            bandwidth: BytesPerSec(v.bytes(&site("datanode.balance.bandwidthPerSec")).0),
            concurrent_moves: threads("datanode.balance.max.concurrent.moves"),
            mover_threads: threads("balancer.moverThreads"),
            max_size_to_move: v.bytes(&site("balancer.max-size-to-move")),
            min_block_size: v.bytes(&site("balancer.getBlocks.min-block-size")),
            max_iteration_time: v.time(&site("balancer.max-iteration-time")),
            max_no_move_interval: v.time(&site("balancer.max-no-move-interval")),
        })
    }

    pub fn new_nodes<'a>(&self, cluster: &'a Cluster) -> impl Iterator<Item = NodeId> + 'a {
        let new = self.new_nodes_per_rack as usize;
        let last = move |nodes: &'a Vec<NodeId>| nodes.iter().rev().take(new).copied();
        cluster.racks.iter().flat_map(move |rack| last(&rack.nodes))
    }
}

/// Reports keys that conflict or have no effect.
pub(super) fn refuse(values: &mut Values, events: &[Event], cluster: &Cluster) {
    if values.find(BALANCER_START).is_none() {
        return refuse_idle(values);
    }
    if values.find("workload.blocks").is_some_and(|slot| slot.text == "concerned") {
        let problem = "\"concerned\" draws only the blocks that events concern, but the balancer \
                       moves any block";
        complain(values, "workload.blocks", problem, "\"all\"")
    }
    if !(1.0..=100.0).contains(&values.number("workload.balancer.threshold")) {
        let problem = values.slot("workload.balancer.threshold").text.clone();
        complain(values, "workload.balancer.threshold", &problem, "percent, from 1 to 100")
    }
    match values.find("cluster.import").is_some() {
        true => refuse_unknown_capacities(values, cluster),
        false => refuse_new_nodes(values, events, cluster),
    }
}

/// Reports keys of a balancer that does not run.
fn refuse_idle(values: &mut Values) {
    let own = |key: &&Key| key.name.starts_with("workload.balancer.");
    let keys = keys::all().filter(own).map(|key| key.name);
    let idle: Vec<&str> = keys.filter(|key| values.find(key).is_some()).collect();
    for key in idle {
        let expected = "`start`, too: workload.balancer.start = \"0s\"";
        complain(values, key, "has no effect without workload.balancer.start", expected)
    }
}

/// The balancer needs capacities to compute utilisation.
fn refuse_unknown_capacities(values: &mut Values, cluster: &Cluster) {
    let unknown = |node: &&cluster::Node| node.alive && node.capacity == Bytes(0);
    if let Some(node) = cluster.nodes.iter().find(unknown) {
        let problem = format!("the import has no capacity of {}", node.host);
        let expected = "an import with `--report FILE`, the output of hdfs dfsadmin -report";
        complain(values, BALANCER_START, &problem, expected)
    }
}

/// Some nodes must hold the blocks, including the node whose blocks are counted.
fn refuse_new_nodes(values: &mut Values, events: &[Event], cluster: &Cluster) {
    const KEY: &str = "workload.balancer.new_nodes_per_rack";
    let new = values.narrow::<u32>(KEY) as usize;
    let smallest = cluster.racks.iter().map(|rack| rack.nodes.len()).min().unwrap_or(0);
    if new >= smallest && new > 0 {
        let problem = format!("{new} of {smallest} nodes per rack");
        return complain(values, KEY, &problem, "fewer than all: the others hold the blocks");
    }
    let joined = cluster.racks.iter().flat_map(|rack| rack.nodes.iter().rev().take(new));
    let joined: BTreeSet<NodeId> = joined.copied().collect();
    refuse_overfull(values, cluster, joined.len());
    if let Some(node) = first_named(events).filter(|node| joined.contains(node)) {
        let host = &cluster.nodes[node.at()].host;
        let problem = format!("{host}, the first node that an event names, is new and empty");
        complain(values, KEY, &problem, "an [[event]] whose first node is not a new one")
    }
}

/// New nodes are empty, so the others hold more than the mean.
fn refuse_overfull(values: &mut Values, cluster: &Cluster, new: usize) {
    let mean = values.count("workload.balancer.mean_utilisation") as f64;
    let (all, old) = (cluster.nodes.len() as f64, (cluster.nodes.len() - new) as f64);
    let full = mean * all / old;
    if full > 100.0 {
        let keys = ["mean_utilisation", "new_nodes_per_rack"];
        let keys = keys.map(|key| format!("workload.balancer.{key}"));
        let (key, _) = values.reported_key(&[&keys[0], &keys[1], "cluster.nodes_per_rack"]);
        let problem = format!(
            "{mean} % on average, with {new} of {all} nodes new and empty: the others would begin \
             {full:.1} % full"
        );
        let expected = format!("at most {}, or fewer new nodes", (100.0 * old / all).floor());
        complain(values, key, &problem, &expected)
    }
}

fn complain(values: &mut Values, key: &str, problem: &str, expected: &str) {
    let place = values.find(key).and_then(|slot| slot.place.clone());
    let place = place.unwrap_or(Place::CommandLine);
    values.problems.push(place.problem(key, problem, expected))
}
