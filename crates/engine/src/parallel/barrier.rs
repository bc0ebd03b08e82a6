//! Threads that wait for one another, round by round.
//!
//! Everybody posts its notes of a round and waits until all have: a barrier at which numbers are
//! exchanged. Who waits spins for a moment and then sleeps, so that a core that somebody else needs
//! is given away.
use super::partition::Partition;
use super::sync::{AtomicBool, AtomicU64, Thread, fence, hint, thread};
use std::{
    cell::OnceCell,
    ops::Range,
    panic,
    sync::{OnceLock, atomic::Ordering::*},
};

/// Looks at the others' step before sleeping: some 160 microseconds, what a few large events take,
/// which is what one thread is ahead of another; to be woken takes half of that. Where orders are
/// tried, looking again shows nothing new.
const SPIN: u32 = if cfg!(any(loom, miri)) { 0 } else { 16000 };

/// So long a thread looks: not at all where another of the barrier needs its core.
fn spin(threads: usize) -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if threads > cores { 0 } else { SPIN }
}

/// What a thread tells the others at the end of a round. Plain stores: the round orders them.
pub(crate) struct Notes {
    /// It has no event before [ns].
    pub(crate) next: AtomicU64,
    /// The end, as far as it knows [ns].
    pub(crate) stop: AtomicU64,
    /// Its committed events so far.
    pub(crate) events: AtomicU64,
    /// It wants to break the run off.
    pub(crate) quit: AtomicBool,
    /// If it leads: it goes on alone, with what the others have.
    pub(crate) alone: AtomicBool,
    /// If it leads, optimistic: nobody is to go ahead of what is certain.
    pub(crate) rests: AtomicBool,
    /// If it leads: nobody is to go further, for there all rebalance LPs [ns].
    pub(crate) level: AtomicU64,
    /// How long it has waited for others [ns].
    pub(crate) waited: AtomicU64,
    /// Beside an adversary: events that it has undone so far.
    pub(crate) undone: AtomicU64,
    /// It has sent something in this round, or holds something back. Else what follows is
    /// neither rewritten nor looked at: one thread may do the work of hundreds, most of which rest.
    pub(crate) sends: AtomicBool,
    /// By receiver: the soonest of the messages sent to it in this round [ns].
    pub(crate) sent: Vec<AtomicU64>,
    /// By receiver: the soonest of those of them that are held back [ns].
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
            rests: AtomicBool::new(false),
            level: AtomicU64::new(u64::MAX),
            waited: AtomicU64::new(0),
            undone: AtomicU64::new(0),
            sends: AtomicBool::new(false),
            sent: none(),
            held: none(),
        }
    }
}

/// What all threads know after a meeting.
pub(crate) struct Known {
    /// By thread: it has no event before, pending or on its way to it [ns].
    pub(crate) next: Vec<u64>,
    /// Threads that have sent something.
    pub(crate) senders: Vec<usize>,
    /// The least of all threads' next [ns].
    pub(crate) first: u64,
    pub(crate) events: u64,
    pub(crate) stop: u64,
    pub(crate) quit: bool,
    /// The first thread goes on alone, with what the others have.
    pub(crate) alone: bool,
    /// Optimistic: nobody goes ahead of what is certain.
    pub(crate) rests: bool,
    /// Nobody goes further; there all rebalance LPs [ns].
    pub(crate) level: u64,
    /// [`Partition::in_step`], once somebody has asked: one thread may do the work of hundreds.
    in_step: OnceCell<u64>,
}

impl Known {
    /// Up to where a thread may go \[ns\].
    pub(crate) fn limit(&self, partition: &Partition, thread: usize) -> u64 {
        partition.limit(thread, |i| self.next[i])
    }

    /// Up to where those go that go in step with the others \[ns\].
    pub(crate) fn in_step(&self, partition: &Partition) -> u64 {
        *self.in_step.get_or_init(|| partition.in_step(&self.next))
    }

    /// All have done what comes before the time at which LPs are rebalanced.
    pub(crate) fn is_level(&self) -> bool {
        self.level < u64::MAX && self.first >= self.level
    }

    /// Nobody has anything before the end, or somebody breaks the run off.
    pub(crate) fn is_over(&self) -> bool {
        self.quit || self.first >= self.stop
    }
}

/// A thread's, in cache lines of its own.
#[repr(align(128))]
struct Member {
    step: AtomicU64,
    /// Or about to be; only it itself says so, after it has said which thread it is.
    asleep: AtomicBool,
    thread: OnceLock<Thread>,
    /// Of this round and of the one before: who is ahead is so by one round at most.
    notes: [Notes; 2],
}

