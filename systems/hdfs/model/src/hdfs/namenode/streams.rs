//! Event-driven pacing: a source starts its next copy as soon as a stream is free. No Hadoop does
//! this; the simulation of Higai et al. 2014 must have, since rounds of 3 s keep a source below its
//! disk's rate.
//!
//! A block waits if its source is busy. When a node's stream is free, the waiting blocks that it
//! holds are tried in queue order until the stream is taken: O(blocks of the node). A target of a
//! block that still lacks replicas may send it on at once.
//!
//! If sources are chosen before (`policy.sources_chosen`), every copy is decided as soon as its
//! block is queued, as if every source had a free stream, and waits in its source's list.
use super::{NameNode, QueuedOrder, holders::Holders, low_redundancy, traffic::crossing};
use crate::hdfs::messages::{CopyId, Event, Leg, Order, Reason, Record};
use cluster::{BlockIndex, NodeId, RackId};
use engine::Context;
use hdfs_policy::rereplication::Refused;
use std::ops::Bound;

impl NameNode {
    /// Tries every queued block, in order.
    pub(super) fn start_streams(&mut self, cx: &impl Context<Event, Record>) {
        let all: Vec<(u8, BlockIndex)> = self.needed.iter().collect();
        self.fresh.clear();
        for (level, block) in all {
            let is_repairable = level != low_redundancy::CORRUPT;
            while is_repairable
                && self.try_stream(block, cx)
                && self.setup.chooses_before()
                && self.needed.contains(block)
            {}
        }
        self.stop_if_stuck(cx)
    }

    fn has_stream(&self, node: NodeId) -> bool {
        self.nodes[node.at()].sending < self.setup.keys.streams_per_source
    }

    /// Starts or lists a copy, or sets why the block waits. Returns whether there is a copy.
    fn try_stream(&mut self, block: BlockIndex, cx: &impl Context<Event, Record>) -> bool {
        let before = self.setup.chooses_before();
        match self.repair(block, |me, node| before || me.has_stream(node), false, cx) {
            Ok(order) => {
                self.waits.update(&block, |w| w.looks += 1);
                match before {
                    true => self.list(order, cx),
                    false => {
                        self.nodes.update(order.source.at(), |n| n.sending += 1);
                        self.add_pending(order, Reason::Latency, cx);
                        self.command(order, cx)
                    }
                }
                return true;
            }
            Err(Refused::SourceBusy(node)) => self.wait(block, Reason::Stream(node), cx),
            Err(Refused::NoSource) => self.wait(block, Reason::NoSource, cx),
            Err(Refused::UplinkBusy(rack)) => self.wait_for_uplink(block, rack, cx),
            Err(_) => self.wait(block, Reason::NoTarget, cx),
        }
        false
    }

    /// Appends a copy to its source's list, which is in the order of decisions.
    fn list(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        let (source, reason) = (order.source, Reason::Stream(order.source));
        self.nodes.update(source.at(), |n| n.queued += 1);
        self.outbox.insert((source, order.first), QueuedOrder { order, reason });
        self.add_pending(order, reason, cx);
        self.send_listed(source, cx)
    }

    /// Sends copies of a node's list on its free streams.
    fn send_listed(&mut self, node: NodeId, cx: &impl Context<Event, Record>) {
        let list = (node, CopyId(0))..=(node, CopyId(u32::MAX));
        while self.has_stream(node) {
            let next = self.outbox.range(list.clone()).next().map(|(_, listed)| listed.order);
            let Some(order) = next else { return };
            self.nodes.update(node.at(), |n| n.sending += 1);
            self.fetch(order, cx)
        }
    }

    /// A copy has arrived: if its block still lacks replicas, the new holder may send it on.
    pub(super) fn send_on(&mut self, block: BlockIndex, cx: &impl Context<Event, Record>) {
        if self.needed.contains(block) {
            self.try_stream(block, cx);
        }
        self.stop_if_stuck(cx)
    }

