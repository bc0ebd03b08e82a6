//! The NameNode: detects dead nodes and blocks at risk, and decides copies. Three ways of pacing
//! share its state: `rounds` (Hadoop 1.x and 3.x) and `streams` (event by event).
mod failed_disks;
mod group_tasks;
mod groups;
mod heartbeats;
mod holders;
mod leaving;
mod low_redundancy;
mod moves;
mod repair;
mod returning;
mod rounds;
mod streams;
mod striped;
mod traffic;

use super::{
    messages::{CopyId, Event, Leg, Order, Reason, Record},
    setup::{Setup, view_of},
};
use cluster::{BlockIndex, DiskId, NodeId, RackId};
use engine::{Array, Context, Model, Nanos, Queue, Recorder, Rewind, Scalar, Shared, Table};
use group_tasks::Striped;
use hdfs_policy::{NodeView, View, rereplication::Memory};
use low_redundancy::{LowRedundancyBlocks, Place};
use std::collections::BTreeMap;
use traffic::Traffic;
use units::Bytes;

/// Why a block waits, and how often the policy has been asked for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
struct Wait {
    /// `None`: it waits for copies under way.
    reason: Option<Reason>,
    looks: u32,
}

/// A copy decided and not yet reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
struct Pending {
    leg: Leg,
    /// Source of the order; the leg's sender may be another target.
    source: NodeId,
    since: Nanos,
}

/// An order that its source has not fetched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
struct QueuedOrder {
    order: Order,
    reason: Reason,
}

#[derive(Rewind)]
pub struct NameNode {
    setup: Shared<Setup>,
    nodes: Array<NodeView>,
    /// Time of the last heartbeat.
    last_heartbeat: Array<Nanos>,
    /// Sum of transfer threads over nodes in service, and their number (`considerLoad`).
    load: (u64, u32),
    /// Replicas made in this run and not deleted.
    added: Table<(BlockIndex, CopyId), (NodeId, DiskId)>,
    /// Replicas of the map at the start that were deleted as excess.
    removed: Table<(BlockIndex, NodeId), ()>,
    /// Failed disks already processed.
    failed: Table<(NodeId, DiskId), ()>,
    /// Failed disks not yet processed.
    failing: Queue<(NodeId, DiskId)>,
    needed: LowRedundancyBlocks,
    /// Waits of blocks in `needed`.
    waits: Table<BlockIndex, Wait>,
    /// Blocks put into `needed` since the last round.
    fresh: Queue<BlockIndex>,
    pending: Table<CopyId, Pending>,
    pending_of: Table<(BlockIndex, CopyId), ()>,
    /// Copies given up as late, which may still flow: source, and since when.
    late: Table<CopyId, (NodeId, Nanos)>,
    /// Orders not fetched by their source, in order. Orders given up as late stay and are executed
    /// in their turn. Event-driven pacing: the sources' lists, if sources are chosen before.
    outbox: Table<(NodeId, CopyId), QueuedOrder>,
    /// Event-driven pacing: by node, blocks that it could send, by their place in `needed`.
    lines: Table<(NodeId, Place), BlockIndex>,
    /// Event-driven pacing: by rack, blocks that wait for its uplink.
    uplink_lines: Table<(RackId, Place), BlockIndex>,
    traffic: Traffic,
    striped: Striped,
    memory: Memory,
    copies: u32,
    /// Consecutive rounds without a decision and without copies under way.
    barren: u32,
    /// Faults and requests to leave not yet detected, plus a balancer that runs alone.
    undeclared: u32,
    /// Nodes asked to leave that the monitor has not processed.
    leaving: Queue<NodeId>,
    stopping: bool,
}

impl NameNode {
    pub fn new(setup: Shared<Setup>, faults: u32) -> NameNode {
        let (n, r) = (setup.cluster.nodes.len(), setup.cluster.racks.len());
        let memory = Memory::new(n, r);
        let nodes: Array<NodeView> = setup.cluster.nodes.iter().map(view_of).collect();
        let in_service = nodes.iter().filter(|v| v.in_service());
        let load = in_service.fold((0, 0), |(sum, n), v| (sum + v.xceivers as u64, n + 1));
        NameNode {
            nodes,
            load,
            last_heartbeat: (0..n).map(|_| Nanos::ZERO).collect(),
            added: Table::new(),
            removed: Table::new(),
            failed: Table::new(),
            failing: Queue::new(),
            needed: LowRedundancyBlocks::default(),
            waits: Table::new(),
            fresh: Queue::new(),
            pending: Table::new(),
            pending_of: Table::new(),
            late: Table::new(),
            outbox: Table::new(),
            lines: Table::new(),
            uplink_lines: Table::new(),
            traffic: Traffic::new(&setup),
            striped: Striped::default(),
            memory,
            copies: 0,
            barren: 0,
            undeclared: faults,
            leaving: Queue::new(),
            stopping: false,
            setup,
        }
    }

    fn boot(&mut self, cx: &impl Context<Event, Record>) {
        let h = &self.setup.hdfs;
        if !self.setup.event_driven() {
            // The fault happens at a random phase of the monitors' periods.
            let phase = |purpose, period: Nanos| {
                Nanos(cx.draw(purpose, 0, 0).below(period.0.max(1)).max(1))
            };
            cx.after(phase("redundancy-phase", h.redundancy_interval), Event::RedundancyTick);
            cx.after(phase("recheck-phase", h.heartbeat_recheck_interval), Event::RecheckTick);
            cx.after(pending_period(h), Event::PendingTick);
            self.start_admin_monitor(cx)
        }
        self.find_short(cx);
        if self.setup.event_driven() {
            self.start_streams(cx);
            let others_work = self.setup.foreground.is_some() || self.setup.balancer.is_some();
            if others_work || self.setup.ends_undetected {
                cx.after(self.setup.last_fault + Nanos::secs(1), Event::IdleTick)
            }
        }
    }

