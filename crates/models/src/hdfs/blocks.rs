//! The block map of a run: read by the caller from its file, or drawn here as HDFS would have
//! placed it.
use super::synthesis;
use cluster::{
    BlockMap, Blocks, DiskId, NodeId, Redundancy, Replica, ReplicaState, Scenario, Workload,
};
use policy::{NodeView, View, placement};
use std::sync::Arc;
use units::Bytes;

/// The blocks of a scenario whose map is drawn, synthesised or given.
///
/// A drawn map is `BlockPlacementPolicyDefault` for blocks of writers at random nodes, until the
/// first lost node holds `blocks_on_lost_node`. It depends on the seed and the cluster alone, so
/// that policies are compared on the same map.
///
/// # Errors
/// The map lies in a file (read it with `trace::blocks` and hand it to `simulate`), or cannot be
/// drawn.
pub fn load_blocks(scenario: &Scenario, seed: u64) -> Result<Arc<BlockMap>, String> {
    let map = load_blocks_while(scenario, seed, &|| true)?;
    Ok(map.expect("nothing stops it"))
}

/// As [`load_blocks`], but asks every few blocks whether to go on; `None` if not.
///
/// # Errors
/// As [`load_blocks`].
pub fn load_blocks_while(
    scenario: &Scenario,
    seed: u64,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<Arc<BlockMap>>, String> {
    match &scenario.blocks {
        Blocks::Given(map) => Ok(Some(Arc::new(map.clone()))),
        Blocks::Parquet { path, .. } => {
            Err(format!("{}: to be read by the caller", path.display()))
        }
        Blocks::Synthesised(counted) => {
            Ok(synthesis::draw(scenario, counted, seed, go_on)?.map(Arc::new))
        }
        Blocks::Drawn(workload) => Ok(draw(scenario, workload, seed, go_on)?.map(Arc::new)),
    }
}

/// Blocks between two questions whether to go on.
const ASK_EVERY: u64 = 1024;

fn draw(
    scenario: &Scenario,
    workload: &Workload,
    seed: u64,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<BlockMap>, String> {
    let nodes: Vec<NodeView> =
        scenario.cluster.nodes.iter().map(|n| NodeView::new(n.rack, n.remaining)).collect();
    let racks: Vec<Vec<NodeId>> = scenario.cluster.racks.iter().map(|r| r.nodes.clone()).collect();
    let (load, load_factor, avoid_stale) = ((0, nodes.len() as u32), None, false);
    let view = View { nodes: &nodes, racks: &racks, load_factor, load, avoid_stale, uplinks: &[] };
    let lost = scenario.events.iter().find_map(|event| event.kind.node());
    let replicas = scenario.hdfs.replication.min(nodes.len() as u8);
    if lost.is_none() && workload.blocks_on_lost_node > 0 {
        return Err("workload.blocks_on_lost_node needs an [[event]] that loses a node".into());
    }
    let mut next_disk = vec![0u16; nodes.len()];
    let mut map = BlockMap { first: vec![0], ..BlockMap::default() };
    let mut held = 0;
    let mut number = 0u64;
    while held < workload.blocks_on_lost_node {
        if number.is_multiple_of(ASK_EVERY) && !go_on() {
            return Ok(None);
        }
        let mut dice = engine::Draw::keyed(seed, "placement", number, 0);
        number += 1;
        let writer = NodeId(dice.below(nodes.len() as u64) as u32);
        let placed = placement::place_new_block(
            Some(writer),
            replicas,
            Bytes(workload.block_bytes.0),
            view,
            &mut |n: u64| dice.below(n),
        );
        held += placed.iter().any(|n| Some(*n) == lost) as u32;
        let rows: Vec<Replica> = placed
            .iter()
            .map(|&node| {
                let count = scenario.cluster.nodes[node.at()].disks;
                let count = if count == 0 { scenario.hardware.disks_per_node } else { count };
                let disk = DiskId(next_disk[node.at()] % count.max(1));
                next_disk[node.at()] = (disk.0 + 1) % count.max(1);
                Replica { node, disk, state: ReplicaState::Live, index: 0 }
            })
            .collect();
        let redundancy = Redundancy::Replicated(scenario.hdfs.replication);
        map.push((1 << 30) + number as i64, workload.block_bytes.0, redundancy, &rows)
    }
    Ok(Some(map))
}
