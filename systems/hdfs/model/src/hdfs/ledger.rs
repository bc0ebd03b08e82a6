//! Actual safety of every block concerned, independent of what the NameNode knows: live replicas
//! and racks from the fault on. It makes the trace's counters, and the invariants check the model
//! against it.
use super::{
    messages::Leg,
    replica_limit::ReplicaLimit,
    setup::{ByNode, Setup, counts, held, readable, stays},
    striped::Code,
};
use cluster::{Admin, BlockIndex, DiskId, NodeId, RackId};
use engine::Nanos;
use hdfs_scenario::{Replica, ReplicaState};
use std::collections::{BTreeMap, BTreeSet};

/// The trace's counters, in the order of its names.
pub const COUNTERS: [&str; 4] = ["at_risk", "at_one_replica", "at_zero_replicas", "one_rack_only"];

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct RiskState {
    at_risk: bool,
    one: bool,
    zero: bool,
    one_rack: bool,
}

/// Changes of one block since the map at the start.
#[derive(Clone, Debug, Default)]
struct Row {
    /// Node, disk, and internal block of a group.
    added: Vec<(NodeId, DiskId, u8)>,
    /// Excess replicas of the map that were deleted.
    removed: Vec<NodeId>,
    standing: RiskState,
}

pub struct Ledger<'a> {
    setup: &'a Setup,
    silent: Vec<bool>,
    admin: Vec<Admin>,
    failed: BTreeSet<(NodeId, DiskId)>,
    rows: BTreeMap<BlockIndex, Row>,
    counts: [u64; 4],
    /// `counts` at the last call of `changes`.
    last_counts: [u64; 4],
    /// Racks with a node that is not silent and stays.
    racks: usize,
    reach: ReplicaLimit,
    /// Since when no block is at risk; `None` while one is.
    pub redundant_since: Option<Nanos>,
}

