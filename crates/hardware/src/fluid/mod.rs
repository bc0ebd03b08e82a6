//! Max-min fair sharing of all resources at once.
//!
//! Every flow uses its resources at the same time and at one rate. The rates are *max-min fair*:
//! none can grow without reducing one that is (per weight) not larger. Equivalently, and the tests
//! check this, every flow has a bottleneck: its own cap, or a saturated resource in which no flow
//! has more per weight.
//!
//! ```
//! use hardware::{Capacity, Fluid, FlowSpec, Holder, Path, ResourceId};
//! use units::{Bytes, BytesPerSec, Nanos};
//! let [disk, nic] = [ResourceId(0), ResourceId(1)];
//! let mut fluid = Fluid::new(&[100, 125].map(|mb| Capacity::fixed(BytesPerSec::mb(mb))));
//! let both = Path::new(Nanos::ZERO).via(disk).via(nic);
//! let copy = fluid.start(Nanos::ZERO, FlowSpec::new(both, Bytes::mb(200)));
//! let sent = Path::new(Nanos::ZERO).via(nic);
//! let send = fluid.start(Nanos::ZERO, FlowSpec::new(sent, Bytes::mb(100)));
//! fluid.settle();
//! assert_eq!(fluid.rate(copy), 62.5e6);
//! let (at, first) = fluid.next_completion().unwrap();
//! assert_eq!((at, first), (Nanos::millis(1600), send));
//! fluid.finish(at, send);
//! assert_eq!(fluid.settle().flows, [copy]);
//! assert_eq!(fluid.bottleneck(copy), Holder::Resource(disk));
//! assert_eq!(fluid.next_completion(), Some((Nanos::millis(2600), copy)));
//! ```
mod fill;
mod flow;
mod members;
mod network;
mod relax;
mod share;
mod tournament;
mod work;
use super::{Capacity, ResourceId};
pub use flow::{CROSS_TRAFFIC, FlowId, FlowSpec, Holder};
use flow::{Motion, Shape};
use network::Network;
use rewind::{Array, Rewind};
use tournament::Tournament;
use units::{Bytes, Nanos};
use work::Work;
pub use work::{Changes, Cost};

/// Parts of a byte per second in which a resource's use is kept: integers, so that sums in any
/// order leave no remainder.
const USE_PARTS: f64 = 65536.0;

/// The solver with all its flows: a passive value that one LP owns and rewinds with its state.
///
/// `start`, `finish`, `cancel` and `set_capacity` only note the change; [`settle`](Fluid::settle)
/// then solves once for all changes of one instant. A query between a change and `settle` panics.
#[derive(Rewind)]
pub struct Fluid {
    net: Network,
    motion: Array<Motion>,
    /// Lower bounds of completion times, exact for the earliest, as of the last settlement. Most
    /// changes of a rate leave a bound valid.
    due: Tournament,
    used: Array<u64>,
    free: Array<u32>,
    now: Nanos,
    coupling: Coupling,
    work: Work,
}

/// Whether the incremental solver paid lately, or filling from scratch was cheaper because too many
/// flows were connected.
#[derive(Clone, Copy, Debug, Default, rewind::Scalar)]
struct Coupling {
    /// Settlements left that fill from scratch without an attempt.
    skip: u32,
    /// The last `skip`; doubles after each failed attempt.
    patience: u32,
    never_follow: bool,
}

impl Fluid {
    /// `capacities` by resource number (see `Resources::capacities`).
    pub fn new(capacities: &[Capacity]) -> Fluid {
        Fluid {
            net: Network::new(capacities),
            motion: Array::new(),
            due: Tournament::default(),
            used: capacities.iter().map(|_| 0).collect(),
            free: Array::new(),
            now: Nanos::ZERO,
            coupling: Coupling::default(),
            work: Work::default(),
        }
    }

