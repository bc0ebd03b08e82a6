//! The HDFS balancer (`Balancer`, `Dispatcher`): iteration by iteration it moves replicas from
//! nodes above the mean utilisation to nodes below it.
//!
//! An iteration classifies the nodes (`classify`) and pairs them (`pairs`). Each source then
//! chooses blocks and proxies while these have free slots (`choose`). Moves run, up to a limit per
//! target, until all have ended or the iteration times out. DataNodes throttle moves and refuse
//! them above a limit; the balancer then tries another later.
mod balancing;
mod choose;
mod classify;
mod known_replicas;
mod pairs;
mod tally;
mod tasks;
pub use balancing::Balancing;
pub use tally::Tally;

use super::{
    messages::{BalancerEnd, CopyId, Event, Order, Record},
    setup::Setup,
};
use classify::{StorageReport, classify};
use cluster::{BlockIndex, NodeId};
use engine::{Context, Model, Nanos, Recorder, Rewind, Shared, Table};
use known_replicas::KnownReplicas;
use pairs::pair;
use std::collections::BTreeSet;
use tasks::Tasks;
use units::u32_of;

/// The balancer ends after this number of iterations in a row without a byte
/// (`NameNodeConnector.DEFAULT_MAX_IDLE_ITERATIONS`).
const MOST_IDLE: u32 = 5;

#[derive(Rewind)]
pub struct Balancer {
    setup: Shared<Setup>,
    stock: KnownReplicas,
    silent: Table<NodeId, ()>,
    /// Blocks chosen for a move, and when (`MovedBlocks`).
    moved: Table<BlockIndex, Nanos>,
    /// Moves by target, in the order chosen.
    waiting: Table<(NodeId, CopyId), Order>,
    /// Moves without an answer.
    running: Table<CopyId, Order>,
    /// Concurrent moves per target in this iteration.
    threads: u32,
    moves: u32,
    /// What is left to choose in this iteration.
    tasks: Tasks,
    /// When the sources choose next, unless a move ends earlier.
    awake_at: Nanos,
    /// Iterations so far, including the current one.
    iteration: u32,
    iterating: bool,
    /// This iteration has moved something; iterations in a row before it that have not.
    progress: bool,
    idle: u32,
}

impl Balancer {
    pub fn new(setup: Shared<Setup>) -> Balancer {
        Balancer {
            stock: KnownReplicas::new(Shared::clone(&setup)),
            silent: Table::new(),
            moved: Table::new(),
            waiting: Table::new(),
            running: Table::new(),
            threads: 0,
            moves: 0,
            iteration: 0,
            iterating: false,
            tasks: Tasks::default(),
            awake_at: Nanos::ZERO,
            progress: false,
            idle: 0,
            setup,
        }
    }

    fn given(&self) -> &Balancing {
        self.setup.balancer.as_ref().expect("a balancer that runs")
    }

    /// Nodes in service with a known capacity.
    fn fills(&self) -> Vec<StorageReport> {
        let given = self.given();
        let all = (0..u32_of(given.capacity.len())).map(NodeId);
        let fill = |node: NodeId| {
            let (used, capacity) = (self.stock.used(node), given.capacity[node.at()]);
            let taken = used.saturating_sub(given.used[node.at()]);
            let freed = given.used[node.at()].saturating_sub(used);
            let remaining = (given.remaining[node.at()] + freed).saturating_sub(taken);
            StorageReport { node, used, capacity, remaining }
        };
        all.filter(|n| self.stock.is_serving(*n)).map(fill).filter(|f| f.capacity > 0).collect()
    }

    fn tell_utilisation(&self, nodes: &[StorageReport], cx: &impl Recorder<Record>) {
        let all = || nodes.iter().map(StorageReport::utilisation);
        if let (Some(least), Some(most)) = (all().reduce(f64::min), all().reduce(f64::max)) {
            cx.record(Record::Utilisation { least, most })
        }
    }

    fn iterate(&mut self, cx: &impl Context<Event, Record>) {
        self.iteration += 1;
        let mut nodes = self.fills();
        self.tell_utilisation(&nodes, cx);
        cx.draw("balancer-nodes", 0, self.iteration as u64).shuffle(&mut nodes);
        let keys = &self.given().keys;
        let classes = classify(&nodes, keys.threshold, keys.max_size_to_move.0);
        if classes.left == 0 {
            return self.end(BalancerEnd::Balanced, cx);
        }
        let rack = |node: NodeId| self.setup.cluster.nodes[node.at()].rack;
        let tasks = pair(classes, |a, b| rack(a) == rack(b));
        if tasks.is_empty() {
            return self.end(BalancerEnd::NothingToMove, cx);
        }
        let targets: BTreeSet<NodeId> = tasks.iter().map(|task| task.target).collect();
        let longest = keys.max_iteration_time;
        let share = keys.mover_threads / u32_of(targets.len());
        let threads = share.clamp(1, keys.concurrent_moves);
        (self.threads, self.progress, self.iterating) = (threads, false, true);
        cx.after(longest, Event::BalanceOver(self.iteration));
        self.awake_at = Nanos::ZERO;
        self.tasks.clear();
        self.deal(tasks, cx);
        self.choose(cx);
        self.finish_if_done(cx)
    }

