//! Blocks placed by `BlockPlacementPolicyDefault`, and groups on nodes drawn by what they hold.
use super::plan::Plan;
use super::writers::Writers;
use cluster::{BlockMap, Cluster, DiskId, NodeId, Redundancy, Replica, ReplicaState, Synthesis};
use engine::Draw;
use policy::{NodeView, View, placement};
use units::Bytes;

/// Draws that may meet a node of the group again before the next free one is taken.
const TRIES: usize = 32;

/// Ids of replicated blocks begin here, as HDFS's do; groups at the least number, 16 apart.
const FIRST_ID: i64 = 1 << 30;

/// Blocks between two questions whether to go on.
const ASK_EVERY: u64 = 1024;

/// All blocks on nodes that hold something; lengths are 0 so far.
pub(super) fn place(
    cluster: &Cluster,
    synthesis: &Synthesis,
    plan: &Plan,
    seed: u64,
    go_on: &dyn Fn() -> bool,
) -> Option<BlockMap> {
    let held = &synthesis.held;
    let node = |(n, held): (&cluster::Node, &cluster::Held)| NodeView {
        alive: held.blocks > 0,
        ..NodeView::new(n.rack, Bytes(1))
    };
    let nodes: Vec<NodeView> = cluster.nodes.iter().zip(held).map(node).collect();
    let racks: Vec<Vec<NodeId>> = cluster.racks.iter().map(|r| r.nodes.clone()).collect();
    let (load, load_factor, avoid_stale) = ((0, plan.holders as u32), None, false);
    let view = View { nodes: &nodes, racks: &racks, load_factor, load, avoid_stale, uplinks: &[] };
    let mut map = with_room(synthesis);
    let by_rack: Vec<u32> = cluster.nodes.iter().map(|n| n.rack.0).collect();
    let mean = synthesis.replicas() as f64 / (synthesis.blocks.max(1)) as f64;
    let writers = Writers::new(held, &by_rack, mean.clamp(1.0, 10.0));
    let mut rows: Vec<Replica> = Vec::new();
    for (at, (wanted, replicas)) in (0u64..).zip(plan.blocks(seed)) {
        if at.is_multiple_of(ASK_EVERY) && !go_on() {
            return None;
        }
        let mut dice = Draw::keyed(seed, "synthesis", at, 0);
        let writer = writers.draw(&mut dice);
        let dice = &mut |n: u64| dice.below(n);
        let placed = placement::place_new_block(Some(writer), replicas, Bytes(0), view, dice);
        rows.clear();
        rows.extend(placed.into_iter().map(|node| replica(node, 0)));
        map.push(FIRST_ID + at as i64, 0, Redundancy::Replicated(wanted), &rows)
    }
    place_groups(&mut map, synthesis, seed);
    Some(map)
}

fn with_room(synthesis: &Synthesis) -> BlockMap {
    let blocks = (synthesis.blocks + synthesis.groups) as usize;
    let mut first = Vec::with_capacity(blocks + 1);
    first.push(0);
    BlockMap {
        id: Vec::with_capacity(blocks),
        bytes: Vec::with_capacity(blocks),
        redundancy: Vec::with_capacity(blocks),
        first,
        replica: Vec::with_capacity(synthesis.replicas() as usize),
    }
}

fn place_groups(map: &mut BlockMap, synthesis: &Synthesis, seed: u64) {
    let (data, parity) = synthesis.coded;
    let mut total = 0;
    let sum = |held: &cluster::Held| {
        total += held.blocks;
        total
    };
    let sums: Vec<u64> = synthesis.held.iter().map(sum).collect();
    for at in 0..if total > 0 { synthesis.groups } else { 0 } {
        let mut dice = Draw::keyed(seed, "synthesis group", at, 0);
        let mut rows: Vec<Replica> = Vec::new();
        for index in 0..data + parity {
            let free = |node: &NodeId| rows.iter().all(|r| r.node != *node);
            let mut drawn = || {
                let ticket = dice.below(total);
                NodeId(sums.partition_point(|sum| *sum <= ticket) as u32)
            };
            let node = (0..TRIES).map(|_| drawn()).find(free);
            let holds = |n: &NodeId| synthesis.held[n.at()].blocks > 0;
            let all = || (0..sums.len() as u32).map(NodeId).filter(holds).find(free);
            rows.extend(node.or_else(all).map(|node| replica(node, index)))
        }
        let id = i64::MIN + 16 * at as i64;
        map.push(id, 0, Redundancy::ErasureCoded { data, parity }, &rows)
    }
}

/// On a disk that is chosen later.
fn replica(node: NodeId, index: u8) -> Replica {
    Replica { node, disk: DiskId(0), state: ReplicaState::Live, index }
}
