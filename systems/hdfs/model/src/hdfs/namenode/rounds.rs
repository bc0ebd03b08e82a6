//! Pacing by rounds: `RedundancyMonitor` of Hadoop 3.x and `ReplicationMonitor` of 1.x.
//!
//! A round takes live nodes × work multiplier blocks. A block whose sources all have full queues is
//! passed over; in 3.x it waits until all queues have been scanned once. So the quota is not
//! reached, and recovery time is not monotonic in the multiplier.
use super::{NameNode, QueuedOrder, low_redundancy};
use crate::hdfs::messages::{Event, Reason, Record};
use cluster::{BlockIndex, NodeId};
use engine::{Context, Nanos};
use hdfs_policy::rereplication::Refused;
use hdfs_scenario::Pacing;
use std::collections::BTreeSet;
use units::u32_of;

impl NameNode {
    pub(super) fn round(&mut self, cx: &impl Context<Event, Record>) {
        let h = &self.setup.hdfs;
        let (period, restart) = (h.redundancy_interval, h.queue_restart_iterations);
        if h.avoid_write_stale {
            self.mark_stale(cx.now())
        }
        self.striped.begin();
        let h = &self.setup.hdfs;
        let live = u32_of(self.nodes.iter().filter(|n| n.alive).count());
        let quota = live.saturating_mul(h.work_multiplier);
        let chosen = match self.setup.keys.pacing {
            Pacing::Hdfs1 => self.needed.choose_wrapping(quota),
            _ => self.needed.choose(quota, restart),
        };
        let looked = u32_of(chosen.len());
        let (mut decided, mut passed_over) = (0, 0);
        for &(level, block) in &chosen {
            match self.turn(level, block, cx) {
                // A later round will draw it.
                Ok(()) | Err(Refused::NotDrawn(_)) => decided += 1,
                Err(Refused::SourceBusy(_)) => passed_over += 1,
                Err(_) => {}
            }
        }
        if looked > 0 {
            cx.record(Record::Round { quota, looked, passed_over })
        }
        self.pass_over_fresh(chosen.into_iter().map(|(_, block)| block).collect(), cx);
        self.give_up_if_stuck(decided, quota, cx);
        cx.after(period, Event::RedundancyTick)
    }

    /// Decides a copy of the block, or why there is none.
    fn turn(
        &mut self,
        level: u8,
        block: BlockIndex,
        cx: &impl Context<Event, Record>,
    ) -> Result<(), Refused> {
        if self.setup.code(block).is_some() {
            let turn = self.schedule_group(level, block, cx);
            return turn.inspect_err(|&refused| {
                self.wait(block, self.reason_of(level, block, refused, cx.now()), cx)
            });
        }
        let ready = move |me: &NameNode, node: NodeId| me.below_limits(level, node);
        match self.repair(block, ready, true, cx) {
            Ok(order) => {
                self.nodes.update(order.source.at(), |n| n.queued += 1);
                let reason = Reason::Heartbeat;
                self.outbox.insert((order.source, order.first), QueuedOrder { order, reason });
                self.add_pending(order, reason, cx);
                Ok(())
            }
            Err(refused) => {
                self.wait(block, self.reason_of(level, block, refused, cx.now()), cx);
                Err(refused)
            }
        }
    }

    /// 3.x: the soft limit does not apply to blocks with one replica left and to leaving nodes, the
    /// hard limit to all. 1.x: one limit for all.
    pub(super) fn below_limits(&self, level: u8, node: NodeId) -> bool {
        self.limit_reached(level, node).is_none()
    }