    /// Starts a flow.
    ///
    /// # Panics
    /// If the path is empty, the weight is not above 0, or time goes back (as in all methods).
    pub fn start(&mut self, now: Nanos, spec: FlowSpec) -> FlowId {
        self.advance(now);
        let shape = Shape::of(&spec);
        let slot = self.free.pop().unwrap_or(self.net.shape.len() as u32);
        assert!(slot < 1 << 28, "more than 2^28 flows at a time");
        self.net.connect(slot, shape);
        let holder = Holder::Resource(spec.path[0]);
        let left = spec.bytes.0 as f64;
        let motion = Motion { rate: Motion::NOT_YET, left, since: now, bytes: spec.bytes, holder };
        if slot as usize == self.motion.len() {
            self.motion.push(motion);
            self.due.grow(slot as usize + 1);
        } else {
            self.motion.set(slot as usize, motion)
        }
        self.work.started.push(slot);
        self.stage(shape);
        FlowId(slot)
    }

    /// Ends a flow after its last byte.
    ///
    /// # Panics
    /// If there is no such flow, or bytes of it are left: [`cancel`](Fluid::cancel) ends it early.
    pub fn finish(&mut self, now: Nanos, flow: FlowId) {
        let due = self.live(flow).due();
        assert!(due <= now, "{flow:?} is not through before {due:?}, and it is {now:?}");
        self.end(now, flow)
    }

    /// Ends a flow early; returns the whole bytes moved.
    pub fn cancel(&mut self, now: Nanos, flow: FlowId) -> Bytes {
        let through = self.moved(now, flow);
        self.end(now, flow);
        through
    }

    /// Changes a resource: a slow disk, a degraded link. At a rate of 0 its flows stand still.
    pub fn set_capacity(&mut self, now: Nanos, resource: ResourceId, capacity: Capacity) {
        self.advance(now);
        self.net.capacity.set(resource.at(), capacity);
        self.work.staged.add(resource.0);
    }

    /// Computes the rates after the changes of this instant, and returns what changed.
    pub fn settle(&mut self) -> &Changes {
        if !self.work.staged.list.is_empty() {
            self.solve();
        }
        for slot in std::mem::take(&mut self.work.started) {
            self.work.touched.add(slot);
        }
        self.work.changes.flows.clear();
        self.work.touched.sort();
        for i in 0..self.work.touched.list.len() {
            self.move_on(self.work.touched.list[i])
        }
        self.find_first();
        self.work.report(&self.used);
        &self.work.changes
    }

    /// The first flow to complete, of several the one of the smallest number, and when.
    pub fn next_completion(&self) -> Option<(Nanos, FlowId)> {
        self.settled();
        self.due.first().map(|(time, slot)| (time, FlowId(slot)))
    }

    pub fn rate(&self, flow: FlowId) -> f64 {
        self.settled();
        self.live(flow).rate
    }

    /// The limit of a flow's rate; on ties the first on its path.
    pub fn bottleneck(&self, flow: FlowId) -> Holder {
        self.settled();
        self.live(flow).holder
    }

    /// Completion time if nothing changes; [`Nanos::MAX`] at a rate of 0.
    pub fn completion(&self, flow: FlowId) -> Nanos {
        self.settled();
        self.live(flow).due()
    }

    /// Whole bytes moved so far.
    pub fn moved(&self, now: Nanos, flow: FlowId) -> Bytes {
        let motion = self.live(flow);
        motion.bytes - Bytes(motion.left_at(now).ceil() as u64)
    }

    /// The sum of the rates through a resource \[bytes/s\].
    pub fn used(&self, resource: ResourceId) -> f64 {
        self.settled();
        self.used[resource.at()] as f64 / USE_PARTS
    }

    /// Total rate for the present streams \[bytes/s\].
    pub fn capacity(&self, resource: ResourceId) -> f64 {
        self.net.capacity_now(resource.0)
    }

    pub fn streams(&self, resource: ResourceId) -> u32 {
        self.net.members.len(resource.0)
    }

