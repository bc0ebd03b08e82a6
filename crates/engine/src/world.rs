//! Who is there, and the run.
use crate::{
    Carries, Lp, Lps, Message, Model, Nanos, check,
    context::{Cx, Deeds, Slab},
    pending::{Entry, Ladder},
    sequential,
    time::mix,
};
use rewind::{Digest, Hasher, Shared};
use std::cell::{Cell, UnsafeCell};

/// Groups of LPs with the least delay inside one and between two. (The product: a tree of any depth.)
pub struct Topology {
    group_of: Vec<u32>,
    within: Nanos,
    across: Nanos,
}
impl Topology {
    pub fn new(within: Nanos, across: Nanos) -> Self {
        Topology { group_of: vec![], within, across }
    }
    /// Ids for `count` LPs of one vocabulary. States come later, each a pure function of its id.
    pub fn place<E>(&mut self, count: u32, group: impl Fn(u32) -> u32) -> Lps<E> {
        let first = self.group_of.len() as u32;
        self.group_of.extend((0..count).map(group));
        Lps::new(first, count)
    }
    #[inline(always)]
    pub(crate) fn bound(&self, a: u32, b: u32) -> Nanos {
        if self.within == self.across || self.group_of[a as usize] == self.group_of[b as usize] {
            self.within
        } else {
            self.across
        }
    }
    pub(crate) fn least_from(&self, _: u32) -> Nanos {
        self.within.min(self.across)
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scheduler {
    Sequential,
    /// Runs each event, undoes it, compares, runs it again; and now and then goes back `depth` events and replays them.
    RollbackCheck {
        depth: usize,
    },
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    pub events: u64,
    pub trace_hash: u128,
    pub end: Nanos,
}

/// Where a record belongs: rows sorted by this are the same under every scheduler.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Stamp {
    pub at: Nanos,
    pub tie: u64,
    pub index: u32,
    pub lp: u32,
}

/// `tie` is the sender's half of its last key: rank above, sequence below, in one word.
#[repr(align(64))]
pub(crate) struct Slot<M> {
    pub state: M,
    pub tie: u64,
}

pub struct World<M: Model> {
    pub(crate) lps: Vec<Slot<M>>,
    pub(crate) queue: Ladder,
    pub(crate) cx: Cx<M>,
    starts: u64,
}

impl<M: Model> World<M>
where
    M::Event: Message<Out = M::Event>,
{
    pub fn new(
        topology: Shared<Topology>,
        seed: u64,
        horizon: Nanos,
        build: impl Fn(u32) -> M,
    ) -> Self {
        let n = topology.group_of.len() as u32;
        let rank_shift = (n + 1).leading_zeros() + 32;
        let lps = (0..n)
            .map(|id| Slot {
                state: build(id),
                tie: (1 + permute(id, n, seed) as u64) << rank_shift,
            })
            .collect();
        let deeds = Deeds {
            events: Slab::new(n as usize),
            timers: vec![],
            few: Default::default(),
            few_len: 0,
            more: vec![],
            records: vec![],
            cancelled: vec![],
            stop: horizon,
            answers: vec![],
            script: None,
        };
        let cx = Cx {
            now: Nanos::ZERO,
            me: 0,
            tie: 0,
            seed: mix(seed),
            horizon,
            lps: n,
            topology,
            seq: Cell::new(0),
            draws: Cell::new(0),
            deeds: UnsafeCell::new(deeds),
        };
        World { lps, queue: Ladder::new(), cx, starts: 0 }
    }
    /// An event of the scenario: its sender is rank 0, its sequence its place in the list.
    pub fn start<T>(&mut self, to: Lp<T>, at: Nanos, message: T)
    where
        M::Event: Carries<T>,
    {
        self.starts += 1;
        if at >= self.cx.horizon {
            return;
        }
        let slot = self.cx.deeds.get_mut().events.put(M::Event::carry(message));
        self.queue.start(Entry { t: at.0, tie: self.starts, dst: to.id(), slot })
    }
    pub fn run(mut self, scheduler: Scheduler, mut sink: impl FnMut(Stamp, M::Record)) -> Outcome {
        self.queue.tune();
        let (events, mut hash) = match scheduler {
            Scheduler::Sequential => sequential::run(&mut self, &mut sink),
            Scheduler::RollbackCheck { depth } => check::run(&mut self, depth, &mut sink),
        };
        let end = self.cx.deeds.get_mut().stop.min(self.cx.horizon);
        hash = hash.wrapping_add(self.finish(end, &mut sink));
        Outcome { events, trace_hash: hash, end }
    }
    fn finish(&mut self, end: Nanos, sink: &mut impl FnMut(Stamp, M::Record)) -> u128 {
        let mut hash = 0u128;
        self.cx.now = end;
        for (id, lp) in self.lps.iter().enumerate() {
            lp.state.finish(&self.cx);
            let mut h = Hasher::new(id as u64, u64::MAX);
            lp.state.digest(&mut h);
            hash = hash.wrapping_add(h.finish());
            hash = hash.wrapping_add(drain_records(
                self.cx.deeds.get_mut(),
                end,
                u64::MAX,
                id as u32,
                sink,
            ));
        }
        hash
    }
}

/// The part of the trace hash that one committed event is, and its records on their way out.
#[inline(always)]
pub(crate) fn commit<M: Model>(
    deeds: &mut Deeds<M>,
    e: &Entry,
    event: &M::Event,
    sink: &mut impl FnMut(Stamp, M::Record),
) -> u128 {
    let mut h = Hasher::new(e.t, e.tie);
    h.word(e.dst as u64);
    event.digest(&mut h);
    if !deeds.records.is_empty() {
        let mut all = std::mem::take(&mut deeds.records);
        for (index, r) in all.drain(..).enumerate() {
            r.digest(&mut h);
            sink(Stamp { at: Nanos(e.t), tie: e.tie, index: index as u32, lp: e.dst }, r)
        }
        deeds.records = all
    }
    h.finish()
}
#[inline(always)]
fn drain_records<M: Model>(
    deeds: &mut Deeds<M>,
    at: Nanos,
    tie: u64,
    lp: u32,
    sink: &mut impl FnMut(Stamp, M::Record),
) -> u128 {
    let mut hash = 0u128;
    if deeds.records.is_empty() {
        return 0;
    }
    let mut all = std::mem::take(&mut deeds.records);
    for (index, r) in all.drain(..).enumerate() {
        let mut h = Hasher::new(at.0 ^ ((index as u64 + 1) << 40), tie);
        r.digest(&mut h);
        hash = hash.wrapping_add(h.finish());
        sink(Stamp { at, tie, index: index as u32, lp }, r)
    }
    deeds.records = all;
    hash
}

/// A place in a permutation of 0..n drawn from the seed: four Feistel rounds, walked until inside.
fn permute(id: u32, n: u32, seed: u64) -> u32 {
    let half = (32 - n.leading_zeros()).div_ceil(2).max(1);
    let mask = (1u64 << half) - 1;
    let mut x = id as u64;
    loop {
        let (mut l, mut r) = (x >> half, x & mask);
        for round in 0..4 {
            (l, r) = (r, l ^ (mix(seed ^ r << 8 ^ round) & mask))
        }
        x = l << half | r;
        if x < n as u64 {
            return x as u32;
        }
    }
}