    /// Queues blocks that are at risk or leaving in the input.
    fn find_short(&mut self, cx: &impl Context<Event, Record>) {
        self.add_needed((0..self.setup.blocks.len()).map(BlockIndex), cx)
    }

    /// Ends the run when all faults are detected and no block is at risk or under way.
    fn stop_if_done(&mut self, cx: &impl Context<Event, Record>) {
        let idle = self.undeclared == 0
            && cx.now() >= self.setup.last_fault
            && self.nothing_under_way()
            && self.needed.len() == self.needed.len_of(low_redundancy::CORRUPT);
        if idle {
            self.stop(cx)
        }
    }

    /// Ends a run without rounds in which clients or the balancer continue or a late fault is not
    /// detected: it would not end by itself.
    fn stop_if_only_others_work(&mut self, cx: &impl Context<Event, Record>) {
        match self.nothing_under_way() && !self.waits_for_balancer() {
            true => self.stop(cx),
            false => cx.after(Nanos::secs(1), Event::IdleTick),
        }
    }

    /// No copy is pending or waits at its source, and by the heartbeats no late copy still flows.
    fn nothing_under_way(&self) -> bool {
        let flows = |&(source, given_up): &(NodeId, Nanos)| {
            let (view, seen) = (&self.nodes[source.at()], self.last_heartbeat[source.at()]);
            view.alive && (view.sending > 0 || seen <= given_up)
        };
        self.pending.is_empty() && self.outbox.is_empty() && !self.late.values().any(flows)
    }

    /// At the end of the run: reports blocks at risk that are in no queue since copies are under
    /// way.
    fn tell_underway(&self, cx: &impl Recorder<Record>) {
        let of = |w: &QueuedOrder| self.legs_of(&w.order).into_iter().map(|leg| leg.copy);
        let at_source: BTreeMap<CopyId, Reason> =
            self.outbox.values().flat_map(|w| of(w).map(|copy| (copy, w.reason))).collect();
        let mut last = None;
        for &(block, copy) in self.pending_of.iter().map(|(key, ())| key) {
            let told = last.replace(block) == Some(block) || self.needed.contains(block);
            if !told && !self.is_safe(block, &self.holders(block)) {
                let (reason, bytes) = (at_source.get(&copy).copied(), self.setup.bytes(block));
                cx.record(Record::Unrepaired { block, reason, bytes })
            }
        }
    }

    fn stop(&mut self, cx: &impl Context<Event, Record>) {
        if !self.stopping {
            self.stopping = true;
            cx.stop(cx.now() + self.setup.stop_margin)
        }
    }
}

impl Model for NameNode {
    type Event = Event;
    type Record = Record;

    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match *event {
            Event::Boot => self.boot(cx),
            Event::Heartbeat { node, sending, xceivers } => {
                self.heartbeat(node, sending, xceivers, cx)
            }
            Event::RedundancyTick => self.round(cx),
            Event::RecheckTick => self.check_heartbeats(cx),
            Event::PendingTick => self.expire(cx),
            Event::AdminTick => self.admin_tick(cx),
            Event::IdleTick => self.stop_if_only_others_work(cx),
            Event::Leave { node, maintenance } => self.leave(node, maintenance, cx),
            Event::Lost(node) => self.declare(node, cx),
            Event::Back(node) => self.handle_return(node, cx),
            Event::DiskLost(node, disk) => self.disk_lost(node, disk, cx),
            Event::Received(leg) => self.receive_replica(leg, None, cx),
            Event::ReceivedMove(order) => self.received_move(order, cx),
            Event::Balanced => self.balanced(cx),
            Event::Freed(order) => self.handle_free_stream(order, cx),
            Event::Failed(order) => self.failed(order, cx),
            _ => unreachable!("the NameNode was sent {event:?}"),
        }
    }

    /// A heartbeat reads and writes the rows of its node.
    #[inline(always)]
    fn foresee(&self, event: &Event, step: u32) {
        if let (Event::Heartbeat { node, .. }, 0) = (event, step) {
            engine::prefetch(&self.nodes, node.at());
            engine::prefetch(&self.last_heartbeat, node.at())
        }
    }

    fn finish(&self, cx: &impl Recorder<Record>) {
        for (_, block) in self.needed.iter() {
            let reason = self.waits.get(&block).and_then(|w| w.reason);
            cx.record(Record::Unrepaired { block, reason, bytes: self.setup.bytes(block) })
        }
        self.tell_underway(cx)
    }
}

/// `PendingReconstructionBlocks`: every five minutes, or once per timeout if that is shorter.
fn pending_period(h: &hdfs_scenario::HdfsSite) -> Nanos {
    h.pending_timeout.min(Nanos::secs(300)).max(Nanos::secs(1))
}

/// The policies' view; it excludes their memory, which they change.
fn view<'a>(
    setup: &'a Setup,
    nodes: &'a [NodeView],
    load: (u64, u32),
    traffic: &'a Traffic,
) -> View<'a> {
    let h = &setup.hdfs;
    View {
        nodes,
        racks: &setup.racks,
        load_factor: h.consider_load.then_some(h.consider_load_factor),
        load,
        avoid_stale: h.avoid_write_stale,
        uplinks: traffic.uplinks(),
    }
}

/// Reserves space for a copy on its target.
fn reserve(view: &mut NodeView, bytes: Bytes) {
    view.free = view.free.saturating_sub(bytes);
    view.receiving += 1
}