    pub fn len(&self) -> usize {
        self.motion.len() - self.free.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills from scratch at each settlement, like solvers without memory: for comparison.
    pub fn always_fill(&mut self, always: bool) {
        self.coupling.never_follow = always
    }

    /// Work of the solver so far, for benchmarks; not part of the state.
    pub fn cost(&self) -> Cost {
        self.work.cost
    }

    #[track_caller]
    fn settled(&self) {
        let staged = self.work.staged.list.is_empty();
        assert!(staged, "`settle` comes between a change and a question")
    }

    #[track_caller]
    fn live(&self, flow: FlowId) -> &Motion {
        assert!(self.net.shape[flow.at()].weight > 0.0, "{flow:?} has ended");
        &self.motion[flow.at()]
    }

    #[track_caller]
    fn advance(&mut self, now: Nanos) {
        assert!(now >= self.now, "time goes back from {:?} to {now:?}", self.now);
        assert!(
            now == self.now || self.work.staged.list.is_empty(),
            "`settle` comes between changes at {:?} and at {now:?}",
            self.now
        );
        self.now = now
    }

    fn stage(&mut self, shape: Shape) {
        for &resource in shape.path() {
            self.work.staged.add(resource);
        }
    }

    fn end(&mut self, now: Nanos, flow: FlowId) {
        self.advance(now);
        let rate = self.live(flow).rate;
        self.add_use(flow.0, rate, 0.0);
        let shape = self.net.shape[flow.at()];
        self.net.disconnect(flow.0);
        self.due.set(flow.0, Nanos::MAX);
        self.free.push(flow.0);
        self.stage(shape);
    }

    fn solve(&mut self) {
        let (net, work) = (&mut self.net, &mut self.work);
        let budget = relax::budget(net, work);
        if self.coupling.skip > 0 || self.coupling.never_follow || budget == 0 {
            self.coupling.skip = self.coupling.skip.saturating_sub(1);
            fill::fill(net, work);
        } else if relax::relax(net, work, &self.used, budget) {
            self.coupling.patience = 0;
        } else {
            self.coupling.patience = (2 * self.coupling.patience + 1).min(63);
            self.coupling.skip = self.coupling.patience;
            work.touched.clear();
            fill::fill(net, work);
        }
        work.staged.clear();
    }

    /// Updates a flow's progress to now, and its rate to the present levels.
    fn move_on(&mut self, slot: u32) {
        let shape = &self.net.shape[slot as usize];
        if shape.weight == 0.0 {
            return;
        }
        let before = self.motion[slot as usize];
        let (rate, holder) = self.net.rate(shape);
        let steady = share::same(before.rate, rate);
        if steady && holder == before.holder {
            return;
        }
        self.work.changes.flows.push(FlowId(slot));
        if steady {
            self.motion.update(slot as usize, |motion| motion.holder = holder);
            return;
        }
        let left = before.left_at(self.now);
        let motion = Motion { rate, left, since: self.now, bytes: before.bytes, holder };
        self.motion.set(slot as usize, motion);
        if !motion.lasts_until(self.due.time(slot)) {
            self.due.set(slot, motion.due())
        }
        self.add_use(slot, before.rate, rate);
    }

    /// Corrects bounds until the earliest one is exact.
    fn find_first(&mut self) {
        while let Some((bound, slot)) = self.due.first() {
            let due = self.motion[slot as usize].due();
            if due == bound {
                return;
            }
            self.due.set(slot, due)
        }
    }

    fn add_use(&mut self, slot: u32, before: f64, after: f64) {
        let parts = |rate: f64| (rate * USE_PARTS + 0.5) as u64;
        self.work.before.resize(self.used.len(), 0);
        let shape = &self.net.shape[slot as usize];
        for (hop, &resource) in shape.path().iter().enumerate() {
            let part = shape.use_at(hop);
            let (before, after) = (parts(before * part), parts(after * part));
            let old = self.used[resource as usize];
            if self.work.used.add(resource) {
                self.work.before[resource as usize] = old
            }
            self.used.set(resource as usize, old + after - before)
        }
    }
}
