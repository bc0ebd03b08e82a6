//! A DataNode that rebuilds internal blocks of erasure-coded groups (`ErasureCodingWorker`).
//!
//! A task reads as many internal blocks as the group has data, each from another node. It writes
//! the rebuilt ones to its own disk and to other nodes. HDFS works in steps of 64 KiB: read from
//! all, decode, send to all. Here parts and rebuilt blocks flow concurrently, the task ends with
//! the last flow, and decoding takes no time.
use super::{DataNode, broken, tasks::Task};
use crate::hdfs::messages::{CopyId, Event, Order, Purpose, Reason, Record};
use engine::Context;
use units::u32_of;

impl DataNode {
    /// Queues a task from the NameNode. It counts as transfers from now on, so that the NameNode
    /// sends no more than the node can do (HDFS-12044).
    pub(super) fn queue_task(&mut self, orders: &[Order], cx: &impl Context<Event, Record>) {
        let task = orders[0].task;
        let parts = orders.iter().filter(|order| order.purpose == Purpose::Part).count();
        let most = parts.max(orders.len() - parts) as f64;
        let xmits = u32::try_from(units::floored_u64(most * self.setup.hdfs.ec_xmits_weight))
            .unwrap_or(u32::MAX)
            .max(1);
        let left = u32_of(orders.len());
        self.tasks.all.insert(task, Task { left, xmits, running: false });
        for order in orders {
            self.tasks.flows.insert((task, order.first), (*order, false));
        }
        self.tasks.line.push_back(task);
        self.start_tasks(cx);
        if self.tasks.all.get(&task).is_some_and(|task| !task.running) {
            cx.record(Record::HandoutWaits { copy: task, reason: Reason::Threads })
        }
    }

    /// Starts queued tasks up to the number of threads (`dfs.datanode.ec.reconstruction.threads`).
    fn start_tasks(&mut self, cx: &impl Context<Event, Record>) {
        while self.tasks.running() < self.setup.hdfs.ec_threads as usize {
            let Some(task) = self.tasks.line.pop_front() else { return };
            // It failed while queued.
            if self.tasks.all.update(&task, |t| t.running = true).is_none() {
                continue;
            }
            for (order, _) in self.tasks.flows_of(task) {
                match order.purpose {
                    Purpose::Part => self.send_event(order.source, Event::Copy(order), cx),
                    _ => self.send(order, cx),
                }
            }
        }
    }

    /// False for parts of a task that has failed.
    pub(super) fn has_task_of(&self, order: &Order) -> bool {
        order.purpose != Purpose::Part || self.tasks.all.contains(&order.task)
    }

    /// A part has arrived, or a rebuilt block is on its target's disk.
    pub(super) fn flow_ended(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        let Order { task, first, .. } = order;
        if order.purpose == Purpose::Part {
            self.receiving.discard(&first);
        }
        let ended = self.tasks.flows.update(&(task, first), |flow| {
            let fresh = !flow.1;
            *flow = (order, true);
            fresh
        });
        if ended != Some(true) {
            return;
        }
        let left = self.tasks.all.update(&task, |t| {
            t.left -= 1;
            t.left
        });
        if left == Some(0) {
            self.close_task(task, cx)
        }
    }

    fn close_task(&mut self, task: CopyId, cx: &impl Context<Event, Record>) {
        cx.record(Record::Closed(task));
        for (order, _) in self.tasks.remove(task) {
            if order.purpose == Purpose::Rebuilt {
                self.send_event(order.targets()[0], Event::Closed(order), cx)
            }
        }
        self.start_tasks(cx)
    }

    /// A broken flow fails the whole task. (HDFS would read from another holder and continue with
    /// the targets left.)
    pub(super) fn fail_task(&mut self, task: CopyId, cx: &impl Context<Event, Record>) {
        if !self.tasks.all.contains(&task) {
            return;
        }
        self.drop_task(task, cx);
        self.start_tasks(cx)
    }

    /// This node is lost with its tasks. Tasks elsewhere that read from it find their connections
    /// broken.
    pub(super) fn fail_tasks(&mut self, cx: &impl Context<Event, Record>) {
        for part in self.sending.values().filter(|order| order.purpose == Purpose::Part) {
            self.send_event(part.targets()[0], Event::Gone(*part), cx)
        }
        let all: Vec<CopyId> = self.tasks.all.keys().copied().collect();
        all.into_iter().for_each(|task| self.drop_task(task, cx));
        self.tasks.line.clear()
    }

    fn drop_task(&mut self, task: CopyId, cx: &impl Context<Event, Record>) {
        let started = self.tasks.all.get(&task).is_some_and(|t| t.running);
        for (order, ended) in self.tasks.remove(task) {
            broken(&order, cx);
            if order.targets()[0] == self.me {
                self.drop_received(&order, cx)
            }
            self.sending.discard(&order.first);
            let (other, event) = match order.purpose {
                Purpose::Part => (order.source, Event::Refused(order)),
                _ => (order.targets()[0], Event::Gone(order)),
            };
            let listens = order.purpose != Purpose::Part || !ended;
            if started && listens && other != self.me {
                self.send_event(other, event, cx)
            }
        }
    }

    /// Target: the rebuilding node reports that the block is complete.
    pub(super) fn handle_closed(&mut self, order: Order, cx: &impl Context<Event, Record>) {
        // Only this node's copy of the order has its disk.
        if let Some(order) = self.receiving.remove(&order.leg_to(self.me).copy) {
            self.report(order.leg_to(self.me), cx)
        }
    }
}