    /// A source has sent a copy: tries the waiting blocks that it holds.
    pub(super) fn handle_free_stream(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        self.nodes.update(order.source.at(), |n| n.sending -= 1);
        self.send_listed(order.source, cx);
        self.fill_streams(order.source, cx);
        self.stop_if_stuck(cx)
    }

    /// Lists a waiting block at all nodes that could send it.
    pub(super) fn list_at_sources(&mut self, block: BlockIndex, holders: &Holders) {
        let Some(place) = self.needed.place_of(block) else { return };
        for &(node, _) in &holders.readable {
            self.lines.insert((node, place), block);
        }
    }

    fn fill_streams(&mut self, node: NodeId, cx: &impl Context<Event, Record>) {
        let (mut from, last) = (Bound::Included((node, (0, 0))), (node, (u8::MAX, u64::MAX)));
        // One at a time: usually the first takes the stream, and thousands wait.
        while self.has_stream(node) {
            let next = self.lines.range((from, Bound::Included(last))).next();
            let Some((at, block)) = next.map(|(&at, &block)| (at, block)) else { return };
            from = Bound::Excluded(at);
            if self.needed.place_of(block) == Some(at.1) {
                self.try_stream(block, cx);
            } else {
                // Sent by another holder meanwhile, or listed at another place.
                self.lines.discard(&at);
            }
        }
    }

    fn wait_for_uplink(
        &mut self,
        block: BlockIndex,
        rack: RackId,
        cx: &impl Context<Event, Record>,
    ) {
        if let Some(place) = self.needed.place_of(block) {
            self.uplink_lines.insert((rack, place), block);
        }
        self.wait(block, Reason::Uplink, cx)
    }

    /// A copy between racks has ended: tries the blocks that wait for its uplinks until these are
    /// full.
    pub(super) fn fill_uplinks(&mut self, ended: &Leg, cx: &impl Context<Event, Record>) {
        let Some((from, to)) = crossing(ended, &self.setup) else { return };
        for rack in [from, to] {
            let all = (rack, (0, 0))..=(rack, (u8::MAX, u64::MAX));
            let line: Vec<_> = self.uplink_lines.range(all).map(|(&at, &b)| (at, b)).collect();
            for (at, block) in line {
                if self.traffic.is_full(rack) {
                    break;
                }
                self.uplink_lines.discard(&at);
                if self.needed.place_of(block) == Some(at.1) {
                    self.try_stream(block, cx);
                }
            }
        }
    }

    /// A copy broke off: requeues its block at once.
    pub(super) fn failed(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        if order.legs().fold(false, |any, leg| self.forget(leg) | any) {
            order.legs().for_each(|leg| self.fill_uplinks(&leg, cx));
            self.update_needed(order.block, cx);
            if self.needed.contains(order.block) {
                self.try_stream(order.block, cx);
            }
        }
    }

    /// A node is gone: requeues the blocks that it was sending or receiving.
    pub(super) fn break_off(&mut self, node: NodeId, cx: &impl Context<Event, Record>) {
        let of_node = |leg: &Leg| leg.sender == node || leg.target == node;
        let gone: Vec<Leg> = self.pending.values().map(|p| p.leg).filter(of_node).collect();
        for leg in gone {
            self.forget(leg);
            // Still in its source's list: nothing of it is under way.
            if self.outbox.discard(&(leg.sender, leg.copy)) {
                self.nodes.update(leg.sender.at(), |n| n.queued -= 1);
                cx.record(Record::Broken(leg))
            }
            self.update_needed(leg.block, cx)
        }
    }

    /// Ends the run if no copy is under way and no stream can become free.
    fn stop_if_stuck(&mut self, cx: &impl Context<Event, Record>) {
        let noticed = self.undeclared == 0 && cx.now() >= self.setup.last_fault;
        let idle = |n: &hdfs_policy::NodeView| !n.alive || n.sending == 0;
        if noticed && self.pending.is_empty() && self.nodes.iter().all(idle) {
            self.stop(cx)
        }
    }
}
