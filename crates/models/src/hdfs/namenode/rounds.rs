//! Pacing by rounds: `RedundancyMonitor` of Hadoop 3.x and `ReplicationMonitor` of 1.x.
//!
//! A round takes live nodes × work multiplier blocks. A block whose sources all have their limit of
//! copies queued is passed over, and in 3.x waits until the queues have been gone through once:
//! *live × multiplier is not reached*, and recovery is not monotonic in the multiplier.
use super::{NameNode, needed};
use crate::hdfs::messages::{Event, Reason, Record};
use cluster::{BlockIndex, NodeId, Pacing};
use engine::Context;
use policy::rereplication::Refused;
use std::collections::BTreeSet;

impl NameNode {
    pub(super) fn round(&mut self, cx: &impl Context<Event, Record>) {
        let h = &self.setup.hdfs;
        let (period, restart) = (h.redundancy_interval, h.queue_restart_iterations);
        if h.avoid_write_stale {
            self.mark_stale(cx.now())
        }
        let h = &self.setup.hdfs;
        let live = self.nodes.iter().filter(|n| n.alive).count() as u32;
        let quota = live * h.work_multiplier;
        let chosen = match self.setup.keys.pacing {
            Pacing::Hdfs1 => self.needed.choose_wrapping(quota),
            _ => self.needed.choose(quota, restart),
        };
        let looked = chosen.len() as u32;
        let (mut decided, mut passed_over) = (0, 0);
        for &(level, block) in &chosen {
            match self.turn(level, block, cx) {
                Ok(()) => decided += 1,
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

    /// A block's turn: a copy, or the reason why not.
    fn turn(
        &mut self,
        level: u8,
        block: BlockIndex,
        cx: &impl Context<Event, Record>,
    ) -> Result<(), Refused> {
        let ready = move |me: &NameNode, node: NodeId| me.below_limits(level, node);
        match self.repair(block, ready, true, cx) {
            Ok(order) => {
                self.nodes.update(order.source.at(), |n| n.queued += 1);
                self.outbox.insert((order.source, order.copy), ());
                self.promise(order, Reason::Heartbeat, cx);
                Ok(())
            }
            Err(refused) => {
                self.wait(block, self.reason_of(refused), cx);
                Err(refused)
            }
        }
    }

    /// 3.x: the soft limit does not bind blocks with one replica left, nor leaving nodes; the hard
    /// limit binds all. 1.x: one limit for all.
    fn below_limits(&self, level: u8, node: NodeId) -> bool {
        let (h, view) = (&self.setup.hdfs, &self.nodes[node.at()]);
        if self.setup.keys.pacing == Pacing::Hdfs1 {
            return view.queued < h.max_streams;
        }
        let soft = level == needed::HIGHEST || view.leaving() || view.queued < h.max_streams;
        soft && view.queued < h.max_streams_hard_limit
    }

    fn reason_of(&self, refused: Refused) -> Reason {
        match refused {
            Refused::NoSource => Reason::NoSource,
            Refused::SourceBusy(node) => {
                let hard = self.setup.hdfs.max_streams_hard_limit;
                let soft = self.setup.hdfs.max_streams;
                let queued = self.nodes[node.at()].queued;
                if queued >= hard && hard > soft { Reason::HardLimit } else { Reason::MaxStreams }
            }
            Refused::TargetsLoaded => Reason::TargetsLoaded,
            Refused::NoTarget | Refused::RingClosed => Reason::NoTarget,
        }
    }

    /// Blocks that this round did not reach wait for the multiplier from now on.
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

    /// Once the queues have been gone through without a decision and nothing is under way, nothing
    /// will ever change: fewer live nodes than replicas, no room, no source.
    fn give_up_if_stuck(&mut self, decided: u32, quota: u32, cx: &impl Context<Event, Record>) {
        let waiting = self.needed.len() > 0 && self.undeclared == 0;
        let idle = decided == 0 && self.pending.is_empty() && waiting;
        self.barren = if idle { self.barren + 1 } else { 0 };
        let passes = self.needed.len().div_ceil(quota.max(1)) + 2;
        if self.barren > passes {
            self.stop(cx)
        } else if self.needed.len() == 0 {
            self.stop_if_done(cx)
        }
    }
}
