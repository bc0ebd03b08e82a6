//! A barrier at which threads exchange numbers, round by round.
//!
//! Each thread writes its notes of a round and waits until all have. A waiting thread spins for a
//! moment and then sleeps, so that other processes can use its core.
use super::partition::Partition;
use super::sync::{AtomicBool, AtomicU64, Thread, fence, hint, thread};
use std::{
    cell::OnceCell,
    ops::Range,
    panic,
    sync::{OnceLock, atomic::Ordering::*},
};

/// Polls before sleeping: about 160 µs, the time of a few large events, by which a thread may be
/// ahead of another. A wake-up takes half of that. Under loom and Miri polling shows nothing new.
const SPIN: u32 = if cfg!(any(loom, miri)) { 0 } else { 16000 };

/// Polls before sleeping; 0 if there are more threads than cores.
fn spin(threads: usize) -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if threads > cores { 0 } else { SPIN }
}

/// What a thread publishes at the end of a round. Plain stores: the barrier orders them.
pub(crate) struct Notes {
    /// It has no event before \[ns\].
    pub(crate) next: AtomicU64,
    /// The end as far as it knows \[ns\].
    pub(crate) stop: AtomicU64,
    pub(crate) events: AtomicU64,
    /// It requests an interrupt.
    pub(crate) quit: AtomicBool,
    /// First thread: it works for all.
    pub(crate) alone: AtomicBool,
    /// First thread, optimistic: no speculation.
    pub(crate) pauses: AtomicBool,
    /// First thread: all threads stop here for a rebalancing \[ns\].
    pub(crate) level: AtomicU64,
    /// Time that it has waited for others \[ns\].
    pub(crate) waited: AtomicU64,
    /// Under an adversary: events undone so far.
    pub(crate) undone: AtomicU64,
    /// It sent or delayed a message in this round. Otherwise `sent` and `held` are neither written
    /// nor read: one thread may do the work of hundreds, most of them idle.
    pub(crate) sends: AtomicBool,
    /// By receiver: earliest message sent in this round \[ns\].
    pub(crate) sent: Vec<AtomicU64>,
    /// By receiver: earliest of them that an adversary delays \[ns\].
    pub(crate) held: Vec<AtomicU64>,
}

impl Notes {
    fn new(threads: usize) -> Notes {
        let none = || (0..threads).map(|_| AtomicU64::new(u64::MAX)).collect();
        Notes {
            next: AtomicU64::new(0),
            stop: AtomicU64::new(u64::MAX),
            events: AtomicU64::new(0),
            quit: AtomicBool::new(false),
            alone: AtomicBool::new(false),
            pauses: AtomicBool::new(false),
            level: AtomicU64::new(u64::MAX),
            waited: AtomicU64::new(0),
            undone: AtomicU64::new(0),
            sends: AtomicBool::new(false),
            sent: none(),
            held: none(),
        }
    }
}

/// The combined notes of a round.
pub(crate) struct RoundSummary {
    /// By thread: it has no event before, pending or in transit \[ns\].
    pub(crate) next: Vec<u64>,
    pub(crate) senders: Vec<usize>,
    /// The global virtual time: the minimum of `next` \[ns\].
    pub(crate) first: u64,
    pub(crate) events: u64,
    pub(crate) stop: u64,
    pub(crate) quit: bool,
    /// The first thread works for all.
    pub(crate) alone: bool,
    /// Optimistic: no speculation.
    pub(crate) pauses: bool,
    /// All threads stop here for a rebalancing \[ns\].
    pub(crate) level: u64,
    /// [`Partition::in_step`], computed once: one thread may do the work of hundreds.
    in_step: OnceCell<u64>,
}

impl RoundSummary {
    /// Safe time of a thread \[ns\].
    pub(crate) fn limit(&self, partition: &Partition, thread: usize) -> u64 {
        partition.limit(thread, |i| self.next[i])
    }

    /// Time up to which all threads advance in a round \[ns\].
    pub(crate) fn in_step(&self, partition: &Partition) -> u64 {
        *self.in_step.get_or_init(|| partition.in_step(&self.next))
    }

    /// All events before the rebalancing are done.
    pub(crate) fn is_level(&self) -> bool {
        self.level < u64::MAX && self.first >= self.level
    }

    /// No event before the end is left, or a thread requested an interrupt.
    pub(crate) fn is_over(&self) -> bool {
        self.quit || self.first >= self.stop
    }
}

/// A thread, in cache lines of its own.
#[repr(align(128))]
struct Member {
    step: AtomicU64,
    /// Asleep, or about to be. Only the thread itself sets it, after `thread`.
    asleep: AtomicBool,
    thread: OnceLock<Thread>,
    /// Notes of this round and the previous one: no thread is ahead by more than one round.
    notes: [Notes; 2],
}

