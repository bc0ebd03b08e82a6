//! One block, one copy: ask the policy, write the order.
use super::{NameNode, Pending, Wait, holders::Holders, needed, reserve, view};
use crate::hdfs::messages::{CopyId, Event, Order, Reason, Record};
use cluster::{BlockIndex, DiskId, NodeId};
use engine::{Context, Shared};
use policy::rereplication::{LostBlock, Refused, Source};

impl NameNode {
    /// Puts those of `blocks` that are short into the queues, and lets the policy look at all of
    /// them first.
    pub(super) fn shorten(
        &mut self,
        blocks: impl Iterator<Item = BlockIndex>,
        cx: &impl Context<Event, Record>,
    ) {
        let setup = Shared::clone(&self.setup);
        let short: Vec<(BlockIndex, Holders)> = blocks
            .filter(|&b| setup.is_replicated(b) && !setup.blocks.replicas(b).is_empty())
            .map(|b| (b, self.holders(b)))
            .filter(|(b, h)| !self.is_safe(*b, h))
            .collect();
        let sources: Vec<Vec<Source>> = short.iter().map(|(_, h)| h.sources(|_| true)).collect();
        let lost: Vec<LostBlock<'_>> =
            short.iter().zip(&sources).map(|((b, h), s)| self.as_lost(*b, h, &h.live, s)).collect();
        let view = view(&setup, &self.nodes, self.load);
        setup.policy.plan(&lost, view, &mut self.memory);
        let urgency: Vec<u8> = lost.iter().map(|l| setup.policy.urgency(l, view)).collect();
        for ((block, holders), urgency) in short.iter().zip(urgency) {
            let (wanted, live) = (self.wanted(*block), holders.live.len() as u8);
            let level = needed::level(live, holders.readable.len() as u8, wanted);
            self.needed.put(*block, level, urgency);
            if setup.event_driven() {
                self.line_up(*block, holders)
            }
            let reason = if level == needed::CORRUPT { Reason::NoSource } else { Reason::Interval };
            self.wait(*block, reason, cx);
            self.fresh.push_back(*block)
        }
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
            expected: self.setup.expected(block),
            live: present,
            sources,
            taken: &holders.taken,
            only_rack: holders.live.len() >= self.wanted(block) as usize,
        }
    }

    /// Asks the policy for source and target of one more copy; `again` lets its dice fall anew at
    /// every look.
    pub(super) fn repair(
        &mut self,
        block: BlockIndex,
        ready: impl Fn(&Self, NodeId) -> bool,
        again: bool,
        cx: &impl Context<Event, Record>,
    ) -> Result<Order, Refused> {
        let setup = Shared::clone(&self.setup);
        let holders = self.holders(block);
        let sources = holders.sources(|n| ready(self, n));
        if sources.is_empty() {
            return Err(Refused::NoSource);
        }
        let looks = self.waits.get(&block).map_or(0, |w| w.looks);
        let mut draw = cx.draw("repair", block.0 as u64, looks as u64);
        if again {
            self.waits.update(&block, |w| w.looks += 1);
        }
        let present = holders.present();
        let lost = self.as_lost(block, &holders, &present, &sources);
        let view = view(&setup, &self.nodes, self.load);
        let copy =
            setup.policy.repair(&lost, view, &mut self.memory, &mut |n: u64| draw.below(n))?;
        let disk = holders.disk_of(copy.source);
        Ok(self.order(block, copy.source, disk, copy.target))
    }

    /// Writes a copy down as pending, and takes the block out of the queue where that is enough.
    fn order(&mut self, block: BlockIndex, source: NodeId, disk: DiskId, target: NodeId) -> Order {
        self.copies += 1;
        let copy = CopyId(self.copies);
        let order =
            Order { copy, block, source, source_disk: disk, target_disk: DiskId(0), target };
        let bytes = self.setup.bytes(block);
        self.nodes.update(target.at(), |n| reserve(n, bytes));
        self.pending_of.insert((block, copy), ());
        order
    }

    /// The order stands: it waits at its source for `reason`.
    pub(super) fn promise(
        &mut self,
        order: Order,
        reason: Reason,
        cx: &impl Context<Event, Record>,
    ) {
        let pending = Pending { order, since: cx.now(), waits: Some(reason) };
        self.pending.insert(order.copy, pending);
        cx.record(Record::Decided { order, reason });
        let holders = self.holders(order.block);
        let (live, wanted) = (holders.live.len() as u8, self.wanted(order.block));
        if live >= wanted || live + holders.coming.len() as u8 >= wanted {
            self.needed.remove(order.block);
            self.waits.discard(&order.block);
        } else if let Some(reason) = self.waits.get(&order.block).and_then(|w| w.reason) {
            // One copy is not enough: the block goes on waiting.
            cx.record(Record::Waits { block: order.block, reason })
        }
    }

    /// Notes why a block waits; records only what changes.
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

    /// A replica has arrived.
    pub(super) fn received(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        let Order { block, copy, target, target_disk, .. } = order;
        let known = self.forget(order);
        let holders = self.holders(block);
        if !self.nodes[target.at()].alive || (!known && holders.taken.contains(&target)) {
            return;
        }
        self.added.insert((block, copy), (target, target_disk));
        cx.record(Record::Known(order));
        self.settle(block, cx);
        self.stop_if_done(cx)
    }

    /// Puts a block where its replicas say it belongs.
    pub(super) fn settle(&mut self, block: BlockIndex, cx: &impl Context<Event, Record>) {
        let holders = self.holders(block);
        let (live, wanted) = (holders.live.len() as u8, self.wanted(block));
        let coming = live < wanted && live + holders.coming.len() as u8 >= wanted;
        if self.is_safe(block, &holders) || coming {
            self.needed.remove(block);
            self.waits.discard(&block);
        } else {
            let level = needed::level(live, holders.readable.len() as u8, wanted);
            if !self.needed.contains(block) {
                self.fresh.push_back(block)
            }
            self.needed.put(block, level, 0);
            if self.setup.event_driven() {
                self.line_up(block, &holders)
            }
            if !self.waits.contains(&block) {
                self.wait(block, Reason::Interval, cx)
            }
        }
    }

    /// A copy is pending no more; whether it was.
    pub(super) fn forget(&mut self, order: Order) -> bool {
        self.pending_of.discard(&(order.block, order.copy));
        self.outbox.discard(&(order.source, order.copy));
        let known = self.pending.discard(&order.copy);
        if known {
            self.nodes.update(order.target.at(), |n| n.receiving -= 1)
        }
        known
    }
}

impl Holders {
    /// As a policy sees them.
    pub(super) fn sources(&self, ready: impl Fn(NodeId) -> bool) -> Vec<Source> {
        self.readable.iter().map(|&(node, _)| Source { node, ready: ready(node) }).collect()
    }

    /// Live replicas, and those that are coming: what the rack rule of one more copy looks at.
    fn present(&self) -> Vec<NodeId> {
        self.live.iter().chain(&self.coming).copied().collect()
    }

    fn disk_of(&self, node: NodeId) -> DiskId {
        self.readable.iter().find(|(n, _)| *n == node).expect("a policy takes a given source").1
    }
}
