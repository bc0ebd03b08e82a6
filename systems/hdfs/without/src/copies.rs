//! The copies of a repair from its trace: route, bytes, and the delays until a source started each
//! and the NameNode received its report.
use super::{limits::RemainingLimits, queue};
use cluster::{BlockIndex, DiskId, NodeId};
use hardware::Resources;
use hdfs_scenario::{BlockMap, Redundancy, Replica, ReplicaState};
use hdfs_trace::{Cause, Interval, NodeId as Row, ResourceId, Trace, bytes, disk, kind};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use units::{Bytes, Nanos};

pub type Place = (NodeId, DiskId);

/// Index of a block and of one of its copies.
pub type CopyIndex = (usize, usize);

#[derive(Clone, Debug)]
pub struct Copy {
    pub source: Place,
    pub targets: Vec<Place>,
    pub bytes: Bytes,
    /// When the NameNode chose it.
    pub decided: Nanos,
    /// When the source received the order.
    pub fetched: Nanos,
    pub started: Nanos,
    pub ended: Nanos,
    /// When the NameNode received the report of its last replica.
    pub known: Nanos,
}

#[derive(Clone, Debug)]
pub struct Block {
    /// When the NameNode detected it.
    pub short: Nanos,
    /// Priority in `queue::Queue`.
    pub level: usize,
    /// Live replicas at that time.
    pub holders: Vec<Place>,
    /// Some holder was at its limit of copies and could not be the source.
    pub forced: bool,
    /// In the order chosen; at least one.
    pub copies: Vec<Copy>,
}

impl Block {
    /// Candidates to send copy `c`: its source in the trace, then the other holders. If a limit
    /// forced the choice and no limit remains, the holders alternate over the blocks.
    pub fn sources(
        &self,
        c: usize,
        b: usize,
        left: &RemainingLimits,
    ) -> impl Iterator<Item = Place> {
        let turn = self.holders.get(b % self.holders.len().max(1)).copied();
        let turn = turn.filter(|_| c == 0 && self.forced && left.is_free_to_send());
        let others = self.holders.iter().copied().filter(|_| left.removed.is_some());
        turn.into_iter().chain([self.copies[c].source]).chain(others)
    }

    /// Target of copy `c` if `source` sends it. A copy inside a rack stays inside the rack of its
    /// source: it goes to the node at the target's position there.
    pub fn target(
        &self,
        c: usize,
        source: NodeId,
        racks: &[Vec<NodeId>],
        resources: &Resources,
    ) -> NodeId {
        let (copy, rack) = (&self.copies[c], |node: NodeId| resources.rack_of(node));
        let target = copy.targets[0].0;
        let inside = rack(copy.source.0) == rack(target);
        if !inside || rack(source) == rack(target) {
            return target;
        }
        let place = racks[rack(target).at()].iter().position(|n| *n == target).unwrap_or(0);
        let there = &racks[rack(source).at()];
        let turns = (0..there.len()).map(|turn| there[(place + turn) % there.len()]);
        let mut free = turns.filter(|node| !self.holders.iter().any(|h| h.0 == *node));
        free.next().unwrap_or(target)
    }
}

/// Repaired blocks in the order in which the NameNode takes them. `None` if some were not repaired,
/// or if the trace has what a replay lacks.
pub fn of(trace: &Trace, map: &BlockMap) -> Option<Vec<Block>> {
    let mut rows: BTreeMap<i64, Vec<&Interval>> = BTreeMap::new();
    for row in trace.intervals.iter().filter(|row| row.kind != kind::HELD) {
        if let Some(block) = hdfs_trace::block(trace, row) {
            rows.entry(block).or_default().push(row)
        }
    }
    let declared = trace.intervals.iter().filter(|row| row.kind == kind::DETECTION);
    let declared = declared.map(|row| row.end).max()?;
    let mut blocks: Vec<(Block, (u16, Reverse<i64>))> = Vec::new();
    for place in 0..map.len() {
        let index = BlockIndex(place);
        let Some(rows) = rows.remove(&map.id[index.at()]) else { continue };
        blocks.push(block(trace, map, index, &rows, declared)?)
    }
    if !rows.is_empty() || blocks.is_empty() {
        return None;
    }
    blocks.sort_by_key(|(block, walked)| (block.short, *walked));
    Some(blocks.into_iter().map(|(block, _)| block).collect())
}