    /// The limit that keeps a node from being a source. Of two the smaller, since raising only the
    /// other would not help.
    fn limit_reached(&self, level: u8, node: NodeId) -> Option<Reason> {
        let (h, view) = (&self.setup.hdfs, &self.nodes[node.at()]);
        let one_limit = self.setup.keys.pacing == Pacing::Hdfs1;
        let beyond = !one_limit && (level == low_redundancy::HIGHEST || view.leaving());
        let soft = (h.max_streams, Reason::MaxStreams);
        let hard = (h.max_streams_hard_limit, Reason::HardLimit);
        let limits = [(!beyond).then_some(soft), (!one_limit).then_some(hard)];
        let queued = view.queued.saturating_sub(self.striped.count_new_orders(node));
        let reached = limits.into_iter().flatten().filter(|(limit, _)| queued >= *limit);
        reached.min_by_key(|(limit, _)| *limit).map(|(_, reason)| reason)
    }

    fn reason_of(&self, level: u8, block: BlockIndex, refused: Refused, now: Nanos) -> Reason {
        match refused {
            Refused::NoSource => Reason::NoSource,
            // A source with heartbeats shows that not all are silent.
            Refused::SourceBusy(node) if self.silent(node, now) && self.unheard(block, now) => {
                Reason::Undeclared
            }
            Refused::SourceBusy(node) => {
                self.limit_reached(level, node).unwrap_or(Reason::MaxStreams)
            }
            // More draws per round would help.
            Refused::NotDrawn(_) => Reason::Multiplier,
            Refused::TargetsLoaded => Reason::TargetsLoaded,
            Refused::UplinkBusy(_) => Reason::Uplink,
            Refused::NoTarget | Refused::RingClosed => Reason::NoTarget,
        }
    }

    /// Not declared dead, but without a heartbeat for two intervals.
    fn silent(&self, node: NodeId, now: Nanos) -> bool {
        now.saturating_sub(self.last_heartbeat[node.at()]) > self.setup.hdfs.heartbeat_interval * 2
    }

    /// Too few holders with heartbeats to read the block: a higher limit would only queue more
    /// orders that are not fetched.
    fn unheard(&self, block: BlockIndex, now: Nanos) -> bool {
        let heard = |node: NodeId| !self.silent(node, now);
        match self.group(block) {
            Some(group) => {
                let read = group.internal.iter().filter(|i| i.readable && heard(i.node));
                let indices: BTreeSet<u8> = read.map(|i| i.index).collect();
                indices.len() < usize::from(group.code.real_data())
            }
            None => !self.holders(block).readable.iter().any(|(node, _)| heard(*node)),
        }
    }

    /// New blocks that this round did not reach wait for the multiplier from now on.
    fn pass_over_fresh(
        &mut self,
        looked_at: BTreeSet<BlockIndex>,
        cx: &impl Context<Event, Record>,
    ) {
        while let Some(block) = self.fresh.pop_front() {
            let reason = self.waits.get(&block).and_then(|w| w.reason);
            if reason == Some(Reason::Interval) && !looked_at.contains(&block) {
                self.wait(block, Reason::Multiplier, cx)
            }
        }
    }

    /// Ends the run if a scan of all queues decided nothing and no copy is under way: too few live
    /// nodes, no space, or no source. Also if `max-streams` = 0 keeps heartbeats from fetching
    /// orders.
    fn give_up_if_stuck(&mut self, decided: u32, quota: u32, cx: &impl Context<Event, Record>) {
        let nothing_under_way = match self.setup.hdfs.max_streams {
            0 => self.needed.len() > 0 || !self.pending.is_empty(),
            _ => self.needed.len() > 0 && decided == 0 && self.nothing_under_way(),
        };
        let all_happened = self.undeclared == 0 && cx.now() >= self.setup.last_fault;
        let idle = nothing_under_way && all_happened;
        self.barren = if idle { self.barren + 1 } else { 0 };
        let waiting = self.needed.len() - self.needed.len_of(low_redundancy::CORRUPT);
        let passes = waiting.div_ceil(quota.max(1)).saturating_add(2);
        if self.barren > passes {
            self.stop(cx)
        } else if self.needed.len() == 0 {
            self.stop_if_done(cx)
        }
    }
}
