//! Estimates and limits the memory of a run before its block map is drawn or loaded.
use cluster::NodeId;
use hdfs_scenario::{Blocks, Scenario};
use std::collections::BTreeSet;
use system::footprint::{self, Footprint, count};

/// Bytes of a node with its disks, a block, a replica, and a repaired block with its part of the
/// trace. Fitted to peaks of runs of 10 000 nodes that lose 400 to 1.6 million blocks, and of maps
/// of 1 to 100 million replicas. Accurate to about a third.
const NODE: u128 = 12_000;
const BLOCK: u128 = 30;
const REPLICA: u128 = 20;
const REPAIR: u128 = 6_000;

/// A map numbers its replicas with 32 bits.
const MOST_REPLICAS: u128 = u32::MAX as u128;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryNeed {
    nodes: u128,
    /// Blocks on all nodes that events name, approximately.
    on_lost: u128,
    map: Map,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Map {
    /// Drawn: nodes that hold blocks, blocks on each, and replicas of a block.
    Drawn { nodes: u128, per_node: u128, each: u128 },
    /// Given by the cluster file, for a map in a file or a synthesised one.
    Stated { blocks: u128, replicas: u128 },
}

impl MemoryNeed {
    /// Call it before anything is loaded or drawn. `None` for a map given by a program.
    pub fn of(scenario: &Scenario) -> Option<MemoryNeed> {
        let nodes = scenario.cluster.nodes.len() as u128;
        let named: BTreeSet<NodeId> =
            scenario.events.iter().filter_map(|event| event.kind.node()).collect();
        let (blocks, replicas) = match &scenario.blocks {
            Blocks::Drawn(workload) => {
                let each = u128::from(scenario.hdfs.replication).min(nodes).max(1);
                // A concerned block has its other replicas on other nodes.
                let concerned = (named.len() as u128 * each).min(nodes).max(1);
                let drawn = if workload.concerned_only { concerned } else { nodes };
                let per_node = u128::from(workload.blocks_on_lost_node);
                let map = Map::Drawn { nodes: drawn, per_node, each };
                return Some(MemoryNeed { nodes, on_lost: per_node * named.len() as u128, map });
            }
            Blocks::Parquet { blocks, replicas, .. } => (*blocks, *replicas),
            Blocks::Synthesised(counted) => match scenario.concerned() {
                None => (counted.blocks + counted.groups, counted.replicas()),
                Some(some) => {
                    let blocks = counted.on(&some);
                    let all = counted.blocks + counted.groups;
                    let each = counted.replicas().div_ceil(all.max(1));
                    let map =
                        Map::Stated { blocks: blocks.into(), replicas: (blocks * each).into() };
                    return Some(MemoryNeed { nodes, on_lost: blocks.into(), map });
                }
            },
            Blocks::Given(_) => return None,
        };
        let on_lost = u128::from(replicas) * named.len() as u128 / nodes.max(1);
        let map = Map::Stated { blocks: blocks.into(), replicas: replicas.into() };
        Some(MemoryNeed { nodes, on_lost, map })
    }

    /// In a drawn map every node holds about as many blocks as the lost one.
    fn replicas(&self) -> u128 {
        match self.map {
            Map::Drawn { nodes, per_node, .. } => nodes * per_node,
            Map::Stated { replicas, .. } => replicas,
        }
    }

    fn blocks(&self) -> u128 {
        match self.map {
            Map::Drawn { each, .. } => self.replicas().div_ceil(each),
            Map::Stated { blocks, .. } => blocks,
        }
    }

    pub fn bytes(&self) -> u128 {
        let map = self.blocks() * BLOCK + self.replicas() * REPLICA;
        self.nodes * NODE + self.on_lost * REPAIR + map
    }

    pub fn footprint(&self) -> Footprint {
        let key = match self.map {
            Map::Stated { .. } => "cluster.import",
            Map::Drawn { .. } => "workload.blocks_on_lost_node",
        };
        let of = format!("{} replicas", count(narrow(self.replicas())));
        Footprint { bytes: narrow(self.bytes()), of, key }
    }

    /// If the need exceeds `physical` bytes: (key at fault, problem, what was expected).
    pub(crate) fn refusal(&self, physical: u64) -> Option<(&'static str, String, String)> {
        if self.bytes() <= physical.into() && self.replicas() <= MOST_REPLICAS {
            return None;
        }
        let (here, nodes, need) = (footprint::machine_has(physical), self.nodes, self.footprint());
        Some(match self.map {
            Map::Stated { blocks, .. } => {
                let problem = format!("{} blocks on {nodes} nodes: {need}", count(narrow(blocks)));
                ("cluster.import", problem, format!("a machine with this memory: {here}"))
            }
            Map::Drawn { per_node, .. } => match self.most(physical.into()) {
                0 => {
                    let problem = format!("{nodes} nodes need {need}");
                    ("cluster.nodes_per_rack", problem, format!("fewer nodes: {here}"))
                }
                most => {
                    let problem = format!("{per_node} on each of {nodes} nodes: {need}");
                    ("workload.blocks_on_lost_node", problem, format!("at most {most} ({here})"))
                }
            },
        })
    }

    /// Blocks on a lost node that fit into `bytes`; 0 unless the map is drawn.
    fn most(&self, bytes: u128) -> u128 {
        let Map::Drawn { nodes: drawn, per_node, each } = self.map else { return 0 };
        let (per_block, lost) = (BLOCK + REPLICA * each, self.on_lost / per_node.max(1));
        let room = bytes.saturating_sub(self.nodes * NODE + per_block);
        let per_lost = REPAIR * each * lost + drawn * per_block;
        (room.saturating_mul(each) / per_lost).min(MOST_REPLICAS / drawn)
    }
}

/// Saturates.
fn narrow(n: u128) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_by_the_key_that_asks_for_it() {
        let need = |nodes, per_node| {
            let map = Map::Drawn { nodes, per_node, each: 3 };
            MemoryNeed { nodes, on_lost: per_node, map }
        };
        let refusal = |nodes, on_lost| need(nodes, on_lost).refusal(24_000_000_000);
        assert_eq!(refusal(1_000, 1_000), None);
        let (key, problem, expected) = refusal(1_000_000, 1_000_000).unwrap();
        assert_eq!(key, "workload.blocks_on_lost_node");
        assert!(problem.starts_with("1000000 on each of 1000000 nodes: memory for 1000.0 billion"));
        assert!(expected.starts_with("at most ") && expected.contains("has 24 GB"), "{expected}");
        let most: u128 = expected.split(' ').nth(2).unwrap().parse().unwrap();
        assert_eq!(refusal(1_000_000, most), None);
        assert!(refusal(1_000_000, most + 2).is_some());
        assert_eq!(refusal(1_000_000_000, 1).unwrap().0, "cluster.nodes_per_rack");
        let many = need(1_000, 5_000_000).refusal(u64::MAX).unwrap();
        assert_eq!(many.2.split(' ').nth(2), Some("4294967"), "32 bits");
    }

    #[test]
    fn an_imported_map_is_as_large_as_its_cluster_file_says() {
        let map = Map::Stated { blocks: 26_716_900, replicas: 80_150_700 };
        let need = MemoryNeed { nodes: 200, on_lost: 400_000, map };
        assert_eq!(
            need.footprint().to_string(),
            "memory for 80.2 million replicas: about 4.8 GB a run"
        );
        assert_eq!(need.refusal(24_000_000_000), None);
        let (key, problem, expected) = need.refusal(2_000_000_000).unwrap();
        assert_eq!(key, "cluster.import");
        assert!(problem.starts_with("26.7 million blocks on 200 nodes: memory for"), "{problem}");
        assert_eq!(expected, "a machine with this memory: this machine has 2.0 GB");
    }
}
