//! Where blocks lie: what was given to whom tells some of it, the rest is drawn.
use super::dice::Dice;
use super::done_task::DoneTask;
use crate::settings::Settings;
use std::collections::{BTreeMap, BTreeSet};

/// Node and disk of each replica of a block.
pub(super) type Replicas = Vec<(u32, u32)>;

/// By job and number of the map.
pub(super) fn blocks(
    settings: &Settings,
    all: &[DoneTask],
    dice: Dice,
) -> BTreeMap<(u32, u32), Replicas> {
    let mut jobs: BTreeMap<u32, Vec<&DoneTask>> = BTreeMap::new();
    for did in all.iter().filter(|did| did.map) {
        jobs.entry(did.job).or_default().push(did)
    }
    let mut found = BTreeMap::new();
    for (job, mut maps) in jobs {
        maps.sort_by_key(|did| (did.started_at, did.node, !did.local, did.task));
        for (map, not_on) in maps.iter().zip(not_on(&maps)) {
            found.insert((job, map.task), replicas(settings, map, &not_on, dice));
        }
    }
    found
}

/// Nodes without a replica of each map, with the maps in order of assignment. A node gets the first
/// waiting map with a local block: it had no block of the maps before it. A node that got a remote
/// map had no block of any waiting map.
fn not_on(maps: &[&DoneTask]) -> Vec<BTreeSet<u32>> {
    let mut found = vec![BTreeSet::new(); maps.len()];
    for (place, given) in maps.iter().enumerate() {
        for (waiting, not_on) in maps.iter().zip(&mut found).skip(place) {
            if !given.local || waiting.task < given.task {
                not_on.insert(given.node);
            }
        }
    }
    found
}

/// Includes the node of a map that was data-local; prefers nodes that may have a replica.
fn replicas(settings: &Settings, did: &DoneTask, not_on: &BTreeSet<u32>, dice: Dice) -> Replicas {
    let mut draw = dice.block(did.job, did.task);
    let mut nodes: Vec<u32> = (0..settings.nodes).collect();
    draw.shuffle(&mut nodes);
    nodes.sort_by_key(|node| (!(did.local && *node == did.node), not_on.contains(node)));
    nodes.truncate(units::usize_of(settings.replication.min(settings.nodes).into()));
    let disks = &settings.resources.disks;
    let mut disk = |node: u32| units::narrow(draw.below(disks[node as usize].into()));
    nodes.into_iter().map(|node| (node, disk(node))).collect()
}
