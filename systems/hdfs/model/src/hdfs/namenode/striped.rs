//! Repair of an erasure-coded group (`BlockManager.scheduleReconstruction`, `ErasureCodingWork`).
//!
//! Missing internal blocks are rebuilt at the first target, from as many internal blocks as the
//! group has data. When none is missing, those only on leaving nodes are copied from there. A group
//! on too few racks gets one internal block copied.
use super::{
    NameNode, Pending, QueuedOrder, Wait,
    groups::{Group, Internal},
    low_redundancy, reserve, view,
};
use crate::hdfs::messages::{CopyId, Event, Leg, Order, Purpose, Reason, Record};
use cluster::{BlockIndex, NodeId};
use engine::{Context, Shared};
use hdfs_policy::{placement, rereplication::Refused};
use std::collections::BTreeSet;
use units::Bytes;

impl NameNode {
    /// Queues a group at its level, or removes it if it has enough.
    pub(super) fn update_needed_group(
        &mut self,
        block: BlockIndex,
        cx: &impl Context<Event, Record>,
    ) {
        let group = self.group(block).expect("a group");
        if self.has_enough_blocks(&group) {
            return self.end_wait(block, cx);
        }
        let level = self.group_level(&group);
        self.needed.put(block, level, 0);
        if level == low_redundancy::CORRUPT {
            self.wait(block, Reason::NoSource, cx)
        } else if group.coming > 0 {
            self.await_task(block, cx)
        } else {
            self.restart_wait(block, !group.readable().is_empty(), Reason::Interval, cx)
        }
    }

    /// A group with internal blocks under way waits for these, unless there was no target for the
    /// rest.
    fn await_task(&mut self, block: BlockIndex, cx: &impl Context<Event, Record>) {
        match self.waits.get(&block) {
            Some(Wait { reason: None | Some(Reason::NoTarget), .. }) => {}
            old => {
                let looks = old.map_or(0, |w| w.looks);
                self.waits.insert(block, Wait { reason: None, looks });
                cx.record(Record::Awaits(block))
            }
        }
    }

    /// Decides copies and tasks of the group, or why there are none.
    pub(super) fn schedule_group(
        &mut self,
        level: u8,
        block: BlockIndex,
        cx: &impl Context<Event, Record>,
    ) -> Result<(), Refused> {
        let group = self.group(block).expect("a group");
        // Waits for earlier decisions.
        if group.coming > 0 {
            return Ok(());
        }
        let orders = self.decide(level, block, &group, cx)?;
        self.promise_group(block, &orders, cx);
        Ok(())
    }

    fn decide(
        &mut self,
        level: u8,
        block: BlockIndex,
        group: &Group,
        cx: &impl Context<Event, Record>,
    ) -> Result<Vec<Order>, Refused> {
        let sources = self.sources(level, group)?;
        let lacking = group.wanted.saturating_sub(group.live().len());
        let leaving = group.leaving();
        let more = match lacking {
            // Too few racks: one block on another one.
            0 => 1,
            // Missing blocks come before leaving ones.
            _ if lacking > leaving.len() => lacking - leaving.len(),
            _ => lacking,
        };
        let targets = self.targets(block, group, sources[0].node, more, cx)?;
        if lacking == 0 {
            return self.copy_to_another_rack(block, group, &sources, targets[0]);
        }
        let missing = group.missing_indices();
        if leaving.is_empty() || !missing.is_empty() {
            return Ok(self.rebuild(block, group, &sources, &missing, &targets));
        }
        let ready: Vec<&Internal> =
            leaving.iter().filter(|i| sources.iter().any(|s| s.node == i.node)).collect();
        if ready.is_empty() {
            return Err(Refused::SourceBusy(leaving[0].node));
        }
        let pairs = ready.into_iter().zip(&targets);
        Ok(pairs.map(|(from, to)| self.copy(block, group, from, *to)).collect())
    }

    /// Readable internal blocks on nodes below their limit, one per index, in storage order
    /// (`chooseSourceDatanodes`).
    fn sources(&self, level: u8, group: &Group) -> Result<Vec<Internal>, Refused> {
        let least = usize::from(group.code.real_data());
        if group.readable().len() < least {
            return Err(Refused::NoSource);
        }
        let (mut seen, mut busy) = (BTreeSet::new(), None);
        let mut sources = vec![];
        for internal in group.internal.iter().filter(|i| i.readable) {
            if !self.below_limits(level, internal.node) {
                busy = busy.or(Some(internal.node))
            } else if seen.insert(internal.index) {
                sources.push(*internal)
            }
        }
        match busy {
            Some(node) if sources.len() < least => Err(Refused::SourceBusy(node)),
            _ => Ok(sources),
        }
    }