    /// Starts moves of a target up to its threads.
    fn start_more(&mut self, target: NodeId, cx: &impl Context<Event, Record>) {
        let to_it = |order: &&Order| order.targets().contains(&target);
        let mut busy = u32_of(self.running.values().filter(to_it).count());
        let mine = (target, CopyId(0))..=(target, CopyId(u32::MAX));
        let all: Vec<Order> = self.waiting.range(mine).map(|(_, order)| *order).collect();
        for order in all {
            if busy >= self.threads {
                return;
            }
            self.waiting.discard(&(target, order.first));
            // The connection to a silent node fails.
            if self.silent.iter().any(|(node, ())| order.involves(*node)) {
                self.tasks.remove_move(&order);
                self.delay(&order, cx.now())
            } else {
                busy += 1;
                self.running.insert(order.first, order);
                cx.record(Record::Moves(order));
                self.send_event(order.source, Event::Copy(order), cx)
            }
        }
    }

    fn send_event(&self, node: NodeId, event: Event, cx: &impl Context<Event, Record>) {
        let to = self.setup.lps.datanodes.at(node.0);
        cx.notify(to, event)
    }

    /// The answer to a move; ignored if the iteration no longer waits for it.
    fn moved(&mut self, copy: CopyId, whole: bool, cx: &impl Context<Event, Record>) {
        let Some(order) = self.running.remove(&copy) else { return };
        self.progress |= whole;
        self.tasks.remove_move(&order);
        if !whole {
            self.delay(&order, cx.now())
        }
        order.targets().iter().for_each(|to| self.start_more(*to, cx));
        self.choose(cx);
        self.finish_if_done(cx)
    }

    /// Connections to a node break: its moves fail.
    fn lost(&mut self, node: NodeId, cx: &impl Context<Event, Record>) {
        self.silent.insert(node, ());
        let of_node = |order: &&Order| order.involves(node);
        let broken: Vec<Order> = self.running.values().filter(of_node).copied().collect();
        for order in broken {
            if order.source == node {
                order.targets().iter().for_each(|to| self.send_event(*to, Event::Gone(order), cx))
            }
            self.moved(order.first, false, cx)
        }
    }

    /// Stops waiting for moves that have not ended; running ones may continue (`isIterationOver`).
    fn give_up(&mut self, iteration: u32, cx: &impl Context<Event, Record>) {
        if self.iterating && iteration == self.iteration {
            self.waiting.clear();
            self.running.clear();
            self.tasks.clear();
            self.finish_if_done(cx)
        }
    }

    fn finish_if_done(&mut self, cx: &impl Context<Event, Record>) {
        let busy = !self.waiting.is_empty() || !self.running.is_empty();
        if busy || !self.iterating || !self.tasks.are_done() {
            return;
        }
        self.iterating = false;
        self.idle = if self.progress { 0 } else { self.idle + 1 };
        if self.idle >= MOST_IDLE {
            return self.end(BalancerEnd::NoProgress, cx);
        }
        // Time for excess replicas to be deleted (`Balancer.run`, `sleeptime`).
        let h = &self.setup.hdfs;
        let pause = Nanos(2 * h.heartbeat_interval.0) + h.redundancy_interval;
        cx.after(pause, Event::BalanceTick)
    }

    fn end(&mut self, why: BalancerEnd, cx: &impl Context<Event, Record>) {
        cx.record(Record::BalancerEnds { why, iterations: self.iteration });
        let to = self.setup.lps.namenode;
        cx.notify(to, Event::Balanced)
    }
}

impl Model for Balancer {
    type Event = Event;
    type Record = Record;

    fn handle(&mut self, event: &Event, cx: &impl Context<Event, Record>) {
        match *event {
            Event::BalanceTick => self.iterate(cx),
            Event::BalanceWaited(iteration) if iteration == self.iteration => {
                self.choose(cx);
                self.finish_if_done(cx)
            }
            Event::BalanceWaited(_) => {}
            Event::BalanceOver(iteration) => self.give_up(iteration, cx),
            Event::Moved { copy, whole } => self.moved(copy, whole, cx),
            Event::Lost(node) => self.lost(node, cx),
            Event::Back(node) => drop(self.silent.discard(&node)),
            Event::Serves(node, serves) => self.stock.set_serving(node, serves),
            Event::Replica(block, node, Some(disk)) => self.stock.add(block, node, disk),
            Event::Replica(block, node, None) => self.stock.remove(block, node),
            _ => unreachable!("the balancer was sent {event:?}"),
        }
    }

    fn finish(&self, cx: &impl Recorder<Record>) {
        if self.iteration > 0 {
            self.tell_utilisation(&self.fills(), cx)
        }
    }
}