/// With its sort key: the NameNode scans a lost node disk by disk, the newest block first.
fn block(
    trace: &Trace,
    map: &BlockMap,
    index: BlockIndex,
    rows: &[&Interval],
    declared: Nanos,
) -> Option<(Block, (u16, Reverse<i64>))> {
    let Redundancy::Replicated(expected) = map.redundancy[index.at()] else { return None };
    let alive = |node: NodeId| trace.nodes[node.at()].alive;
    let all = map.replicas(index);
    let lost = all.iter().filter(|r| !alive(r.node)).map(|r| r.disk.0).min().unwrap_or(u16::MAX);
    let live = all.iter().filter(|r| alive(r.node) && counts(r)).count();
    let holders = all.iter().filter(|r| alive(r.node) && counts(r));
    let holders: Vec<Place> = holders.map(|r| (r.node, r.disk)).collect();
    let queued = rows.iter().filter(|row| row.kind == kind::QUEUED);
    let short = queued.map(|row| row.start).min().unwrap_or(declared);
    let level = queue::level(live, usize::from(expected));
    let copies = copies(trace, rows)?;
    let block = Block { short, level, holders, forced: false, copies };
    Some((block, (lost, Reverse(map.id[index.at()]))))
}

fn copies(trace: &Trace, rows: &[&Interval]) -> Option<Vec<Copy>> {
    let mut transfers: Vec<&&Interval> =
        rows.iter().filter(|row| row.kind == kind::TRANSFER).collect();
    transfers.sort_by_key(|row| (row.start, row.resource.is_none()));
    let mut copies: Vec<Copy> = Vec::new();
    for row in transfers {
        let target = (node(row.peer?), place(trace, row.peer_resource)?);
        let sender = node(row.node?);
        let known = known(rows, row);
        if bytes(row) == 0 {
            return None;
        }
        let Some(disk) = place(trace, row.resource) else {
            let before =
                |copy: &&mut Copy| copy.targets.last().is_some_and(|last| last.0 == sender);
            let copy = copies.iter_mut().rev().find(before)?;
            copy.targets.push(target);
            (copy.ended, copy.known) = (copy.ended.max(row.end), copy.known.max(known));
            continue;
        };
        let (decided, fetched) = handed_out(trace, rows, sender, row.start);
        copies.push(Copy {
            source: (sender, disk),
            targets: vec![target],
            bytes: Bytes(bytes(row)),
            decided,
            fetched,
            started: row.start,
            ended: row.end,
            known,
        })
    }
    copies.sort_by_key(|copy| copy.decided);
    (!copies.is_empty()).then_some(copies)
}

fn node(row: Row) -> NodeId {
    NodeId(units::u32_of(row.at()))
}

fn place(trace: &Trace, row: Option<ResourceId>) -> Option<DiskId> {
    disk(trace, row).map(DiskId)
}

/// When the NameNode received the report of a transfer's replica.
fn known(rows: &[&Interval], transfer: &Interval) -> Nanos {
    let reports = rows.iter().filter(|row| row.kind == kind::REPORT);
    let its = reports.filter(|row| row.node == transfer.peer && row.start >= transfer.end);
    its.map(|row| row.end).max().unwrap_or(transfer.end)
}

/// When a copy started at `started` was chosen and when its source received the order: follows the
/// waits back.
fn handed_out(trace: &Trace, rows: &[&Interval], source: NodeId, started: Nanos) -> (Nanos, Nanos) {
    let is_message = |row: &Interval| match row.cause {
        Cause::Setting(s) => trace.settings[s.at()].key.ends_with("_latency"),
        _ => false,
    };
    let (mut at, mut fetched) = (started, started);
    let mine = |row: &&&Interval| row.kind == kind::HANDOUT && row.node.map(node) == Some(source);
    for row in rows.iter().rev().filter(mine) {
        if row.end == at {
            at = row.start;
            if is_message(row) {
                fetched = at
            }
        }
    }
    (at, fetched)
}

fn counts(replica: &Replica) -> bool {
    matches!(replica.state, ReplicaState::Live | ReplicaState::Stale)
}
