//! The copies of a repair, as its trace has them: what moved from where to where, how long a source
//! took to begin once it had been told, and how long the NameNode took to hear of the end.
use super::{left::Left, queue};
use cluster::{BlockIndex, DiskId, NodeId};
use hardware::Resources;
use hdfs_scenario::{BlockMap, Redundancy, Replica, ReplicaState};
use hdfs_trace::{Cause, Interval, NodeId as Row, ResourceId, Trace, bytes, disk, kind};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use units::{Bytes, Nanos};

/// A replica: where it lies, or is to lie.
pub type Place = (NodeId, DiskId);

/// Which block, and which of its copies.
pub type Which = (usize, usize);

/// One order: a block from its source to its targets.
#[derive(Clone, Debug)]
pub struct Copy {
    pub source: Place,
    pub targets: Vec<Place>,
    pub bytes: Bytes,
    pub decided: Nanos,
    pub fetched: Nanos,
    pub started: Nanos,
    pub ended: Nanos,
    /// When the NameNode heard of its last replica.
    pub known: Nanos,
}

/// A block that was short.
#[derive(Clone, Debug)]
pub struct Block {
    /// Since when the NameNode knew.
    pub short: Nanos,
    pub level: usize,
    /// Who had it when it became short.
    pub holders: Vec<Place>,
    /// Some holder could not have been its source: that had its limit of copies.
    pub forced: bool,
    /// In the order in which they were chosen; at least one.
    pub copies: Vec<Copy>,
}

impl Block {
    /// Who may send copy `c`, first who did, then the others that had the block. Where sources have
    /// no limit any more and it was the limit that decided, holders take turns over the blocks.
    pub fn sources(&self, c: usize, b: usize, left: &Left) -> impl Iterator<Item = Place> {
        let turn = self.holders.get(b % self.holders.len().max(1)).copied();
        let turn = turn.filter(|_| c == 0 && self.forced && left.is_free_to_send());
        let others = self.holders.iter().copied().filter(|_| left.away.is_some());
        turn.into_iter().chain([self.copies[c].source]).chain(others)
    }

    /// Where copy `c` goes if this node sends it. Who sends inside its rack does so whoever it is,
    /// to the node that stands where the target stood.
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

/// All blocks that were repaired, in the order in which the NameNode takes them; `None` where not
/// all were, or something happened that a repair cannot be gone through again without.
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

/// With its place in the walk over what the lost node held: disk by disk, the newest first.
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

/// The node of a row.
fn node(row: Row) -> NodeId {
    NodeId(units::u32_of(row.at()))
}

/// The disk of a row.
fn place(trace: &Trace, row: Option<ResourceId>) -> Option<DiskId> {
    disk(trace, row).map(DiskId)
}

/// When the NameNode heard of what a transfer brought.
fn known(rows: &[&Interval], transfer: &Interval) -> Nanos {
    let reports = rows.iter().filter(|row| row.kind == kind::REPORT);
    let its = reports.filter(|row| row.node == transfer.peer && row.start >= transfer.end);
    its.map(|row| row.end).max().unwrap_or(transfer.end)
}

/// When a copy that began now was chosen, and when its source was told: back through its waits.
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