/// The threads of a run. For those of other processes it has only the notes.
pub(crate) struct Barrier {
    members: Vec<Member>,
    here: Range<usize>,
    spin: u32,
    /// A thread has left by a panic.
    broken: AtomicBool,
}

/// A thread's membership in a barrier. A panic of the thread wakes all others.
pub(crate) struct BarrierGuard<'a>(&'a Barrier);

impl Drop for BarrierGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.break_up()
        }
    }
}

impl Barrier {
    /// `threads` in all processes, of which `here` are in this one and `crowd` on this machine.
    pub(crate) fn new(threads: usize, here: Range<usize>, crowd: usize) -> Barrier {
        let member = |_| Member {
            step: AtomicU64::new(0),
            asleep: AtomicBool::new(false),
            thread: OnceLock::new(),
            notes: [Notes::new(threads), Notes::new(threads)],
        };
        let members = (0..threads).map(member).collect();
        let spin = spin(crowd);
        Barrier { members, here, spin, broken: AtomicBool::new(false) }
    }

    /// Call in each thread before its first round.
    pub(crate) fn join(&self, me: usize) -> BarrierGuard<'_> {
        self.members[me].thread.set(thread::current()).expect("joins once");
        BarrierGuard(self)
    }

    /// Wakes all threads, so that none waits for one that panicked.
    fn break_up(&self) {
        self.broken.store(true, Release);
        fence(SeqCst);
        self.members.iter().filter_map(|m| m.thread.get()).for_each(|thread| thread.unpark())
    }

    /// A thread's notes of a round: write before [`meet`](Self::meet), read after it.
    pub(crate) fn notes(&self, member: usize, round: u64) -> &Notes {
        &self.members[member].notes[round as usize % 2]
    }

    /// Earliest delayed message to a member \[ns\]; call after the round.
    pub(crate) fn held(&self, member: usize, round: u64) -> u64 {
        let notes = (0..self.members.len()).map(|from| self.notes(from, round));
        let sending = notes.filter(|notes| notes.sends.load(Relaxed));
        sending.map(|notes| notes.held[member].load(Relaxed)).min().unwrap_or(u64::MAX)
    }

    /// Threads that sent a member a message in a round; call after it.
    pub(crate) fn senders(
        &self,
        to: usize,
        round: u64,
        known: &RoundSummary,
    ) -> impl Iterator<Item = usize> {
        let has_sent = move |from: &usize| {
            *from != to && self.notes(*from, round).sent[to].load(Relaxed) < u64::MAX
        };
        known.senders.iter().copied().filter(has_sent)
    }

    /// Events that all threads have undone so far; call after the round.
    pub(crate) fn undone(&self, round: u64) -> u64 {
        (0..self.members.len()).map(|one| self.notes(one, round).undone.load(Relaxed)).sum()
    }

    /// Combines all notes of a round; call after it.
    pub(crate) fn known(&self, round: u64) -> RoundSummary {
        let all = || (0..self.members.len()).map(|member| self.notes(member, round));
        let mut next: Vec<u64> = all().map(|notes| notes.next.load(Relaxed)).collect();
        let mut senders = vec![];
        let (mut events, mut stop, mut quit) = (0, u64::MAX, false);
        for (from, notes) in all().enumerate() {
            events += notes.events.load(Relaxed);
            stop = stop.min(notes.stop.load(Relaxed));
            quit |= notes.quit.load(Relaxed);
            if notes.sends.load(Relaxed) {
                senders.push(from);
                for (next, sent) in next.iter_mut().zip(&notes.sent) {
                    *next = sent.load(Relaxed).min(*next)
                }
            }
        }
        RoundSummary {
            first: next.iter().copied().min().unwrap_or(u64::MAX),
            next,
            senders,
            events,
            stop,
            quit,
            alone: self.notes(0, round).alone.load(Relaxed),
            pauses: self.notes(0, round).pauses.load(Relaxed),
            level: self.notes(0, round).level.load(Relaxed),
            in_step: OnceCell::new(),
        }
    }

    /// Ends a step (from 1) and waits until all threads of this process have.
    pub(crate) fn meet(&self, me: usize, step: u64) {
        self.members[me].step.store(step, Release);
        self.wake();
        for other in &self.members[self.here.clone()] {
            self.wait_for(me, || (other.step.load(Acquire) >= step).then_some(()))
        }
    }

    /// Wakes all sleeping threads, so that they poll what was just written.
    pub(crate) fn wake(&self) {
        // A thread that goes to sleep has this fence before its last poll, too: either it sees what
        // was written, or this thread sees its flag.
        fence(SeqCst);
        for other in &self.members[self.here.clone()] {
            if other.asleep.load(Acquire) {
                other.thread.get().expect("it joined before it slept").unpark()
            }
        }
    }

    /// Waits until `there` returns a value, which another thread writes before
    /// [`wake`](Self::wake).
    pub(crate) fn wait_for<R>(&self, me: usize, mut there: impl FnMut() -> Option<R>) -> R {
        for _ in 0..self.spin {
            if let Some(found) = there() {
                return found;
            }
            hint::spin_loop()
        }
        let asleep = &self.members[me].asleep;
        loop {
            asleep.store(true, Release);
            fence(SeqCst);
            if self.broken.load(Acquire) {
                // No message: the failed thread has printed one.
                panic::resume_unwind(Box::new("another thread of the run has failed"))
            }
            if let Some(found) = there() {
                asleep.store(false, Relaxed);
                return found;
            }
            thread::park()
        }
    }
}

