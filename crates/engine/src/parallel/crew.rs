//! Threads that wait for one another, round by round.
//!
//! Everybody posts its notes of a round and waits until all have: a barrier at which numbers are
//! exchanged. Who waits spins for a moment and then sleeps, so that a core that somebody else needs
//! is given away.
use std::{
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering::*},
    },
    thread::{self, Thread},
};

/// Looks at the others' round before sleeping: some ten microseconds, a few times what a
/// cache line takes from core to core.
const SPIN: u32 = 1000;

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
    /// By receiver: the soonest of the messages sent to it in this round [ns].
    pub(crate) sent: Vec<AtomicU64>,
}

impl Notes {
    fn new(threads: usize) -> Notes {
        Notes {
            next: AtomicU64::new(0),
            stop: AtomicU64::new(u64::MAX),
            events: AtomicU64::new(0),
            quit: AtomicBool::new(false),
            sent: (0..threads).map(|_| AtomicU64::new(u64::MAX)).collect(),
        }
    }
}

/// What all threads know after a meeting.
pub(crate) struct Known {
    /// By thread: it has no event before, pending or on its way to it [ns].
    pub(crate) next: Vec<u64>,
    /// The least of these.
    pub(crate) first: u64,
    pub(crate) events: u64,
    pub(crate) stop: u64,
    pub(crate) quit: bool,
}

/// A thread's, in cache lines of its own.
#[repr(align(128))]
struct Member {
    round: AtomicU64,
    asleep: AtomicBool,
    thread: OnceLock<Thread>,
    /// Of this round and of the one before: who is ahead is so by one round at most.
    notes: [Notes; 2],
}

/// The threads of a run.
pub(crate) struct Crew {
    members: Vec<Member>,
    /// One of them has left by a panic.
    broken: AtomicBool,
}

/// A thread's place in a crew, until it leaves.
pub(crate) struct Seat<'a>(&'a Crew);

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.break_up()
        }
    }
}

impl Crew {
    pub(crate) fn new(threads: usize) -> Crew {
        let member = |_| Member {
            round: AtomicU64::new(0),
            asleep: AtomicBool::new(false),
            thread: OnceLock::new(),
            notes: [Notes::new(threads), Notes::new(threads)],
        };
        Crew { members: (0..threads).map(member).collect(), broken: AtomicBool::new(false) }
    }

    /// To be called by each thread, before its first round.
    pub(crate) fn join(&self, me: usize) -> Seat<'_> {
        self.members[me].thread.set(thread::current()).expect("joins once");
        Seat(self)
    }

    /// So that nobody waits for who has left by a panic.
    fn break_up(&self) {
        self.broken.store(true, SeqCst);
        self.members.iter().filter_map(|m| m.thread.get()).for_each(Thread::unpark)
    }

    /// A thread's notes of a round, to be written before [`meet`](Self::meet) and read after it.
    pub(crate) fn notes(&self, member: usize, round: u64) -> &Notes {
        &self.members[member].notes[round as usize % 2]
    }

    /// All notes of a round, after its end.
    pub(crate) fn known(&self, round: u64) -> Known {
        let all = || (0..self.members.len()).map(|member| self.notes(member, round));
        let least = |times: &mut dyn Iterator<Item = u64>| times.min().unwrap_or(u64::MAX);
        let next = |(member, notes): (usize, &Notes)| {
            let sent = least(&mut all().map(|notes| notes.sent[member].load(Relaxed)));
            sent.min(notes.next.load(Relaxed))
        };
        let next: Vec<u64> = all().enumerate().map(next).collect();
        Known {
            first: least(&mut next.iter().copied()),
            next,
            events: all().map(|notes| notes.events.load(Relaxed)).sum(),
            stop: least(&mut all().map(|notes| notes.stop.load(Relaxed))),
            quit: all().any(|notes| notes.quit.load(Relaxed)),
        }
    }

    /// Ends a round (from 1) and waits until all have.
    pub(crate) fn meet(&self, me: usize, round: u64) {
        // In one order with `asleep`: either this store is seen by who goes to sleep, or its flag
        // is seen here.
        self.members[me].round.store(round, SeqCst);
        for other in &self.members {
            if other.asleep.load(SeqCst) && other.asleep.swap(false, SeqCst) {
                other.thread.get().expect("it joined before it slept").unpark()
            }
        }
        for other in &self.members {
            self.wait(me, || other.round.load(Acquire) >= round)
        }
    }

    fn wait(&self, me: usize, there: impl Fn() -> bool) {
        for _ in 0..SPIN {
            if there() {
                return;
            }
            std::hint::spin_loop()
        }
        let asleep = &self.members[me].asleep;
        loop {
            asleep.store(true, SeqCst);
            std::sync::atomic::fence(SeqCst);
            assert!(!self.broken.load(SeqCst), "another thread of the run has failed");
            if there() {
                return asleep.store(false, SeqCst);
            }
            thread::park()
        }
    }
}

/// Each member goes on a thread of its own, the first on the caller's, which leads.
pub(crate) fn all_go<T: Send>(
    members: impl Iterator<Item = T>,
    lead: impl FnOnce(T) -> T,
    follow: impl Fn(T) -> T + Copy + Send,
) -> Vec<T> {
    let mut members: Vec<T> = members.collect();
    let first = members.remove(0);
    thread::scope(|scope| {
        let others: Vec<_> =
            members.into_iter().map(|member| scope.spawn(move || follow(member))).collect();
        let first = lead(first);
        let joined = others.into_iter().map(|o| o.join().expect("faults are caught"));
        std::iter::once(first).chain(joined).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_a_round_are_seen_by_all_after_it() {
        let (threads, rounds) = (5, 2000);
        let crew = Crew::new(threads);
        thread::scope(|scope| {
            for me in 0..threads {
                let crew = &crew;
                scope.spawn(move || {
                    let _seat = crew.join(me);
                    for round in 1..=rounds {
                        let mine = round * 10 + me as u64;
                        crew.notes(me, round).next.store(mine, Relaxed);
                        crew.meet(me, round);
                        for other in 0..threads {
                            let seen = crew.notes(other, round).next.load(Relaxed);
                            assert_eq!(seen, round * 10 + other as u64)
                        }
                    }
                });
            }
        })
    }
}
