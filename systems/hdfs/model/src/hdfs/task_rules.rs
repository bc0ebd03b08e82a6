//! Invariants of tasks that rebuild internal blocks, checked on the records.
use super::{
    messages::{CopyId, Leg, Order, Purpose},
    setup::Setup,
};
use std::collections::{BTreeMap, BTreeSet};

pub struct Tasks<'a> {
    setup: &'a Setup,
    decided: BTreeMap<CopyId, Vec<Order>>,
    done: BTreeSet<CopyId>,
    /// Copies whose flow broke off or failed.
    dropped: BTreeSet<CopyId>,
    /// Rebuilt blocks of closed tasks.
    whole: BTreeSet<CopyId>,
}

impl<'a> Tasks<'a> {
    pub fn new(setup: &'a Setup) -> Tasks<'a> {
        let (decided, done) = (BTreeMap::new(), BTreeSet::new());
        let (dropped, whole) = (BTreeSet::new(), BTreeSet::new());
        Tasks { setup, decided, done, dropped, whole }
    }

    /// Fails unless each part has its own node and internal block, no part is the block rebuilt,
    /// and all flows meet at one node.
    pub fn check_decided(&mut self, order: &Order) -> Result<(), String> {
        if !order.purpose.is_of_task() {
            return Ok(());
        }
        let all = self.decided.entry(order.task).or_default();
        let twice = all.iter().any(|other| {
            let parts = [order, other].iter().all(|o| o.purpose == Purpose::Part);
            other.index == order.index || (parts && other.source == order.source)
        });
        let meets = |o: &Order| match o.purpose {
            Purpose::Part => o.targets()[0],
            _ => o.source,
        };
        let apart = all.iter().any(|other| meets(other) != meets(order));
        all.push(*order);
        match (twice, apart) {
            (true, _) => Err(format!("{order:?}: its task has this internal block or node twice")),
            (_, true) => Err(format!("{order:?}: its task is at another node")),
            _ => Ok(()),
        }
    }

    pub fn record_done(&mut self, leg: &Leg) {
        if leg.purpose.is_of_task() {
            self.done.insert(leg.copy);
        }
    }

    pub fn record_broken(&mut self, leg: &Leg) {
        self.dropped.insert(leg.copy);
    }

    pub fn dropped(&self, copy: CopyId) -> bool {
        self.dropped.contains(&copy)
    }

    /// Fails unless all flows of the task are done and enough parts were read.
    pub fn check_closed(&mut self, task: CopyId) -> Result<(), String> {
        let orders = self.decided.remove(&task).unwrap_or_default();
        let part = |o: &&Order| o.purpose == Purpose::Part;
        let wanted = orders.first().map_or(0, |o| usize::from(self.setup.needed_to_read(o.block)));
        let rebuilt = orders.iter().filter(|o| o.purpose == Purpose::Rebuilt);
        self.whole.extend(rebuilt.map(|o| o.first));
        if orders.is_empty() || orders.iter().filter(part).count() != wanted {
            return Err(format!("task {task:?} reads not {wanted} internal blocks: {orders:?}"));
        }
        match orders.iter().find(|o| !self.done.contains(&o.first)) {
            Some(open) => Err(format!("task {task:?} is closed before {open:?} is done")),
            None => Ok(()),
        }
    }

    /// Fails if a rebuilt block is known before its task has closed.
    pub fn check_known(&mut self, leg: &Leg) -> Result<(), String> {
        match leg.purpose {
            Purpose::Rebuilt if !self.whole.remove(&leg.copy) => {
                Err(format!("{leg:?} is known before its task is done"))
            }
            Purpose::Part => Err(format!("{leg:?}: a part is no replica")),
            _ => Ok(()),
        }
    }
}
