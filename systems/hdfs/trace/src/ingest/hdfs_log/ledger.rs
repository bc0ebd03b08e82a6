//! Blocks at risk over time, from the logs alone.
use super::log_history::ReplicaChange;
use super::rebuilt_cluster::RebuiltCluster;
use cluster::{BlockIndex, NodeId};
use hdfs_scenario::Redundancy;
use std::collections::BTreeMap;

/// In the order of `systems/hdfs/docs/trace.md`.
pub(super) const COUNTERS: [&str; 4] =
    ["at_risk", "at_one_replica", "at_zero_replicas", "one_rack_only"];

/// (time \[ms\], counter values from then on).
pub(super) type Sample = (i64, [u64; 4]);

enum Step {
    Silent(NodeId),
    Change(usize),
}

struct Ledger<'a> {
    rebuilt: &'a RebuiltCluster,
    by_id: BTreeMap<i64, u32>,
    silent: Vec<bool>,
    /// Current holders of changed blocks.
    now: BTreeMap<u32, Vec<NodeId>>,
    flags: BTreeMap<u32, [bool; 4]>,
    counts: [u64; 4],
}

/// In time order.
pub(super) fn samples(rebuilt: &RebuiltCluster, changes: &[ReplicaChange]) -> Vec<Sample> {
    let mut steps: Vec<(i64, u8, Step)> =
        rebuilt.losses.iter().map(|loss| (loss.silent, 0, Step::Silent(loss.node))).collect();
    steps.extend(changes.iter().enumerate().map(|(at, c)| (c.at, 1, Step::Change(at))));
    steps.sort_by_key(|(at, order, _)| (*at, *order));
    let map = &rebuilt.map;
    let mut ledger = Ledger {
        rebuilt,
        by_id: map.id.iter().zip(0..).map(|(id, at)| (*id, at)).collect(),
        silent: vec![false; rebuilt.cluster.nodes.len()],
        now: BTreeMap::new(),
        flags: BTreeMap::new(),
        counts: [0; 4],
    };
    (0..map.len()).for_each(|block| ledger.update(block));
    let mut out: Vec<Sample> = Vec::new();
    for (at, _, step) in steps {
        match step {
            Step::Silent(node) => ledger.silence(node),
            Step::Change(place) => ledger.change(&changes[place]),
        }
        match out.last_mut() {
            Some(last) if last.0 == at => last.1 = ledger.counts,
            Some(last) if last.1 == ledger.counts => {}
            _ => out.push((at, ledger.counts)),
        }
    }
    out
}

impl Ledger<'_> {
    fn silence(&mut self, node: NodeId) {
        self.silent[node.at()] = true;
        for block in 0..self.rebuilt.map.len() {
            if self.holders(block).contains(&node) {
                self.update(block)
            }
        }
    }

    fn change(&mut self, change: &ReplicaChange) {
        let Some(&block) = self.by_id.get(&change.block) else { return };
        let node = self.rebuilt.places[change.node as usize];
        // The NameNode removes a dead node's replicas: they were lost before.
        if self.silent[node.at()] {
            return;
        }
        let mut holders = self.holders(block);
        holders.retain(|holder| *holder != node);
        if change.is_added {
            holders.push(node)
        }
        self.now.insert(block, holders);
        self.update(block)
    }

    fn holders(&self, block: u32) -> Vec<NodeId> {
        match self.now.get(&block) {
            Some(now) => now.clone(),
            None => self.rebuilt.map.replicas(BlockIndex(block)).iter().map(|r| r.node).collect(),
        }
    }

    fn update(&mut self, block: u32) {
        let new = self.standing(block);
        let old = self.flags.remove(&block).unwrap_or_default();
        for flag in 0..4 {
            self.counts[flag] = self.counts[flag] + u64::from(new[flag]) - u64::from(old[flag])
        }
        if new != [false; 4] {
            self.flags.insert(block, new);
        }
    }

    /// The model's counters: too few replicas or racks, one replica left, none left, one rack.
    fn standing(&self, block: u32) -> [bool; 4] {
        let Redundancy::Replicated(wanted) = self.rebuilt.map.redundancy[block as usize] else {
            return [false; 4];
        };
        let wanted = usize::from(wanted).max(1);
        let mut live = self.holders(block);
        live.retain(|node| !self.silent[node.at()]);
        let nodes = &self.rebuilt.cluster.nodes;
        let heard = |rack: &&cluster::Rack| rack.nodes.iter().any(|n| !self.silent[n.at()]);
        let spread = self.rebuilt.cluster.racks.iter().filter(heard).count() > 1;
        let mut racks: Vec<_> = live.iter().map(|node| nodes[node.at()].rack).collect();
        racks.sort();
        racks.dedup();
        let one_rack = spread && wanted > 1 && racks.len() == 1;
        let risky = live.len() < wanted || (one_rack && live.len() > 1);
        [risky, live.len() == 1 && wanted > 1, live.is_empty(), one_rack]
    }
}