/// Time of a barrier of two awake threads \[s\], the minimum of many; infinite if the system starts
/// no second thread.
pub fn barrier_s() -> f64 {
    let (batches, rounds) = (50, 200);
    let barrier = Barrier::new(2, 0..2, 2);
    let meet = |me: usize| {
        let _seat = barrier.join(me);
        let batch = |batch: u64| {
            let begun = crate::clock::now();
            (1..=rounds).for_each(|round| barrier.meet(me, batch * rounds + round));
            begun.elapsed().as_secs_f64() / rounds as f64
        };
        (0..batches).map(batch).fold(f64::INFINITY, f64::min)
    };
    std::thread::scope(|scope| {
        let other = std::thread::Builder::new().spawn_scoped(scope, || meet(1));
        other.map_or(f64::INFINITY, |_| meet(0))
    })
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn notes_of_a_round_are_seen_by_all_after_it() {
        let (threads, rounds) = if cfg!(miri) { (3, 50) } else { (5, 2000) };
        let barrier = Barrier::new(threads, 0..threads, threads);
        thread::scope(|scope| {
            for me in 0..threads {
                let barrier = &barrier;
                scope.spawn(move || {
                    let _seat = barrier.join(me);
                    (1..=rounds).for_each(|round| meet_and_look(barrier, me, round))
                });
            }
        })
    }
}

#[cfg(test)]
fn meet_and_look(barrier: &Barrier, me: usize, round: u64) {
    barrier.notes(me, round).next.store(round * 10 + me as u64, Relaxed);
    barrier.meet(me, round);
    for other in 0..barrier.members.len() {
        let seen = barrier.notes(other, round).next.load(Relaxed);
        assert_eq!(seen, round * 10 + other as u64)
    }
}

/// loom tries all orders of the threads' steps, and of what they see: a lost wake-up shows as a
/// deadlock.
#[cfg(all(test, loom))]
mod all_orders {
    use super::*;
    use loom::sync::Arc;

    fn model(threads: usize, preemptions: usize, go: fn(&Barrier, usize)) {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(preemptions);
        builder.max_branches = 10_000;
        builder.check(move || {
            let barrier = Arc::new(Barrier::new(threads, 0..threads, threads));
            let spawn = |me| {
                let barrier = Arc::clone(&barrier);
                thread::spawn(move || go(&barrier, me))
            };
            let members: Vec<_> = (0..threads).map(spawn).collect();
            members.into_iter().for_each(|member| member.join().expect("it comes back"))
        })
    }

    fn rounds(barrier: &Barrier, me: usize, rounds: u64) {
        let _seat = barrier.join(me);
        (1..=rounds).for_each(|round| meet_and_look(barrier, me, round))
    }

    /// In the third round the notes of the first are overwritten.
    #[test]
    fn two_threads_meet_three_times() {
        model(2, 4, |barrier, me| rounds(barrier, me, 3))
    }

    #[test]
    fn three_threads_meet_twice() {
        model(3, 2, |barrier, me| rounds(barrier, me, 2))
    }

    /// The failed thread does not meet; the other one is woken, and fails.
    #[test]
    fn nobody_sleeps_on_when_one_has_failed() {
        model(2, 4, |barrier, me| {
            let seat = barrier.join(me);
            match me {
                0 => barrier.break_up(),
                _ => {
                    let meets = std::panic::AssertUnwindSafe(|| barrier.meet(me, 1));
                    assert!(std::panic::catch_unwind(meets).is_err(), "the other never came")
                }
            }
            drop(seat)
        })
    }
}
