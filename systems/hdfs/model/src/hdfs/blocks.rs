//! The block map of a run: given by the caller, or drawn as HDFS would have placed the blocks.
use super::striped::Code;
use super::synthesis;
use cluster::{DiskId, NodeId};
use hdfs_policy::{NodeView, View, placement};
use hdfs_scenario::{
    BlockMap, Blocks, Redundancy, Replica, ReplicaState, Scenario, Workload, first_named,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use units::{Bytes, u32_of};

/// The block map of a scenario: drawn, synthesised or given.
///
/// A drawn map has blocks of writers at random nodes, placed by `BlockPlacementPolicyDefault`
/// (`BlockPlacementPolicyRackFaultTolerant` for groups), until the first node that events name
/// ([`first_named`]) holds `blocks_on_lost_node`. With `workload.blocks = "concerned"` it has only
/// the blocks with a replica on a node that an event names. It depends only on the seed, the
/// cluster and the events, so that policies are compared on the same map.
///
/// # Errors
/// If the map is in a file (read it with `hdfs_trace::blocks` and pass it to `simulate`) or cannot
/// be drawn.
pub fn load_blocks(scenario: &Scenario, seed: u64) -> Result<Arc<BlockMap>, String> {
    let map = load_blocks_while(scenario, seed, &|| true)?;
    Ok(map.expect("nothing stops it"))
}

/// As [`load_blocks`], but calls `go_on` every few blocks; `None` after a `false`.
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

/// Blocks between two calls of `go_on`.
const ASK_EVERY: u64 = 1024;

/// First id of groups: negative, with space for the ids of their internal blocks
/// (`SequentialBlockGroupIdGenerator`).
const GROUPS: i64 = i64::MIN;
const PER_GROUP: i64 = 16;

fn draw(
    scenario: &Scenario,
    workload: &Workload,
    seed: u64,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<BlockMap>, String> {
    let lost = first_named(&scenario.events);
    // With a balancer and no events, blocks of the first node are counted.
    let lost = lost.or(scenario.balancer.as_ref().map(|_| NodeId(0)));
    if lost.is_none() && workload.blocks_on_lost_node > 0 {
        return Err("workload.blocks_on_lost_node needs an [[event]] that loses a node".into());
    }
    let world = InitialCluster::new(scenario, workload);
    let mut next_disk = vec![0u16; world.nodes.len()];
    let mut map = BlockMap { first: vec![0], ..BlockMap::default() };
    let mut held = 0;
    let mut number = 0u64;
    while held < workload.blocks_on_lost_node {
        if number.is_multiple_of(ASK_EVERY) && !go_on() {
            return Ok(None);
        }
        let mut dice = engine::Draw::keyed(seed, "placement", number, 0);
        number += 1;
        let placed = match workload.concerned_only {
            false => world.place(&mut dice),
            true => match world.place_at_concerned(&mut dice) {
                Some(placed) => placed,
                None => continue,
            },
        };
        held += u32::from(placed.iter().any(|(n, _)| Some(*n) == lost));
        let rows: Vec<Replica> = placed
            .iter()
            .map(|&(node, index)| {
                let count = scenario.cluster.nodes[node.at()].disks;
                let count = if count == 0 { scenario.hardware.disks_per_node } else { count };
                let disk = DiskId(next_disk[node.at()] % count.max(1));
                next_disk[node.at()] = (disk.0 + 1) % count.max(1);
                Replica { node, disk, state: ReplicaState::Live, index }
            })
            .collect();
        match workload.code {
            None => {
                let redundancy = Redundancy::Replicated(scenario.hdfs.replication);
                map.push((1 << 30) + number as i64, workload.block_bytes.0, redundancy, &rows)
            }
            Some((data, parity)) => {
                let redundancy = Redundancy::ErasureCoded { data, parity };
                let bytes = group_bytes(workload, data);
                map.push(GROUPS + number as i64 * PER_GROUP, bytes.0, redundancy, &rows)
            }
        }
    }
    Ok(Some(map))
}

/// Length of a full group without parity.
fn group_bytes(workload: &Workload, data: u8) -> Bytes {
    Bytes(workload.block_bytes.0.saturating_mul(u64::from(data)))
}

/// The cluster when its blocks were written: racks of one size, equal nodes.
struct InitialCluster {
    nodes: Vec<NodeView>,
    racks: Vec<Vec<NodeId>>,
    replicas: u16,
    code: Option<Code>,
    /// Length of a block, or of a whole group.
    bytes: Bytes,
    /// Nodes that an event names, sorted.
    concerned: Vec<NodeId>,
}

impl InitialCluster {
    fn new(scenario: &Scenario, workload: &Workload) -> InitialCluster {
        let mut nodes: Vec<NodeView> =
            scenario.cluster.nodes.iter().map(|n| NodeView::new(n.rack, n.remaining)).collect();
        let new = scenario.balancer.iter().flat_map(|b| b.new_nodes(&scenario.cluster));
        new.for_each(|node| nodes[node.at()].alive = false);
        let named: BTreeSet<NodeId> =
            scenario.events.iter().filter_map(|event| event.kind.node()).collect();
        let code = |(data, parity)| Code { data, parity, bytes: group_bytes(workload, data) };
        let code = workload.code.map(code);
        InitialCluster {
            racks: scenario.cluster.racks.iter().map(|r| r.nodes.clone()).collect(),
            replicas: scenario.hdfs.replication,
            code,
            bytes: code.map_or(workload.block_bytes, |code| code.bytes),
            concerned: named.into_iter().collect(),
            nodes,
        }
    }

    /// Holders of a block of a random writer, with the indices of their internal blocks. A short
    /// group has nodes for all of them and bytes for some.
    fn place(&self, dice: &mut engine::Draw) -> Vec<(NodeId, u8)> {
        let (load, load_factor) = ((0, u32_of(self.nodes.len())), None);
        let (nodes, racks) = (&self.nodes[..], &self.racks[..]);
        let view = View { nodes, racks, load_factor, load, avoid_stale: false, uplinks: &[] };
        let writer = NodeId(units::narrow::<u32>(dice.below(self.nodes.len() as u64)));
        let dice = &mut |n: u64| dice.below(n);
        let bytes = self.bytes;
        if let Some(code) = self.code {
            let group = placement::Group { writer: Some(writer), live: &[], taken: &[], bytes };
            let all = usize::from(code.data) + usize::from(code.parity);
            let placed = placement::spread_group(group, all, view, dice).unwrap_or_default();
            return placed.into_iter().zip(0..).filter(|(_, index)| code.has(*index)).collect();
        }
        let placed = placement::place_new_block(Some(writer), self.replicas, bytes, view, dice);
        placed.into_iter().map(|node| (node, 0)).collect()
    }

    /// A block with a replica on a concerned node, with the distribution of all such blocks. Places
    /// any block, then renames racks and nodes: a random replica moves to a random concerned node.
    /// A block with k replicas on such nodes can result in k ways, so it is kept with probability
    /// 1/k. `None`: draw again.
    fn place_at_concerned(&self, dice: &mut engine::Draw) -> Option<Vec<(NodeId, u8)>> {
        let mut placed = self.place(dice);
        let node = *dice.pick(&self.concerned)?;
        let (role, _) = *dice.pick(&placed)?;
        placed.iter_mut().for_each(|(id, _)| *id = self.renamed(*id, role, node));
        let ways = placed.iter().filter(|(id, _)| self.concerned.binary_search(id).is_ok()).count();
        (dice.below(ways as u64) == 0).then_some(placed)
    }

    /// Swaps two racks, then two nodes of one: `from` becomes `to`.
    fn renamed(&self, id: NodeId, from: NodeId, to: NodeId) -> NodeId {
        let place = |id: NodeId| {
            let rack = self.nodes[id.at()].rack.at();
            (rack, (id.0 - self.racks[rack][0].0) as usize)
        };
        let ((old, from), (new, to), (rack, node)) = (place(from), place(to), place(id));
        let swap = |x: usize, a: usize, b: usize| match x {
            _ if x == a => b,
            _ if x == b => a,
            _ => x,
        };
        let rack = swap(rack, old, new);
        let node = if rack == new { swap(node, from, to) } else { node };
        self.racks[rack][node]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario(blocks: &str, events: &str) -> Scenario {
        let text = format!(
            "[cluster]\nracks = 3\nnodes_per_rack = 4\n[workload]\nblocks_on_lost_node = 3000\n\
             blocks = \"{blocks}\"\n{events}"
        );
        Scenario::from_str(&text, "x.toml", &[]).expect("a scenario")
    }

    const LOSE: &str = "[[event]]\nat = \"0s\"\nkind = \"node-lost\"\ntarget = \"dn-r1-01\"\n";

    fn drawn(sets: &[(&str, &str)], events: &str) -> BlockMap {
        let sets = sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect::<Vec<_>>();
        let text = format!(
            "[cluster]\nracks = 1\nnodes_per_rack = 4\n[workload]\nblocks_on_lost_node = 1000\n\
             {events}"
        );
        let scenario = Scenario::from_str(&text, "x.toml", &sets).expect("a scenario");
        let asked = std::cell::Cell::new(0);
        // Stops a draw that does not end.
        let go_on = || asked.replace(asked.get() + 1) < 1000;
        let map = load_blocks_while(&scenario, 1, &go_on).expect("a map").expect("it ends");
        Arc::unwrap_or_clone(map)
    }

    /// Around the numbers that fit in a byte, or in two bits of the next.
    #[test]
    fn any_number_of_nodes_gets_three_replicas_of_each_block() {
        for nodes in [2, 3, 255, 256, 257, 511, 512, 513, 768] {
            let map = drawn(&[("cluster.nodes_per_rack", &nodes.to_string())], LOSE);
            let each = (0..map.len()).map(|b| map.replicas(cluster::BlockIndex(b)).len());
            assert!(each.into_iter().all(|n| n == 3.min(nodes)), "{nodes} nodes");
            // A node holds 3 of n blocks' replicas; 1000 are within 4 sigma of their mean.
            let (blocks, mean) = (f64::from(map.len()), 1000.0 * nodes as f64 / 3.0);
            assert!(nodes < 4 || (blocks / mean - 1.0).abs() < 0.13, "{nodes} nodes: {blocks}");
        }
    }

    #[test]
    fn many_replicas_lie_on_as_many_nodes() {
        let sets = [
            ("cluster.nodes_per_rack", "600"),
            ("hdfs-site.dfs.replication", "512"),
            ("workload.blocks_on_lost_node", "20"),
        ];
        let map = drawn(&sets, LOSE);
        for block in (0..map.len()).map(cluster::BlockIndex) {
            let nodes: BTreeSet<NodeId> = map.replicas(block).iter().map(|r| r.node).collect();
            assert_eq!(nodes.len(), 512)
        }
    }

    /// 6 × 100 kB are less than a cell: one data block, and its parity.
    #[test]
    fn a_short_group_has_only_the_blocks_that_hold_something() {
        for blocks in ["all", "concerned"] {
            let sets = [
                ("cluster.nodes_per_rack", "12"),
                ("workload.redundancy", "RS-6-3-1024k"),
                ("workload.block_bytes", "100kB"),
                ("workload.blocks", blocks),
            ];
            let map = drawn(&sets, LOSE);
            let mut on_lost = 0;
            for block in (0..map.len()).map(cluster::BlockIndex) {
                let held: Vec<u8> = map.replicas(block).iter().map(|r| r.index).collect();
                assert_eq!(held, [0, 6, 7, 8], "{blocks}");
                on_lost += map.replicas(block).iter().filter(|r| r.node.0 == 0).count()
            }
            assert_eq!(on_lost, 1000, "{blocks}");
        }
    }

    #[test]
    fn the_order_of_events_in_the_file_draws_the_same_blocks() {
        let lose = |at: &str, node: &str| {
            format!("[[event]]\nat = \"{at}\"\nkind = \"node-lost\"\ntarget = \"{node}\"\n")
        };
        let (early, late) = (lose("0s", "dn-r1-02"), lose("9s", "dn-r1-01"));
        let beside = lose("0s", "dn-r1-04");
        let one = drawn(&[], &[&*early, &late, &beside].concat());
        let held = one.replica.iter().filter(|r| r.node == NodeId(1)).count();
        assert_eq!(held, 1000, "counted on the first by time, then by number");
        assert_eq!(one, drawn(&[], &[&*beside, &late, &early].concat()));
        assert_eq!(one, drawn(&[], &[&*late, &early, &beside].concat()));
    }

    /// For blocks with a replica on a named node: how often each node holds one, and the mean
    /// number of replicas on named nodes.
    fn shares(map: &BlockMap, named: &[u32]) -> (Vec<f64>, f64) {
        let (mut count, mut blocks, mut on_named) = (vec![0.0; 12], 0.0, 0.0);
        for block in (0..map.len()).map(cluster::BlockIndex) {
            let at: Vec<u32> = map.replicas(block).iter().map(|r| r.node.0).collect();
            let hits = at.iter().filter(|n| named.contains(n)).count();
            if hits > 0 {
                blocks += 1.0;
                on_named += hits as f64;
                at.iter().for_each(|n| count[*n as usize] += 1.0)
            }
        }
        (count.into_iter().map(|c| c / blocks).collect(), on_named / blocks)
    }

    #[test]
    fn concerned_blocks_are_drawn_as_among_all() {
        let lose = |node: &str| {
            format!("[[event]]\nat = \"0s\"\nkind = \"node-lost\"\ntarget = \"{node}\"\n")
        };
        let rack = "[[event]]\nat = \"0s\"\nkind = \"rack-lost\"\ntarget = \"/rack2\"\n";
        for (events, named) in [
            (lose("dn-r2-03"), &[6][..]),
            (lose("dn-r2-03") + &lose("dn-r1-01"), &[0, 6]),
            (rack.to_string(), &[4, 5, 6, 7]),
        ] {
            let of = |blocks: &str| {
                let map = load_blocks(&scenario(blocks, &events), 1).expect("a map");
                shares(&map, named)
            };
            let ((all, on_all), (some, on_some)) = (of("all"), of("concerned"));
            for (node, (a, b)) in all.iter().zip(&some).enumerate() {
                assert!((a - b).abs() < 0.03, "{events}: node {node} holds {a} and {b} of them");
            }
            assert!((on_all - on_some).abs() < 0.03, "{events}: {on_all} and {on_some}");
        }
    }
}
