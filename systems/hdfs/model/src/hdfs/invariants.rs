//! Invariants of every run, checked on the records alone, independent of the model.
//!
//! Copies start after their decision and end after their start. Nodes send only blocks they hold
//! and receive only blocks they lack. Resources stay within capacity and carry exactly the bytes of
//! the copies (fluid sharing). Tasks of groups: `task_rules`. At the end every block is safe or
//! reported as unrepaired, and blocks with enough live replicas meet the rack rule. Not checked:
//! the NameNode's limits (the tests of pacing do).
use super::{
    ledger::Ledger,
    messages::{CopyId, Leg, Order, Purpose, Reason, Record},
    setup::Setup,
    task_rules::Tasks,
};
use cluster::{BlockIndex, DiskId, NodeId, Sharing};
use engine::Nanos;
use hardware::{Path, ResourceId, fluid::CROSS_TRAFFIC};
use hdfs_scenario::Replica;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use units::{Bytes, BytesPerSec};

#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    pub at: Nanos,
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {:.6} s: {}", self.at.as_secs(), self.what)
    }
}

pub struct Checker<'a> {
    setup: &'a Setup,
    ledger: Ledger<'a>,
    decided: BTreeMap<CopyId, (Nanos, bool)>,
    /// By resource: since when, rate \[bytes/s\], carried so far \[bytes\].
    carried: BTreeMap<u32, (Nanos, f64, f64)>,
    moved: BTreeMap<u32, f64>,
    /// Rates of slowed resources.
    slow: BTreeMap<u32, BytesPerSec>,
    /// Internal block (0 if no group) and disk of new replicas.
    added: BTreeMap<(BlockIndex, NodeId), (u8, DiskId)>,
    /// Excess replicas of the map that were deleted.
    removed: BTreeSet<(BlockIndex, NodeId)>,
    failed: BTreeSet<(NodeId, DiskId)>,
    tasks: Tasks<'a>,
    silent: BTreeSet<NodeId>,
    broken: bool,
    /// Clients' requests were under way at the end or may have been cut by a loss, so resources
    /// carried more bytes than arrived.
    unserved: bool,
    last: Nanos,
    found: Vec<Violation>,
}

/// Relative; rates are fractions of a byte per second, times are nanoseconds.
const TOLERANCE: f64 = 1e-6;

