//! Repair of one block: asks the policy, creates the order.
use super::{
    NameNode, Pending, Wait, holders::Holders, low_redundancy, reserve, traffic::Traffic, view,
};
use crate::hdfs::messages::{CopyId, Event, Leg, Order, Purpose, Reason, Record};
use cluster::{BlockIndex, DiskId, NodeId};
use engine::{Context, Shared};
use hdfs_policy::{
    Dice, placement,
    rereplication::{Copy, LostBlock, Refused, Source},
};
use units::u32_of;

impl NameNode {
    /// Queues the `blocks` that are at risk, after the policy has planned all of them.
    pub(super) fn add_needed(
        &mut self,
        blocks: impl Iterator<Item = BlockIndex>,
        cx: &impl Context<Event, Record>,
    ) {
        let setup = Shared::clone(&self.setup);
        let (mut short, mut groups, mut holders) = (vec![], vec![], Holders::default());
        for block in blocks {
            if setup.code(block).is_some() {
                groups.push(block);
                continue;
            }
            self.find_holders(block, &mut holders);
            if !self.has_enough_replicas(block, &holders) {
                short.push((block, std::mem::take(&mut holders)))
            }
        }
        let sources: Vec<Vec<Source>> =
            short.iter().map(|(_, h)| h.sources(|_| true, &self.traffic)).collect();
        let lost: Vec<LostBlock<'_>> =
            short.iter().zip(&sources).map(|((b, h), s)| self.as_lost(*b, h, &h.live, s)).collect();
        let view = view(&setup, &self.nodes, self.load, &self.traffic);
        setup.policy.plan(&lost, view, &mut self.memory);
        let urgency: Vec<u8> = lost.iter().map(|l| setup.policy.urgency(l, view)).collect();
        for ((block, holders), urgency) in short.iter().zip(urgency) {
            let level = self.level(*block, holders);
            self.needed.put(*block, level, urgency);
            if setup.event_driven() {
                self.list_at_sources(*block, holders)
            }
            self.wait(*block, at_first(level), cx);
            self.fresh.push_back(*block)
        }
        groups.into_iter().for_each(|group| self.update_needed_group(group, cx))
    }

