//! A block map that no input lists, drawn to match what each node holds.
//!
//! A NameNode's JMX counts every node's replicas and their bytes, and does not say of which blocks
//! they are. So blocks are placed as `BlockPlacementPolicyDefault` places them, with writers where
//! nodes hold more than their share (a writer's node gets the first replica); then replicas move,
//! as the balancer moves them, from nodes that got too many to nodes that got too few; then lengths
//! are fitted.
//!
//! *What holds in the end*: each node's number of replicas exactly, wherever that is possible (no
//! node holds more than there are blocks); each node's bytes within 1 % where lengths up to
//! `dfs.blocksize` allow it; no block twice on a node; HDFS's rack rule but for what cannot be met.
//!
//! *A map of more than [`Synthesis::WHOLE`] replicas* is not drawn whole where events concern few
//! of its blocks ([`concerned`]): those alone are drawn, and the nodes that events name hold what
//! they should. The others change nothing but free space, which the cluster file has.
//!
//! *What it takes*: the map, 8 bytes a replica and 21 a block, and some words a node.
mod concerned;
mod level;
mod place;
mod plan;
mod sizes;
mod writers;

use cluster::{Admin, DiskId};
use hdfs_scenario::{BlockMap, ReplicaState, Scenario, Synthesis};
use plan::Plan;

/// Draws the map, or `None` when `go_on` says no; it depends on the seed, the cluster and what its
/// nodes hold alone, so that policies and settings are compared on the same map.
///
/// # Errors
/// Blocks are counted and no node holds any.
pub fn draw(
    scenario: &Scenario,
    synthesis: &Synthesis,
    seed: u64,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<BlockMap>, String> {
    let plan = Plan::new(synthesis, scenario.hdfs.replication);
    if synthesis.blocks + synthesis.groups > 0 && plan.holders == 0 {
        return Err("the cluster file counts blocks, and no node of it holds any".into());
    }
    let named = scenario.concerned();
    let map = match &named {
        Some(nodes) => concerned::place(scenario, synthesis, &plan, nodes, seed, go_on),
        None => whole(scenario, synthesis, &plan, seed, go_on),
    };
    let Some(mut map) = map.filter(|_| go_on()) else { return Ok(None) };
    let targets = sizes::targets(&synthesis.held, named.as_deref());
    sizes::fit(&mut map, &synthesis.held, &targets, scenario.hdfs.blocksize.0, seed);
    settle(&mut map, scenario);
    Ok(Some(map))
}

/// All blocks, without lengths.
fn whole(
    scenario: &Scenario,
    synthesis: &Synthesis,
    plan: &Plan,
    seed: u64,
    go_on: &dyn Fn() -> bool,
) -> Option<BlockMap> {
    let racks: Vec<u32> = scenario.cluster.nodes.iter().map(|n| n.rack.0).collect();
    let mut map = place::place(&scenario.cluster, synthesis, plan, seed, go_on)?;
    level::level(&mut map, &synthesis.held, &racks, seed);
    Some(map)
}

/// A node's replicas are dealt out to its disks in turn, and count as its operator's wish says.
fn settle(map: &mut BlockMap, scenario: &Scenario) {
    let nodes = &scenario.cluster.nodes;
    let mut next_disk = vec![0u16; nodes.len()];
    for replica in &mut map.replica {
        let node = &nodes[replica.node.at()];
        let told = if node.disks == 0 { scenario.hardware.disks_per_node } else { node.disks };
        let next = &mut next_disk[replica.node.at()];
        replica.disk = DiskId(*next);
        *next = (*next + 1) % told.max(1);
        replica.state = state(node.admin)
    }
}

/// How replicas of a node count by its operator's wish.
fn state(admin: Admin) -> ReplicaState {
    match admin {
        Admin::InService => ReplicaState::Live,
        Admin::Decommissioning => ReplicaState::Decommissioning,
        Admin::Decommissioned => ReplicaState::Decommissioned,
        Admin::EnteringMaintenance => ReplicaState::EnteringMaintenance,
        Admin::InMaintenance => ReplicaState::InMaintenance,
    }
}