    /// Targets on other racks than the staying nodes. `ErasureCodingWork` ignores nodes in
    /// maintenance and moves blocks back and forth; this does so only if there is no other rack.
    fn targets(
        &mut self,
        block: BlockIndex,
        group: &Group,
        writer: NodeId,
        more: usize,
        cx: &impl Context<Event, Record>,
    ) -> Result<Vec<NodeId>, Refused> {
        let looks = self.waits.get(&block).map_or(0, |w| w.looks);
        self.waits.update(&block, |w| w.looks += 1);
        let mut draw = cx.draw("repair", u64::from(block.0), u64::from(looks));
        let view = view(&self.setup, &self.nodes, self.load, &self.traffic);
        let mut beside = |held: &[NodeId]| {
            let wish = placement::Group {
                writer: Some(writer),
                live: held,
                taken: &group.taken,
                // Each target must have space for the whole group (`BlockReconstructionWork`).
                bytes: group.code.bytes,
            };
            placement::spread_group(wish, more, view, &mut |n: u64| draw.below(n))
        };
        match beside(&group.staying()) {
            Err(Refused::NoTarget) if group.resting().next().is_some() => {
                beside(&group.live_nodes())
            }
            found => found,
        }
    }

    /// Copies an internal block of the rack with the most, if that helps
    /// (`chooseSource4SimpleReplication`, which ignores nodes in maintenance).
    fn copy_to_another_rack(
        &mut self,
        block: BlockIndex,
        group: &Group,
        sources: &[Internal],
        target: NodeId,
    ) -> Result<Vec<Order>, Refused> {
        let rack = |node: NodeId| self.nodes[node.at()].rack;
        if group.staying().iter().any(|node| rack(*node) == rack(target)) {
            return Err(Refused::NoTarget);
        }
        let there: BTreeSet<NodeId> =
            sources.iter().map(|s| s.node).chain(group.resting()).collect();
        let beside = |i: &&Internal| {
            let with = there.iter().filter(|n| rack(**n) == rack(i.node)).count();
            (with, std::cmp::Reverse(rack(i.node)))
        };
        let most = sources.iter().map(|i| beside(&i)).max();
        let from = sources.iter().find(|i| Some(beside(i)) == most).copied().expect("a source");
        Ok(vec![self.copy(block, group, &from, target)])
    }

    fn copy(&mut self, block: BlockIndex, group: &Group, from: &Internal, to: NodeId) -> Order {
        let what = (block, length(group, from.index));
        let first = self.next_copy();
        let order = Order::new(Purpose::Replicate, first, what, (from.node, from.disk), &[to]);
        order.with_index(from.index)
    }

    /// A task: rebuilds the missing blocks at the first target from the first sources.
    fn rebuild(
        &mut self,
        block: BlockIndex,
        group: &Group,
        sources: &[Internal],
        missing: &[u8],
        targets: &[NodeId],
    ) -> Vec<Order> {
        let (at, task) = (targets[0], CopyId(self.copies + 1));
        let mut orders: Vec<Order> = vec![];
        let mut longest = Bytes(0);
        for (&index, &to) in missing.iter().zip(targets) {
            let (first, bytes) = (self.next_copy(), length(group, index));
            longest = longest.max(bytes);
            let from = (at, cluster::DiskId(0));
            let order = Order::new(Purpose::Rebuilt, first, (block, bytes), from, &[to]);
            orders.push(order.with_index(index).in_task(task))
        }
        for part in &sources[..usize::from(group.code.real_data())] {
            // It reads no more than it rebuilds (`getReadLength`).
            let (first, bytes) = (self.next_copy(), length(group, part.index).min(longest));
            let from = (part.node, part.disk);
            let order = Order::new(Purpose::Part, first, (block, bytes), from, &[at]);
            orders.push(order.with_index(part.index).in_task(task))
        }
        orders
    }

