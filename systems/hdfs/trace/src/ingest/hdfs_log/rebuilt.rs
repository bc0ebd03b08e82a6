//! The cluster and its block map at the moment of the first loss, as the logs tell them.
use super::gaps::Gaps;
use super::settings::Settings;
use super::story::Story;
use crate::ingest::hdfs::natural;
use cluster::{Admin, Cluster, DiskId, Node, NodeId, Rack, RackId};
use hdfs_scenario::{BlockMap, Redundancy, Replica, ReplicaState};
use units::{Bytes, u32_of};

/// The rack of nodes without one (`NetworkTopology.DEFAULT_RACK`).
const DEFAULT_RACK: &str = "/default-rack";

/// No log tells a node's space: as an import without a report, 12 disks of 8 TB.
const CAPACITY: u64 = 12 * 8_000_000_000_000;

/// A loss: who, since when silent, when declared \[ms\].
#[derive(Clone, Copy)]
pub(super) struct Loss {
    pub(super) node: NodeId,
    pub(super) silent: i64,
    pub(super) declared: i64,
    /// A line says that it was stopped then.
    pub(super) seen: bool,
    /// Nothing does, and how late it can have been is HDFS's default.
    pub(super) assumed: bool,
}

pub(super) struct Rebuilt {
    pub(super) cluster: Cluster,
    pub(super) map: BlockMap,
    /// In the order of time.
    pub(super) losses: Vec<Loss>,
    /// By the number that the story gives a node.
    pub(super) places: Vec<NodeId>,
    /// Blocks whose holders lines tell in part, or not at all.
    pub(super) gaps: Gaps,
}

/// Rebuilds them; `damaged` if there are lines that nobody can read.
pub(super) fn rebuild(name: &str, story: &Story, settings: &Settings, damaged: bool) -> Rebuilt {
    let (cluster, places) = number(name, story);
    let mut map = BlockMap { first: vec![0], ..BlockMap::default() };
    let (mut gaps, mut rows) = (Gaps::default(), Vec::new());
    for (id, block) in story.blocks.iter().filter(|(_, block)| !block.young) {
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
        empty && !(story.holders_told && story.dead.iter().all(|n| story.nodes.is_new(*n)));
    Rebuilt { cluster, map, losses, places, gaps }
}

/// Racks and nodes in natural order; the place of each node of the story.
fn number(name: &str, story: &Story) -> (Cluster, Vec<NodeId>) {
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

/// A node falls silent between its last sign and the time by which it must have: logs do not have
/// the heartbeats.
fn loss(story: &Story, settings: &Settings, node: u32, place: NodeId) -> Loss {
    let of = &story.nodes.all[node as usize];
    let declared = of.dead.unwrap_or_default();
    let earliest = declared - (3 * settings.recheck + 10 * settings.heartbeat);
    let silent = of.stopped.unwrap_or(of.sign.unwrap_or(earliest).max(earliest));
    let seen = of.stopped.is_some();
    let recheck = "dfs.namenode.heartbeat.recheck-interval";
    let assumed = !seen && silent == earliest && settings.assumes(recheck);
    Loss { node: place, silent: silent.min(declared), declared, seen, assumed }
}