    fn as_lost<'a>(
        &self,
        block: BlockIndex,
        holders: &'a Holders,
        present: &'a [NodeId],
        sources: &'a [Source],
    ) -> LostBlock<'a> {
        LostBlock {
            block,
            bytes: self.setup.bytes(block),
            expected: self.setup.expected_replicas(block),
            live: present,
            sources,
            taken: &holders.taken,
            only_rack: holders.live.len() >= self.required_replicas(block) as usize,
        }
    }

    /// Gets a source and all missing targets from the policy
    /// (`computeReconstructionWorkForBlocks`). `again`: the next attempt draws new random numbers.
    pub(super) fn repair(
        &mut self,
        block: BlockIndex,
        ready: impl Fn(&Self, NodeId) -> bool,
        again: bool,
        cx: &impl Context<Event, Record>,
    ) -> Result<Order, Refused> {
        let mut holders = self.holders(block);
        let sources = holders.sources(|n| ready(self, n), &self.traffic);
        if sources.is_empty() {
            return Err(Refused::NoSource);
        }
        let looks = self.waits.get(&block).map_or(0, |w| w.looks);
        let mut draw = cx.draw("repair", block.0 as u64, looks as u64);
        let dice = &mut |n: u64| draw.below(n);
        if again {
            self.waits.update(&block, |w| w.looks += 1);
        }
        let lacking = self.lacking(block, &holders);
        let Copy { source, target } = self.ask(block, &holders, &sources, dice)?;
        let from = (source, holders.disk_of(source));
        let mut targets = vec![target];
        while targets.len() < lacking {
            holders.expect(targets[targets.len() - 1]);
            let sources = [Source::new(source, true)];
            let Ok(more) = self.ask(block, &holders, &sources, dice) else { break };
            targets.push(more.target)
        }
        placement::sort_as_pipeline(
            source,
            &mut targets,
            view(&self.setup, &self.nodes, self.load, &self.traffic),
        );
        Ok(self.order(block, from, &targets))
    }

    fn ask(
        &mut self,
        block: BlockIndex,
        holders: &Holders,
        sources: &[Source],
        dice: &mut dyn Dice,
    ) -> Result<Copy, Refused> {
        let setup = Shared::clone(&self.setup);
        // `chooseTarget` gets live replicas only; targets under way are merely excluded.
        // Event-driven pacing makes one copy after the other and must count their racks.
        let coming = if setup.event_driven() { &holders.coming[..] } else { &[] };
        let present: Vec<NodeId> = holders.live.iter().chain(coming).copied().collect();
        let lost = self.as_lost(block, holders, &present, sources);
        let view = view(&setup, &self.nodes, self.load, &self.traffic);
        setup.policy.repair(&lost, view, &mut self.memory, dice)
    }

    /// Copies made in one turn (`additionalReplRequired`): all that are missing, or one on a new
    /// rack. Event-driven pacing makes one.
    fn lacking(&self, block: BlockIndex, holders: &Holders) -> usize {
        let there = holders.live.len() + holders.coming.len();
        let lacking = (self.required_replicas(block) as usize).saturating_sub(there);
        match self.setup.event_driven() {
            true => 1,
            false => lacking.clamp(1, Order::MOST_TARGETS),
        }
    }

    /// Creates an order and counts its copies as under way.
    fn order(&mut self, block: BlockIndex, from: (NodeId, DiskId), to: &[NodeId]) -> Order {
        let (first, bytes) = (CopyId(self.copies + 1), self.setup.bytes(block));
        let order = Order::new(Purpose::Replicate, first, (block, bytes), from, to);
        self.copies += u32_of(to.len());
        for leg in order.legs() {
            self.nodes.update(leg.target.at(), |n| reserve(n, bytes));
            self.pending_of.insert((block, leg.copy), ());
            self.traffic.add_copy(&leg, &self.setup);
        }
        order
    }

    /// Makes an order's copies pending; it waits at its source for `reason`.
    pub(super) fn add_pending(
        &mut self,
        order: Order,
        reason: Reason,
        cx: &impl Context<Event, Record>,
    ) {
        for leg in order.legs() {
            let (source, since) = (order.source, cx.now());
            self.pending.insert(leg.copy, Pending { leg, source, since });
        }
        cx.record(Record::Decided { order, reason });
        let holders = self.holders(order.block);
        if self.has_enough_replicas(order.block, &holders) {
            self.needed.remove(order.block);
            self.waits.discard(&order.block);
        } else if let Some(reason) = self.waits.get(&order.block).and_then(|w| w.reason) {
            // Not enough yet: the block keeps waiting.
            cx.record(Record::Waits { block: order.block, reason })
        }
    }

    /// Sets why a block waits; records only changes.
    pub(super) fn wait(
        &mut self,
        block: BlockIndex,
        reason: Reason,
        cx: &impl Context<Event, Record>,
    ) {
        let old = self.waits.get(&block).copied().unwrap_or(Wait { reason: None, looks: 0 });
        if old.reason != Some(reason) {
            self.waits.insert(block, Wait { reason: Some(reason), looks: old.looks });
            cx.record(Record::Waits { block, reason })
        }
    }

    /// A replica has arrived: of this copy, or of another order to the same node. An excess replica
    /// is then deleted, from `hint` first.
    pub(super) fn receive_replica(
        &mut self,
        leg: Leg,
        hint: Option<NodeId>,
        cx: &impl Context<Event, Record>,
    ) {
        let Leg { block, copy, target, target_disk, .. } = leg;
        self.late.discard(&copy);
        if let Some(awaited) = self.find_pending(block, target) {
            if awaited.copy != copy {
                // The other order continues, though it is not needed.
                let source = self.pending.get(&awaited.copy).expect("a pending copy").source;
                self.late.insert(awaited.copy, (source, cx.now()));
            }
            self.forget(awaited);
            self.fill_uplinks(&awaited, cx)
        }
        if !self.nodes[target.at()].alive || self.is_held_or_pending(block, target) {
            return;
        }
        self.added.insert((block, copy), (target, target_disk));
        cx.record(Record::Known(leg));
        self.notify_balancer(Event::Replica(block, target, Some(target_disk)), cx);
        self.update_and_trim(block, hint.map(|node| (node, target)), cx);
        if self.setup.event_driven() {
            self.send_on(block, cx)
        }
        self.stop_if_done(cx)
    }

    pub(super) fn find_pending(&self, block: BlockIndex, target: NodeId) -> Option<Leg> {
        let all_copies = (block, CopyId(0))..=(block, CopyId(u32::MAX));
        let mut legs = self.pending_of.range(all_copies).map(|((_, copy), ())| copy);
        let leg = |copy| self.pending.get(copy).expect("a pending copy").leg;
        legs.find_map(|copy| Some(leg(copy)).filter(|leg| leg.target == target))
    }

    /// Queues a block at its level, or removes it if it has enough replicas.
    pub(super) fn update_needed(&mut self, block: BlockIndex, cx: &impl Context<Event, Record>) {
        if self.setup.code(block).is_some() {
            return self.update_needed_group(block, cx);
        }
        let holders = self.holders(block);
        if self.has_enough_replicas(block, &holders) {
            self.end_wait(block, cx)
        } else {
            let level = self.level(block, &holders);
            let urgency = self.urgency(block, &holders);
            self.needed.put(block, level, urgency);
            if self.setup.event_driven() {
                self.list_at_sources(block, &holders)
            }
            self.restart_wait(block, !holders.readable.is_empty(), at_first(level), cx)
        }
    }

    /// Ends a block's wait: it is safe, or the copies under way suffice.
    pub(super) fn end_wait(&mut self, block: BlockIndex, cx: &impl Context<Event, Record>) {
        self.needed.remove(block);
        if self.waits.discard(&block) {
            cx.record(Record::Awaits(block))
        }
    }

    /// Starts a new wait if the block had none, or if its reason is gone (no source, or silent
    /// sources only). Others keep their reason.
    pub(super) fn restart_wait(
        &mut self,
        block: BlockIndex,
        readable: bool,
        reason: Reason,
        cx: &impl Context<Event, Record>,
    ) {
        let old = self.waits.get(&block).and_then(|w| w.reason);
        let other = match old {
            None | Some(Reason::Undeclared) => true,
            Some(Reason::NoSource) => readable,
            Some(_) => false,
        };
        if other {
            self.fresh.push_back(block);
            self.wait(block, reason, cx)
        }
    }

    fn urgency(&self, block: BlockIndex, holders: &Holders) -> u8 {
        let sources = holders.sources(|_| true, &self.traffic);
        let lost = self.as_lost(block, holders, &holders.live, &sources);
        let view = view(&self.setup, &self.nodes, self.load, &self.traffic);
        self.setup.policy.urgency(&lost, view)
    }

    /// Its queue; copies under way count as replicas (`LowRedundancyBlocks.update`).
    fn level(&self, block: BlockIndex, holders: &Holders) -> u8 {
        let effective = holders.live.len() + holders.coming.len();
        low_redundancy::level(
            effective,
            holders.readable.len(),
            self.required_replicas(block).into(),
        )
    }

    /// Removes a pending copy; false if it was not pending.
    pub(super) fn forget(&mut self, leg: Leg) -> bool {
        self.pending_of.discard(&(leg.block, leg.copy));
        let known = self.pending.discard(&leg.copy);
        if known {
            self.nodes.update(leg.target.at(), |n| n.receiving -= 1);
            self.traffic.remove_copy(&leg, &self.setup)
        }
        known
    }
}

/// Initial reason of a wait, before the first decision.
fn at_first(level: u8) -> Reason {
    if level == low_redundancy::CORRUPT { Reason::NoSource } else { Reason::Interval }
}

impl Holders {
    fn sources(&self, ready: impl Fn(NodeId) -> bool, traffic: &Traffic) -> Vec<Source> {
        let source = |&(node, disk): &(NodeId, DiskId)| {
            let disk_streams = traffic.count_reads(node, disk);
            Source { node, ready: ready(node), disk_streams }
        };
        self.readable.iter().map(source).collect()
    }

    /// Further decisions of this turn see a replica at `target`.
    fn expect(&mut self, target: NodeId) {
        self.live.push(target);
        self.taken.push(target)
    }

    fn disk_of(&self, node: NodeId) -> DiskId {
        self.readable.iter().find(|(n, _)| *n == node).expect("a policy takes a given source").1
    }
}