/// The threads of a run. Of those of other processes only the notes are here.
pub(crate) struct Barrier {
    members: Vec<Member>,
    here: Range<usize>,
    /// Looks at the others before sleeping.
    spin: u32,
    /// One of them has left by a panic.
    broken: AtomicBool,
}

/// A thread's place in a barrier, until it leaves.
pub(crate) struct Seat<'a>(&'a Barrier);

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.break_up()
        }
    }
}

impl Barrier {
    /// So many in all processes, of which some are here, and `crowd` share this machine's cores.
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

    /// To be called by each thread, before its first round.
    pub(crate) fn join(&self, me: usize) -> Seat<'_> {
        self.members[me].thread.set(thread::current()).expect("joins once");
        Seat(self)
    }

    /// So that nobody waits for who has left by a panic.
    fn break_up(&self) {
        self.broken.store(true, Release);
        fence(SeqCst);
        self.members.iter().filter_map(|m| m.thread.get()).for_each(|thread| thread.unpark())
    }

    /// A thread's notes of a round, to be written before [`meet`](Self::meet) and read after it.
    pub(crate) fn notes(&self, member: usize, round: u64) -> &Notes {
        &self.members[member].notes[round as usize % 2]
    }

    /// After a round's end: the soonest message to a member that is held back [ns].
    pub(crate) fn held(&self, member: usize, round: u64) -> u64 {
        let notes = (0..self.members.len()).map(|from| self.notes(from, round));
        let sending = notes.filter(|notes| notes.sends.load(Relaxed));
        sending.map(|notes| notes.held[member].load(Relaxed)).min().unwrap_or(u64::MAX)
    }

    /// Who has sent a member something in a round, after its end.
    pub(crate) fn senders(
        &self,
        to: usize,
        round: u64,
        known: &Known,
    ) -> impl Iterator<Item = usize> {
        let has_sent = move |from: &usize| {
            *from != to && self.notes(*from, round).sent[to].load(Relaxed) < u64::MAX
        };
        known.senders.iter().copied().filter(has_sent)
    }

    /// After a round's end: what all have undone so far.
    pub(crate) fn undone(&self, round: u64) -> u64 {
        (0..self.members.len()).map(|one| self.notes(one, round).undone.load(Relaxed)).sum()
    }

    /// All notes of a round, after its end.
    pub(crate) fn known(&self, round: u64) -> Known {
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
        Known {
            first: next.iter().copied().min().unwrap_or(u64::MAX),
            next,
            senders,
            events,
            stop,
            quit,
            alone: self.notes(0, round).alone.load(Relaxed),
            rests: self.notes(0, round).rests.load(Relaxed),
            level: self.notes(0, round).level.load(Relaxed),
            in_step: OnceCell::new(),
        }
    }

    /// Ends a step (from 1) and waits until all here have.
    pub(crate) fn meet(&self, me: usize, step: u64) {
        self.members[me].step.store(step, Release);
        self.wake();
        for other in &self.members[self.here.clone()] {
            self.wait_for(me, || (other.step.load(Acquire) >= step).then_some(()))
        }
    }

    /// Wakes all that sleep, so that they look again at what has just been written for them.
    pub(crate) fn wake(&self) {
        // There is one before each look of who goes to sleep, too: either what was written is seen
        // there, or the flag is seen here.
        fence(SeqCst);
        for other in &self.members[self.here.clone()] {
            if other.asleep.load(Acquire) {
                other.thread.get().expect("it joined before it slept").unpark()
            }
        }
    }

    /// Waits for what others write, and then [`wake`](Self::wake).
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
                // Quietly: who failed has said why.
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

/// What a meeting of two threads takes that are both awake \[s\]: the least of many; infinite
/// where there is no second thread to be had.
pub fn meeting_s() -> f64 {
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

/// Writes a note, meets, and looks at all.
#[cfg(test)]
fn meet_and_look(barrier: &Barrier, me: usize, round: u64) {
    barrier.notes(me, round).next.store(round * 10 + me as u64, Relaxed);
    barrier.meet(me, round);
    for other in 0..barrier.members.len() {
        let seen = barrier.notes(other, round).next.load(Relaxed);
        assert_eq!(seen, round * 10 + other as u64)
    }
}

/// All orders in which the threads' steps, and what they see of one another's, can follow: a
/// wake-up that is lost shows as a deadlock.
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

    /// In the third, the notes of the first are written over.
    #[test]
    fn two_threads_meet_three_times() {
        model(2, 4, |barrier, me| rounds(barrier, me, 3))
    }

    #[test]
    fn three_threads_meet_twice() {
        model(3, 2, |barrier, me| rounds(barrier, me, 2))
    }

    /// Who has failed does not meet; the other is woken, and fails.
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
