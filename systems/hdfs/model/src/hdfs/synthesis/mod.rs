//! Draws a block map that matches what each node holds.
//!
//! A NameNode's JMX counts replicas and bytes per node, not per block. So blocks are placed as by
//! `BlockPlacementPolicyDefault`, with writers on nodes that hold more than their share (the
//! writer's node gets the first replica). Replicas then move as the balancer moves them, from nodes
//! with too many to nodes with too few. Last, lengths are fitted.
//!
//! *Result*: each node's number of replicas is exact wherever possible (no node holds more than
//! there are blocks). Each node's bytes are within 1 % if lengths up to `dfs.blocksize` allow it.
//! No block is twice on a node, and HDFS's rack rule holds unless the counts forbid it.
//!
//! *Maps above [`Synthesis::WHOLE`] replicas*: if events concern few blocks, only these are drawn
//! ([`concerned`]), and the named nodes hold their numbers. Other blocks affect only free space,
//! which the cluster file has.
//!
//! *Memory*: 8 bytes a replica, 21 a block, and some words a node.
mod concerned;
mod level;
mod place;
mod plan;
mod sizes;
mod writers;

use cluster::{Admin, DiskId};
use hdfs_scenario::{BlockMap, ReplicaState, Scenario, Synthesis};
use plan::Plan;

/// Draws the map; `None` if `go_on` returned false. It depends only on the seed, the cluster and
/// what its nodes hold, so that policies and settings are compared on the same map.
///
/// # Errors
/// If blocks are counted but no node holds any.
pub fn draw(
    scenario: &Scenario,
    synthesis: &Synthesis,
    seed: u64,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<BlockMap>, String> {
    let plan = Plan::new(synthesis, scenario.hdfs.replication);
    if synthesis.blocks + synthesis.groups > 0 && plan.holders == 0 {
        return Err("the cluster file counts blocks, but none of its nodes holds any".into());
    }
    let named = scenario.concerned();
    let map = match &named {
        Some(nodes) => concerned::place(scenario, synthesis, &plan, nodes, seed, go_on),
        None => draw_all(scenario, synthesis, &plan, seed, go_on),
    };
    let Some(mut map) = map.filter(|_| go_on()) else { return Ok(None) };
    let targets = sizes::targets(&synthesis.held, named.as_deref());
    sizes::fit(&mut map, &synthesis.held, &targets, scenario.hdfs.blocksize.0, seed);
    settle(&mut map, scenario);
    Ok(Some(map))
}

/// All blocks, without lengths.
fn draw_all(
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

/// Assigns a node's replicas to its disks round-robin, and their state by the node's admin state.
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

fn state(admin: Admin) -> ReplicaState {
    match admin {
        Admin::InService => ReplicaState::Live,
        Admin::Decommissioning => ReplicaState::Decommissioning,
        Admin::Decommissioned => ReplicaState::Decommissioned,
        Admin::EnteringMaintenance => ReplicaState::EnteringMaintenance,
        Admin::InMaintenance => ReplicaState::InMaintenance,
    }
}
