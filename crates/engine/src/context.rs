//! The one context behind every model: what a handler does is written down here, and the scheduler carries it out.
use crate::{
    Context, Delay, Draw, Link, Lp, Message, Model, Nanos, Recorder, Says, Timer, Topology,
    pending::Entry, time::mix,
};
use rewind::{Digest, Hasher, Shared};
use std::{
    cell::{Cell, UnsafeCell},
    collections::VecDeque,
    mem::MaybeUninit,
};

#[repr(align(64))]
struct Line<E>(MaybeUninit<E>);

/// Events in fixed places, so that a key of 24 bytes is all that is ever sorted.
pub(crate) struct Slab<E> {
    lines: Vec<Line<E>>,
    free: Vec<u32>,
}
impl<E> Slab<E> {
    pub fn new(n: usize) -> Self {
        Slab { lines: Vec::with_capacity(n + 1024), free: vec![] }
    }
    #[inline(always)]
    pub fn put(&mut self, event: E) -> u32 {
        let Some(i) = self.free.pop() else { return self.grow(event) };
        unsafe { self.lines.get_unchecked_mut(i as usize) }.0.write(event);
        i
    }
    #[cold]
    #[inline(never)]
    fn grow(&mut self, event: E) -> u32 {
        self.lines.push(Line(MaybeUninit::new(event)));
        self.lines.len() as u32 - 1
    }
    /// SAFETY of callers: each place is filled by `put` and taken once, since keys are unique.
    #[inline(always)]
    pub unsafe fn take(&mut self, i: u32) -> E {
        self.free.push(i);
        unsafe { self.lines.get_unchecked(i as usize).0.assume_init_read() }
    }
    pub fn give(&mut self, i: u32) {
        self.free.push(i)
    }
    pub unsafe fn get(&self, i: u32) -> &E {
        unsafe { self.lines[i as usize].0.assume_init_ref() }
    }
    #[inline(always)]
    pub fn prefetch(&self, i: u32) {
        prefetch(&self.lines, i as usize)
    }
}
#[inline(always)]
pub(crate) fn prefetch<T>(all: &[T], i: usize) {
    #[cfg(target_arch = "x86_64")]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let p = all.as_ptr().add(i) as *const i8;
        for line in 0..size_of::<T>().div_ceil(64) {
            _mm_prefetch(p.add(64 * line), _MM_HINT_T0)
        }
    }
}

/// What one handler did.
pub(crate) struct Deeds<M: Model> {
    pub events: Slab<M::Event>,
    /// The tie of the live timer in each place; 0 is none.
    pub timers: Vec<u64>,
    pub few: [Entry; 4],
    pub few_len: usize,
    pub more: Vec<Entry>,
    pub records: Vec<M::Record>,
    pub cancelled: Vec<Timer>,
    pub stop: Nanos,
    /// What `timer` and `cancel` answered; a silent replay hears the same.
    pub answers: Vec<u64>,
    pub script: Option<VecDeque<u64>>,
}

pub struct Cx<M: Model> {
    pub(crate) now: Nanos,
    pub(crate) me: u32,
    pub(crate) tie: u64,
    pub(crate) seed: u64,
    pub(crate) horizon: Nanos,
    pub(crate) lps: u32,
    pub(crate) topology: Shared<Topology>,
    pub(crate) seq: Cell<u64>,
    pub(crate) draws: Cell<u64>,
    pub(crate) deeds: UnsafeCell<Deeds<M>>,
}

impl<M: Model> Cx<M> {
    /// SAFETY: a context is used by one thread, and no borrow outlives a method of it.
    #[inline(always)]
    #[allow(clippy::mut_from_ref)]
    fn deeds(&self) -> &mut Deeds<M> {
        unsafe { &mut *self.deeds.get() }
    }

