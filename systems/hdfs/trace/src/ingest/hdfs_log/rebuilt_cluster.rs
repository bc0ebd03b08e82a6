//! The cluster and its block map at the first loss.
use super::gaps::Gaps;
use super::log_history::LogHistory;
use super::settings::Settings;
use crate::ingest::hdfs::natural;
use cluster::{Admin, Cluster, DiskId, Node, NodeId, Rack, RackId};
use hdfs_scenario::{BlockMap, Redundancy, Replica, ReplicaState};
use units::{Bytes, u32_of};

/// Rack of nodes without one (`NetworkTopology.DEFAULT_RACK`).
const DEFAULT_RACK: &str = "/default-rack";

/// Logs lack capacities: 12 disks of 8 TB, as for an import without a report.
const CAPACITY: u64 = 12 * 8_000_000_000_000;

/// Times \[ms\].
#[derive(Clone, Copy)]
pub(super) struct Loss {
    pub(super) node: NodeId,
    pub(super) silent: i64,
    pub(super) declared: i64,
    /// A line shows that the node was stopped at `silent`.
    pub(super) seen: bool,
    /// `silent` is only bounded by HDFS's default recheck interval.
    pub(super) assumed: bool,
}

pub(super) struct RebuiltCluster {
    pub(super) cluster: Cluster,
    pub(super) map: BlockMap,
    pub(super) losses: Vec<Loss>,
    /// Indexed by the story's node number.
    pub(super) places: Vec<NodeId>,
    /// Blocks with partly or fully unknown holders.
    pub(super) gaps: Gaps,
}

/// `damaged`: some lines are unreadable.
pub(super) fn rebuild(
    name: &str,
    story: &LogHistory,
    settings: &Settings,
    damaged: bool,
) -> RebuiltCluster {
    let (cluster, places) = number(name, story);
    let mut map = BlockMap { first: vec![0], ..BlockMap::default() };
    let (mut gaps, mut rows) = (Gaps::default(), Vec::new());
    for (id, block) in story.blocks.iter().filter(|(_, block)| !block.is_new) {
        let wanted = block.wanted(settings.replication);
        let holders = gaps.holders(story, *id, block, wanted, damaged);
        if holders.is_empty() {
            continue;
        }
        rows.clear();
        rows.extend(holders.iter().map(|&node| Replica {
            node: places[node as usize],
            disk: DiskId(0),
            state: ReplicaState::Live,
            index: 0,
        }));
        map.push(*id, block.bytes, Redundancy::Replicated(wanted.into()), &rows)
    }
    let mut losses: Vec<Loss> =
        story.dead.iter().map(|&node| loss(story, settings, node, places[node as usize])).collect();
    losses.sort_by_key(|loss| (loss.silent, loss.declared));
    let struck = |replica: &Replica| losses.iter().any(|loss| loss.node == replica.node);
    let empty = !map.replica.iter().any(struck);
    gaps.silent =
        empty && !(story.has_holders && story.dead.iter().all(|n| story.nodes.is_new(*n)));
    RebuiltCluster { cluster, map, losses, places, gaps }
}

/// Sorts racks and nodes in natural order; also returns the new id of each node of the story.
fn number(name: &str, story: &LogHistory) -> (Cluster, Vec<NodeId>) {
    let all = &story.nodes.all;
    let rack = |at: usize| all[at].rack.as_deref().unwrap_or(DEFAULT_RACK);
    let host = |at: usize| all[at].host.as_deref().unwrap_or(&all[at].address);
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_cached_key(|&at| {
        (natural::key(rack(at)), natural::key(host(at)), natural::key(&all[at].address))
    });
    let mut cluster = Cluster { name: name.into(), nodes: Vec::new(), racks: Vec::new() };
    let mut places = vec![NodeId(0); all.len()];
    for at in order {
        let id = NodeId(u32_of(cluster.nodes.len()));
        places[at] = id;
        if cluster.racks.last().is_none_or(|last: &Rack| last.name != rack(at)) {
            cluster.racks.push(Rack { name: rack(at).into(), nodes: Vec::new() })
        }
        let last = cluster.racks.len() - 1;
        cluster.racks[last].nodes.push(id);
        cluster.nodes.push(Node {
            host: host(at).into(),
            address: all[at].address.clone(),
            rack: RackId(u32_of(last)),
            alive: true,
            admin: Admin::InService,
            capacity: Bytes(CAPACITY),
            remaining: Bytes(CAPACITY),
            xceivers: 0,
            disks: u16::try_from(all[at].storages.len()).unwrap_or(u16::MAX).min(1_000),
        })
    }
    (cluster, places)
}

/// A node's loss is between its last activity and the latest time allowed by the timeout: logs have
/// no heartbeats.
fn loss(story: &LogHistory, settings: &Settings, node: u32, place: NodeId) -> Loss {
    let of = &story.nodes.all[node as usize];
    let declared = of.dead.unwrap_or_default();
    let earliest = declared - (3 * settings.recheck + 10 * settings.heartbeat);
    let silent = of.stopped.unwrap_or(of.last_activity.unwrap_or(earliest).max(earliest));
    let seen = of.stopped.is_some();
    let recheck = "dfs.namenode.heartbeat.recheck-interval";
    let assumed = !seen && silent == earliest && settings.assumes(recheck);
    Loss { node: place, silent: silent.min(declared), declared, seen, assumed }
}