    fn next_copy(&mut self) -> CopyId {
        self.copies += 1;
        CopyId(self.copies)
    }

    /// Makes orders pending: each waits at its node for the next heartbeat, a task as one.
    fn promise_group(
        &mut self,
        block: BlockIndex,
        orders: &[Order],
        cx: &impl Context<Event, Record>,
    ) {
        for &order in orders {
            if order.purpose.is_of_task() {
                self.striped.tasks.insert((order.task, order.first), order);
            }
            if order.purpose != Purpose::Part {
                self.expect(&order, cx)
            }
            if order.task == order.first {
                self.queue(order)
            }
            cx.record(Record::Decided { order, reason: Reason::Heartbeat })
        }
        let group = self.group(block).expect("a group");
        if self.has_enough_blocks(&group) {
            self.needed.remove(block);
            self.waits.discard(&block);
        } else {
            // There were fewer targets than missing blocks.
            self.wait(block, Reason::NoTarget, cx);
            cx.record(Record::Waits { block, reason: Reason::NoTarget })
        }
    }

    fn expect(&mut self, order: &Order, cx: &impl Context<Event, Record>) {
        for leg in order.legs() {
            self.nodes.update(leg.target.at(), |n| reserve(n, leg.bytes));
            self.striped.index.insert(leg.copy, leg.index);
            self.pending_of.insert((leg.block, leg.copy), ());
            self.traffic.add_copy(&leg, &self.setup);
            let (source, since) = (order.source, cx.now());
            self.pending.insert(leg.copy, Pending { leg, source, since });
        }
    }

    fn queue(&mut self, order: Order) {
        let at = order.source;
        self.nodes.update(at.at(), |n| n.queued += 1);
        let fresh = self.striped.count_new_orders(at);
        self.striped.fresh.insert(at, fresh + 1);
        self.outbox.insert((at, order.first), QueuedOrder { order, reason: Reason::Heartbeat });
    }

    /// All legs of a waiting order: those of its task, or of its pipeline.
    pub(super) fn legs_of(&self, order: &Order) -> Vec<Leg> {
        match order.purpose.is_of_task() {
            true => self.striped.flows(order.task).iter().flat_map(Order::legs).collect(),
            false => order.legs().collect(),
        }
    }

    /// Deletes internal blocks held twice (`chooseExcessRedundancyStriped`): first where the rack
    /// has another, even in maintenance, then where free space is least.
    pub(super) fn trim_group(&mut self, block: BlockIndex, cx: &impl Context<Event, Record>) {
        loop {
            let group = self.group(block).expect("a group");
            let Some(Internal { node, index, .. }) = self.one_too_many(&group) else { return };
            self.delete_excess(block, node, group.code.internal_bytes(index));
            cx.record(Record::Removed { block, node })
        }
    }

    /// An excess block that the racks can spare. HDFS also deletes others and recreates them in a
    /// loop.
    fn one_too_many(&self, group: &Group) -> Option<Internal> {
        let rack = |node: NodeId| self.nodes[node.at()].rack;
        let staying = group.staying();
        let alone = |node| staying.iter().filter(|o| rack(**o) == rack(node)).count() < 2;
        let worst = |i: &&Internal| (alone(i.node), self.nodes[i.node.at()].free, i.node);
        let without = |node| staying.iter().copied().filter(|o| *o != node).collect::<Vec<_>>();
        let spare = |i: &Internal| !alone(i.node) || self.is_spread(group.code, &without(i.node));
        let worst_of = |index| {
            let of_index = group.doubles().filter(|i| i.index == index);
            of_index.min_by_key(worst).copied()
        };
        group.doubles().filter_map(|i| worst_of(i.index)).find(spare)
    }

    /// `settle` and `trim` of a block or group.
    pub(super) fn update_and_trim(
        &mut self,
        block: BlockIndex,
        moved: Option<(NodeId, NodeId)>,
        cx: &impl Context<Event, Record>,
    ) {
        let setup = Shared::clone(&self.setup);
        self.update_needed(block, cx);
        match setup.code(block) {
            Some(_) => self.trim_group(block, cx),
            None => self.trim(block, moved, cx),
        }
    }
}

/// An internal block's length; at least 1, since a flow of 0 bytes would never arrive.
fn length(group: &Group, index: u8) -> Bytes {
    group.code.internal_bytes(index).max(Bytes(1))
}