impl<'a> Ledger<'a> {
    /// O(replicas).
    pub fn new(setup: &'a Setup) -> Ledger<'a> {
        let silent: Vec<bool> = setup.cluster.nodes.iter().map(|n| !n.alive).collect();
        let admin: Vec<Admin> = setup.cluster.nodes.iter().map(|n| n.admin).collect();
        let reach = ReplicaLimit::new(setup, serving(&silent, &admin));
        let mut ledger = Ledger {
            setup,
            silent,
            admin,
            failed: BTreeSet::new(),
            rows: BTreeMap::new(),
            counts: [0; 4],
            last_counts: [u64::MAX; 4],
            racks: 0,
            reach,
            redundant_since: Some(Nanos::ZERO),
        };
        ledger.racks = ledger.occupied();
        ledger.update_all(Nanos::ZERO);
        ledger
    }

    /// Racks with a node that is not silent and stays: a single rack cannot break the rack rule,
    /// and racks of leaving nodes do not count (HDFS-16456).
    fn occupied(&self) -> usize {
        let here = |n: &NodeId| !self.silent[n.at()] && stays(self.admin[n.at()]);
        self.setup.racks.iter().filter(|rack| rack.iter().any(here)).count()
    }

    /// Updates blocks that expect more replicas than nodes serve, after that number changed.
    fn count_serving(&mut self, at: Nanos) {
        let concerned = self.reach.serve(serving(&self.silent, &self.admin));
        concerned.into_iter().for_each(|block| self.update(block, at, |_| ()))
    }

    /// Number of blocks that expect more replicas than nodes serve.
    pub fn beyond(&self) -> usize {
        self.reach.beyond()
    }

    /// A change of the number of racks concerns groups, which must be on as many as there are. If
    /// only one rack is left it concerns all blocks.
    fn count_racks(&mut self, at: Nanos) {
        let (old, new) = (self.racks, self.occupied());
        self.racks = new;
        let setup = self.setup;
        let alone = new < 2 && old > 1;
        for block in (0..setup.blocks.len()).map(BlockIndex).filter(|_| old != new) {
            if alone || setup.code(block).is_some() {
                self.update(block, at, |_| ())
            }
        }
    }

    fn update_all(&mut self, at: Nanos) {
        for block in (0..self.setup.blocks.len()).map(BlockIndex) {
            self.update(block, at, |_| ())
        }
    }

    /// A node fell silent: its replicas are gone, whether the NameNode knows or not.
    pub fn silence(&mut self, node: NodeId, at: Nanos) {
        self.silent[node.at()] = true;
        self.update_blocks_of(node, at);
        self.count_racks(at);
        self.count_serving(at)
    }

    /// A node leaves: its replicas no longer count, though they can be read.
    pub fn leave(&mut self, node: NodeId, maintenance: bool, at: Nanos) {
        let way = if maintenance { Admin::EnteringMaintenance } else { Admin::Decommissioning };
        self.admin[node.at()] = way;
        self.update_blocks_of(node, at);
        self.count_racks(at);
        self.count_serving(at)
    }

    fn update_blocks_of(&mut self, node: NodeId, at: Nanos) {
        self.update_blocks_on(node, |_| true, at)
    }

    fn update_blocks_on(&mut self, node: NodeId, is_on: impl Fn(DiskId) -> bool, at: Nanos) {
        let setup = self.setup;
        let is_there = |row: &Row| row.added.iter().any(|(n, disk, _)| *n == node && is_on(*disk));
        let copies = self.rows.iter().filter(|(_, row)| is_there(row));
        let copied: Vec<BlockIndex> = copies.map(|(b, _)| *b).collect();
        let held: &ByNode = &setup.by_node;
        let here = |block: &BlockIndex| {
            setup.blocks.replicas(*block).iter().any(|r| r.node == node && is_on(r.disk))
        };
        for block in held.of(node).iter().copied().filter(here).chain(copied) {
            self.update(block, at, |_| ())
        }
    }

    /// A silent node has returned with its blocks. If its rack returned with it, other blocks keep
    /// their standing: HDFS does not check them again
    /// (`DatanodeManager.checkIfClusterIsNowMultiRack` does so the first time only).
    pub fn restore_node(&mut self, node: NodeId, at: Nanos) {
        self.silent[node.at()] = false;
        self.racks = self.occupied();
        self.update_blocks_of(node, at);
        self.count_serving(at)
    }

    /// A disk failed: its replicas are gone, other blocks are not concerned.
    pub fn fail_disk(&mut self, node: NodeId, disk: DiskId, at: Nanos) {
        self.failed.insert((node, disk));
        self.update_blocks_on(node, |on| on == disk, at)
    }

    /// An excess replica was deleted.
    pub fn remove(&mut self, block: BlockIndex, node: NodeId, at: Nanos) {
        let failed: Vec<DiskId> =
            self.failed.iter().filter(|(n, _)| *n == node).map(|(_, disk)| *disk).collect();
        let is_it = |(n, disk, _): &(NodeId, DiskId, u8)| *n == node && !failed.contains(disk);
        self.update(block, at, |row| match row.added.iter().position(is_it) {
            Some(at) => drop(row.added.remove(at)),
            None => row.removed.push(node),
        })
    }

    /// The NameNode knows a new replica or internal block.
    pub fn add(&mut self, leg: &Leg, at: Nanos) {
        self.update(leg.block, at, |row| row.added.push((leg.target, leg.target_disk, leg.index)))
    }

    /// Whether the NameNode already knows a copy at the target.
    pub fn has_added(&self, leg: &Leg) -> bool {
        let is_it =
            |(node, _, index): &(NodeId, DiskId, u8)| (*node, *index) == (leg.target, leg.index);
        self.rows.get(&leg.block).is_some_and(|row| row.added.iter().any(is_it))
    }

    /// Counters that have changed since the last call: (index in [`COUNTERS`], value).
    pub fn changes(&mut self) -> impl Iterator<Item = (u32, u64)> + use<> {
        let (now, old) = (self.counts, self.last_counts);
        self.last_counts = now;
        (0..4).filter(move |&i| now[i] != old[i]).map(move |i| (units::u32_of(i), now[i]))
    }

    /// Whether a block lacks replicas or racks.
    pub fn is_risky(&self, block: BlockIndex) -> bool {
        self.rows.get(&block).is_some_and(|row| row.standing.at_risk)
    }

    pub fn at_risk(&self) -> u64 {
        self.counts[0]
    }

    pub fn risky(&self) -> Vec<BlockIndex> {
        self.rows.iter().filter(|(_, r)| r.standing.at_risk).map(|(b, _)| *b).collect()
    }

    fn update(&mut self, block: BlockIndex, at: Nanos, change: impl FnOnce(&mut Row)) {
        let mut row = self.rows.remove(&block).unwrap_or_default();
        change(&mut row);
        let new = match self.setup.code(block) {
            None => self.risk_counts(block, &row),
            Some(code) => self.standing_of_group(block, code, &row),
        };
        let flags = |s: RiskState| [s.at_risk, s.one, s.zero, s.one_rack].map(u64::from);
        let (before, after) = (flags(row.standing), flags(new));
        for i in 0..4 {
            self.counts[i] = self.counts[i] + after[i] - before[i]
        }
        row.standing = new;
        if new != RiskState::default() || !row.added.is_empty() || !row.removed.is_empty() {
            self.rows.insert(block, row);
        }
        match (self.counts[0], self.redundant_since) {
            (0, None) => self.redundant_since = Some(at),
            (1.., _) => self.redundant_since = None,
            _ => {}
        }
    }

    fn is_here(&self, node: NodeId, disk: DiskId) -> bool {
        !self.failed.contains(&(node, disk)) && !self.silent[node.at()]
    }

    /// Accessible replicas of the map.
    fn initial_replicas<'r>(
        &'r self,
        block: BlockIndex,
        row: &'r Row,
    ) -> impl Iterator<Item = &'r Replica> {
        let here = |r: &&Replica| !row.removed.contains(&r.node) && self.is_here(r.node, r.disk);
        self.setup.blocks.replicas(block).iter().filter(here)
    }

    /// (live replicas, whether the holders that count for the racks are in one rack, whether any
    /// replica is readable)
    fn holders(&self, block: BlockIndex, row: &Row) -> (usize, bool, bool) {
        let (mut live, mut any) = (0, false);
        let (mut rack, mut several) = (None, false);
        let mut spreads = |node: NodeId| {
            let own = self.setup.cluster.nodes[node.at()].rack;
            several |= *rack.get_or_insert(own) != own
        };
        for r in self.initial_replicas(block, row) {
            let admin = self.admin[r.node.at()];
            any |= readable(r.state) || admin == Admin::Decommissioned;
            live += usize::from(counts(r.state) && admin == Admin::InService);
            if held(r.state) && stays(admin) {
                spreads(r.node)
            }
        }
        for &(node, ..) in row.added.iter().filter(|(n, disk, _)| self.is_here(*n, *disk)) {
            any = true;
            let admin = self.admin[node.at()];
            live += usize::from(admin == Admin::InService);
            if stays(admin) {
                spreads(node)
            }
        }
        (live, rack.is_some() && !several, any)
    }

    /// Replicas required in service: each in maintenance replaces one, down to the minimum.
    fn required_replicas(&self, block: BlockIndex, row: &Row) -> usize {
        let at_start = self.initial_replicas(block, row).filter(|r| held(r.state)).map(|r| r.node);
        let added = row.added.iter().filter(|(node, disk, _)| self.is_here(*node, *disk));
        let holders = at_start.chain(added.map(|(node, ..)| *node));
        let resting = holders.filter(|node| {
            let resting = [Admin::InMaintenance, Admin::EnteringMaintenance];
            resting.contains(&self.admin[node.at()])
        });
        let expected = usize::from(self.setup.expected_replicas(block));
        expected.saturating_sub(resting.count()).max(usize::from(self.setup.needed_to_read(block)))
    }

    /// Live replicas with which a block does not delay the decommission of a holder:
    /// `dfs.replication`, whatever its file expects (`DatanodeAdminManager.isSufficient`). `None`
    /// if no holder is being decommissioned.
    fn content(&self, block: BlockIndex, row: &Row) -> Option<usize> {
        let at_start = self.initial_replicas(block, row).filter(|r| held(r.state)).map(|r| r.node);
        let added = row.added.iter().filter(|(node, disk, _)| self.is_here(*node, *disk));
        let mut holders = at_start.chain(added.map(|(node, ..)| *node));
        let leaves = holders.any(|node| self.admin[node.at()] == Admin::Decommissioning);
        leaves.then_some(usize::from(self.setup.hdfs.replication))
    }

    /// A group counts each index once. It is one loss from being lost with as many internal blocks
    /// as it has data, and lost with fewer.
    fn standing_of_group(&self, block: BlockIndex, code: Code, row: &Row) -> RiskState {
        let (mut live, mut nodes, mut readable_ones) = (BTreeSet::new(), vec![], BTreeSet::new());
        let mut found = |node: NodeId, index: u8, state: ReplicaState| {
            let (counts, readable) = (counts(state), readable(state));
            let admin = self.admin[node.at()];
            if counts && admin == Admin::InService {
                live.insert(index);
            }
            if held(state) && stays(admin) {
                nodes.push(node)
            }
            if readable || admin == Admin::Decommissioned {
                readable_ones.insert(index);
            }
        };
        for r in self.initial_replicas(block, row).filter(|r| code.has(r.index)) {
            found(r.node, r.index, r.state)
        }
        for &(node, disk, index) in &row.added {
            if self.is_here(node, disk) {
                found(node, index, ReplicaState::Live)
            }
        }
        let (least, wanted) = (usize::from(code.real_data()), self.required_replicas(block, row));
        let rack = |n: &NodeId| self.setup.cluster.nodes[n.at()].rack;
        let racks: BTreeSet<RackId> = nodes.iter().map(rack).collect();
        let total = usize::from(code.total());
        let crowded = racks.len() < total.min(self.racks) && self.setup.racks.len() > 1;
        RiskState {
            at_risk: live.len() < wanted || crowded,
            one: live.len() == least && wanted > least,
            zero: readable_ones.len() < least,
            one_rack: self.racks > 1 && total > 1 && racks.len() == 1,
        }
    }

    fn risk_counts(&self, block: BlockIndex, row: &Row) -> RiskState {
        let (live, in_one, any) = self.holders(block, row);
        let expected = self.setup.expected_replicas(block) as usize;
        // Fast path: most of millions of blocks have all replicas.
        let mut wanted = expected.max(usize::from(self.setup.needed_to_read(block)));
        if live < wanted {
            wanted = self.required_replicas(block, row);
            let content = self.content(block, row).unwrap_or(wanted);
            wanted = self.reach.of(expected, wanted.min(content))
        }
        let one_rack = self.racks > 1 && expected > 1 && in_one;
        RiskState {
            at_risk: live < wanted || one_rack,
            one: live == 1 && wanted > 1,
            zero: !any && live == 0,
            one_rack,
        }
    }
}

/// Number of nodes in service that are not silent.
fn serving(silent: &[bool], admin: &[Admin]) -> usize {
    let all = silent.iter().zip(admin);
    all.filter(|(silent, admin)| !**silent && **admin == Admin::InService).count()
}