impl<'a> Checker<'a> {
    pub fn new(setup: &'a Setup) -> Checker<'a> {
        Checker {
            setup,
            ledger: Ledger::new(setup),
            decided: BTreeMap::new(),
            carried: BTreeMap::new(),
            moved: BTreeMap::new(),
            slow: BTreeMap::new(),
            added: BTreeMap::new(),
            removed: BTreeSet::new(),
            failed: BTreeSet::new(),
            tasks: Tasks::new(setup),
            silent: BTreeSet::new(),
            broken: false,
            unserved: false,
            last: Nanos::ZERO,
            found: vec![],
        }
    }

    pub fn record(&mut self, at: Nanos, record: &Record) {
        if at < self.last {
            self.report(at, format!("time goes back from {:?}: {record:?}", self.last))
        }
        self.last = at;
        match record {
            Record::Silent(node) => {
                self.silent.insert(*node);
                self.unserved |= self.setup.foreground.is_some();
                self.ledger.silence(*node, at)
            }
            Record::Returned(node) => {
                self.silent.remove(node);
                self.ledger.restore_node(*node, at)
            }
            Record::DiskFailed(node, disk) => {
                self.unserved |= self.setup.foreground.is_some();
                self.failed.insert((*node, *disk));
                self.ledger.fail_disk(*node, *disk, at)
            }
            Record::Removed { block, node } => {
                if self.added.remove(&(*block, *node)).is_none() {
                    self.removed.insert((*block, *node));
                }
                self.ledger.remove(*block, *node, at)
            }
            Record::Leaves { node, maintenance } => self.ledger.leave(*node, *maintenance, at),
            Record::Decided { order, .. } => self.check_decided(order, at),
            // Records of flows that broke off may come later.
            Record::Started(leg) | Record::Done(leg) if self.tasks.dropped(leg.copy) => {}
            Record::Moves(order) => self.moves(order, at),
            Record::Started(leg) => self.started(leg, at),
            Record::Done(leg) => self.record_done(leg, at),
            Record::Closed(task) => {
                if let Err(what) = self.tasks.check_closed(*task) {
                    self.report(at, what)
                }
            }
            Record::Broken(leg) => {
                self.tasks.record_broken(leg);
                self.decided.remove(&leg.copy);
                self.broken = true
            }
            Record::Known(leg) => {
                if let Err(what) = self.tasks.check_known(leg) {
                    self.report(at, what)
                }
                self.added.insert((leg.block, leg.target), (leg.index, leg.target_disk));
                self.ledger.add(leg, at)
            }
            Record::Request { order, .. } | Record::Streamed(order) => self.served(order),
            Record::Unserved { .. } => self.unserved = true,
            Record::Slow { resource, rate } => {
                self.slow.insert(*resource, BytesPerSec(*rate));
            }
            Record::Use { resource, rate, queue } => self.uses(*resource, *rate, *queue, at),
            _ => {}
        }
    }

    fn check_decided(&mut self, order: &Order, at: Nanos) {
        if let Err(what) = self.tasks.check_decided(order) {
            self.report(at, what)
        }
        if order.targets().iter().any(|target| self.holds(*target, order.block)) {
            self.report(at, format!("{order:?}: a target holds the block already"))
        }
        self.moves(order, at)
    }

    /// The balancer may not know yet that the target holds the block.
    fn moves(&mut self, order: &Order, at: Nanos) {
        let holds = self.holds_internal(order.source, order.block, order.index);
        if !holds && order.purpose != Purpose::Rebuilt {
            self.report(at, format!("{order:?}: the source does not hold the block"))
        }
        for leg in order.legs() {
            if self.decided.insert(leg.copy, (at, false)).is_some() {
                self.report(at, format!("{leg:?}: a copy decided twice"))
            }
        }
    }

    fn started(&mut self, leg: &Leg, at: Nanos) {
        match self.decided.get_mut(&leg.copy) {
            Some((_, started @ false)) => *started = true,
            other => {
                let other = format!("{other:?}");
                self.report(at, format!("{leg:?}: starts, but stands as {other}"))
            }
        }
    }

    fn record_done(&mut self, leg: &Leg, at: Nanos) {
        if !matches!(self.decided.remove(&leg.copy), Some((_, true))) {
            self.report(at, format!("{leg:?}: done without a start"))
        }
        self.tasks.record_done(leg);
        let (r, Leg { sender, target, .. }) = (self.setup.resources(), *leg);
        let read = leg.source_disk.map(|disk| r.disk_read(sender, disk));
        let written = leg.written_to().map(|disk| r.disk_write(target, disk));
        let path = read.into_iter().fold(Path::new(Nanos::ZERO), Path::via);
        let path = written.into_iter().fold(r.over(path, sender, target), Path::via);
        for limit in self.setup.limits(leg) {
            *self.moved.entry(limit.0).or_default() += leg.bytes.0 as f64
        }
        self.count_moved(&path, leg.bytes)
    }

    fn count_moved(&mut self, path: &Path, bytes: Bytes) {
        for resource in path.iter() {
            *self.moved.entry(resource.0).or_default() += bytes.0 as f64
        }
        let back = self.setup.acknowledgements(path);
        for resource in back.iter().flat_map(|back| back.iter()) {
            *self.moved.entry(resource.0).or_default() += bytes.0 as f64 * CROSS_TRAFFIC
        }
    }

    fn served(&mut self, order: &Order) {
        self.count_moved(&self.setup.path(order), order.bytes)
    }

    fn uses(&mut self, resource: u32, rate: f64, streams: u32, at: Nanos) {
        let built = self.setup.resources().capacity(ResourceId(resource));
        let now = self.slow.get(&resource).map_or(built, |slow| built.at_most(*slow));
        let limit = now.at(streams);
        if rate > limit * (1.0 + TOLERANCE) {
            self.report(at, format!("resource {resource} carries {rate} of {limit} bytes/s"))
        }
        let (since, old, sum) = self.carried.get(&resource).copied().unwrap_or((at, 0.0, 0.0));
        let sum = sum + old * (at - since).as_secs();
        self.carried.insert(resource, (at, rate, sum));
    }

    fn holds(&self, node: NodeId, block: BlockIndex) -> bool {
        let here = |disk: DiskId| !self.failed.contains(&(node, disk));
        self.initial_replicas(block, node).any(|r| here(r.disk))
            || self.added.get(&(block, node)).is_some_and(|(_, disk)| here(*disk))
    }

    /// Whether a node holds this internal block (or block), as far as the NameNode can know: its
    /// disk may have failed.
    fn holds_internal(&self, node: NodeId, block: BlockIndex, index: u8) -> bool {
        self.initial_replicas(block, node).any(|r| r.index == index)
            || self.added.get(&(block, node)).is_some_and(|(held, _)| *held == index)
    }

    /// Replicas in the map, unless deleted as excess.
    fn initial_replicas(&self, block: BlockIndex, node: NodeId) -> impl Iterator<Item = &Replica> {
        let kept = !self.removed.contains(&(block, node));
        self.setup.blocks.replicas(block).iter().filter(move |r| kept && r.node == node)
    }

    fn report(&mut self, at: Nanos, what: String) {
        self.found.push(Violation { at, what })
    }

    /// `complete`: the run ended because no work was left.
    pub fn finish(
        mut self,
        complete: bool,
        unrepaired: &[(BlockIndex, Option<Reason>)],
    ) -> Vec<Violation> {
        let at = self.last;
        if self.setup.model.sharing == Sharing::Fluid && !self.broken && complete {
            self.bytes_conserved(at)
        }
        if complete {
            self.nothing_forgotten(at, unrepaired)
        }
        self.found
    }

    fn bytes_conserved(&mut self, at: Nanos) {
        // Neither clients nor the balancer wait for the end of the repair.
        let flows = |(copy, (_, started)): (&CopyId, &(_, bool))| copy.is_move() && *started;
        let cut = self.unserved || self.decided.iter().any(flows);
        for (resource, &(since, rate, carried)) in &self.carried.clone() {
            let carried = carried + rate * (at - since).as_secs();
            let moved = self.moved.get(resource).copied().unwrap_or(0.0);
            let (off, slack) = (carried - moved, moved * 1e-5 + 4096.0);
            if off < -slack || (off > slack && !cut) {
                self.report(at, format!("resource {resource} carried {carried} bytes of {moved}"))
            }
        }
    }

    fn nothing_forgotten(&mut self, at: Nanos, unrepaired: &[(BlockIndex, Option<Reason>)]) {
        let told: BTreeSet<BlockIndex> = unrepaired.iter().map(|(b, _)| *b).collect();
        for block in self.ledger.risky() {
            if !told.contains(&block) {
                self.report(at, format!("{block:?} is short at the end, and no record says so"))
            }
        }
    }
}