    #[inline(always)]
    fn put(&self, to: u32, at: Nanos, event: M::Event, mark: u32) -> Entry {
        let seq = self.seq.get() + 1;
        self.seq.set(seq);
        let deeds = self.deeds();
        let entry = Entry { t: at.0, tie: seq, dst: to, slot: deeds.events.put(event) | mark };
        if deeds.few_len < 4 {
            deeds.few[deeds.few_len] = entry;
            deeds.few_len += 1
        } else {
            deeds.more.push(entry)
        }
        entry
    }
    #[cold]
    #[inline(never)]
    fn refuse(&self, to: u32, delay: Nanos) -> ! {
        if to >= self.lps {
            panic!("LP {} at {:?} sends to LP {to}, which does not exist", self.me, self.now)
        }
        panic!(
            "LP {} at {:?} sends to LP {to} with a delay of {delay:?}, below the bound of the topology, {:?}",
            self.me,
            self.now,
            self.topology.bound(self.me, to)
        )
    }
}

impl<M: Model> Recorder<M::Record> for Cx<M> {
    fn now(&self) -> Nanos {
        self.now
    }
    #[inline(always)]
    fn record(&self, record: M::Record) {
        self.deeds().records.push(record)
    }
}

impl<M: Model> Context<M::Event, M::Record> for Cx<M>
where
    M::Event: Message<Out = M::Event>,
{
    #[inline(always)]
    fn me(&self) -> Lp<M::Event> {
        Lp::new(self.me)
    }
    #[inline(always)]
    fn send<T>(&self, to: Lp<T>, delay: Delay, message: T)
    where
        M::Event: Says<T>,
    {
        let (to, delay) = (to.id(), delay.0);
        if to >= self.lps || delay < self.topology.bound(self.me, to) {
            self.refuse(to, delay)
        }
        let at = self.now + delay;
        if at < self.horizon {
            self.put(to, at, M::Event::say(message), 0);
        } else {
            self.seq.set(self.seq.get() + 1)
        }
    }
    fn link<T>(&self, to: Lp<T>) -> Link {
        Link(self.topology.bound(self.me, to.id()))
    }
    #[inline(always)]
    fn after(&self, delay: Nanos, event: M::Event) {
        let at = self.now + Nanos(delay.0.max(1));
        if at < self.horizon {
            self.put(self.me, at, event, 0);
        } else {
            self.seq.set(self.seq.get() + 1)
        }
    }
    fn timer(&self, delay: Nanos, event: M::Event) -> Timer {
        let entry = self.put(self.me, self.now + Nanos(delay.0.max(1)), event, Entry::TIMER);
        let deeds = self.deeds();
        let slot = match &mut deeds.script {
            Some(script) => script.pop_front().expect("a scripted timer") as u32,
            None => entry.place(),
        };
        if deeds.script.is_none() {
            deeds.timers.resize(deeds.timers.len().max(slot as usize + 1), 0);
            deeds.timers[slot as usize] = entry.tie;
            deeds.answers.push(slot as u64);
        }
        Timer { tie: entry.tie, slot }
    }
    fn cancel(&self, timer: Timer) -> bool {
        let deeds = self.deeds();
        if let Some(script) = &mut deeds.script {
            return script.pop_front() == Some(1);
        }
        let live = deeds.timers[timer.slot as usize] == timer.tie;
        if live {
            deeds.timers[timer.slot as usize] = 0;
            deeds.cancelled.push(timer)
        }
        deeds.answers.push(live as u64);
        live
    }
    #[inline(always)]
    fn random(&self) -> Draw {
        let mut d = self.draws.get();
        if d == 0 {
            d = mix(self.seed
                ^ self.now.0.wrapping_mul(0xD134_2543_DE82_EF95)
                ^ self.tie.wrapping_mul(0x9E37_79B9_7F4A_7C15))
                | 1
        }
        self.draws.set(d.wrapping_add(0x9E37_79B9_7F4A_7C15 << 20 | 2));
        Draw(d)
    }
    fn draw(&self, purpose: &'static str, entity: u64, n: u64) -> Draw {
        let mut h = Hasher::new(self.seed, entity);
        purpose.bytes().for_each(|b| h.word(b as u64));
        n.digest(&mut h);
        Draw(h.finish() as u64)
    }
    fn stop(&self, at: Nanos) {
        let low = self.now.0 + self.topology.least_from(self.me).0;
        assert!(
            at.0 >= low,
            "LP {} at {:?} stops the run at {at:?}: not before {low}, or others could not know",
            self.me,
            self.now
        );
        self.deeds().stop = self.deeds().stop.min(at)
    }
}
