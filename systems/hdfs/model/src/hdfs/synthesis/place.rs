//! Places blocks by `BlockPlacementPolicyDefault`, and groups on as many racks as there are.
use super::plan::Plan;
use super::writers::Writers;
use cluster::{Cluster, DiskId, NodeId};
use engine::Draw;
use hdfs_policy::{NodeView, View, placement};
use hdfs_scenario::{BlockMap, Redundancy, Replica, ReplicaState, Synthesis};
use units::Bytes;

/// First id of replicated blocks, as in HDFS; group ids begin at the least number, 16 apart.
pub(super) const FIRST_ID: i64 = 1 << 30;

/// Blocks between two calls of `go_on`.
const ASK_EVERY: u64 = 1024;

/// Places all blocks on nodes that hold something; lengths are 0.
pub(super) fn place(
    cluster: &Cluster,
    synthesis: &Synthesis,
    plan: &Plan,
    seed: u64,
    go_on: &dyn Fn() -> bool,
) -> Option<BlockMap> {
    let held = &synthesis.held;
    let node = |(n, held): (&cluster::Node, &hdfs_scenario::NodeContent)| NodeView {
        alive: held.blocks > 0,
        ..NodeView::new(n.rack, Bytes(1))
    };
    let nodes: Vec<NodeView> = cluster.nodes.iter().zip(held).map(node).collect();
    let racks: Vec<Vec<NodeId>> = cluster.racks.iter().map(|r| r.nodes.clone()).collect();
    let (load, load_factor, avoid_stale) = ((0, units::narrow::<u32>(plan.holders)), None, false);
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
    place_groups(&mut map, synthesis, view, &writers, seed);
    Some(map)
}

fn with_room(synthesis: &Synthesis) -> BlockMap {
    let blocks = units::usize_of(synthesis.blocks + synthesis.groups);
    let mut first = Vec::with_capacity(blocks + 1);
    first.push(0);
    BlockMap {
        id: Vec::with_capacity(blocks),
        bytes: Vec::with_capacity(blocks),
        redundancy: Vec::with_capacity(blocks),
        first,
        replica: Vec::with_capacity(units::usize_of(synthesis.replicas())),
    }
}

/// `BlockPlacementPolicyRackFaultTolerant`, with writers weighted by what nodes hold.
fn place_groups(
    map: &mut BlockMap,
    synthesis: &Synthesis,
    view: View<'_>,
    writers: &Writers,
    seed: u64,
) {
    let (data, parity) = synthesis.coded;
    let any = synthesis.held.iter().any(|held| held.blocks > 0);
    for at in 0..if any { synthesis.groups } else { 0 } {
        let mut dice = Draw::keyed(seed, "synthesis group", at, 0);
        let writer = Some(writers.draw(&mut dice));
        let dice = &mut |n: u64| dice.below(n);
        let group = placement::Group { writer, live: &[], taken: &[], bytes: Bytes(0) };
        let placed = placement::spread_group(group, usize::from(data + parity), view, dice);
        self::group(map, at, (data, parity), placed.unwrap_or_default())
    }
}

/// Adds the `at`-th group, with its units on `nodes`.
pub(super) fn group(
    map: &mut BlockMap,
    at: u64,
    (data, parity): (u8, u8),
    nodes: impl IntoIterator<Item = NodeId>,
) {
    let rows: Vec<Replica> =
        nodes.into_iter().zip(0u8..).map(|(node, i)| replica(node, i)).collect();
    let id = i64::MIN + 16 * at as i64;
    map.push(id, 0, Redundancy::ErasureCoded { data, parity }, &rows)
}

/// Its disk is assigned later.
pub(super) fn replica(node: NodeId, index: u8) -> Replica {
    Replica { node, disk: DiskId(0), state: ReplicaState::Live, index }
}
