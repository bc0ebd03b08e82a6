//! Messages between threads: a bag for each pair, handed over once a round.
use super::barrier::{Barrier, Notes, RoundSummary};
use std::sync::{Mutex, atomic::Ordering::Relaxed};

pub(crate) struct Parcel<E> {
    pub(crate) t: u64,
    pub(crate) tie: u64,
    pub(crate) dst: u32,
    pub(crate) event: E,
}

type MailSlot<E> = Mutex<Vec<Parcel<E>>>;

/// Bags of all pairs of threads, two each: one is filled while that of the previous round is
/// emptied.
pub(crate) struct Mail<E> {
    threads: usize,
    bags: Vec<[MailSlot<E>; 2]>,
}

impl<E> Mail<E> {
    pub(crate) fn new(threads: usize) -> Mail<E> {
        Mail { threads, bags: (0..threads * threads).map(|_| Default::default()).collect() }
    }

    fn bag(&self, from: usize, to: usize, round: u64) -> &MailSlot<E> {
        &self.bags[from * self.threads + to][round as usize % 2]
    }

    /// A bag that is sent to another process, or received.
    pub(crate) fn with<R>(
        &self,
        (from, to): (usize, usize),
        round: u64,
        f: impl FnOnce(&mut Vec<Parcel<E>>) -> R,
    ) -> R {
        f(&mut self.bag(from, to, round).lock().expect("no thread panics with a bag"))
    }

    /// Swaps a round's messages with the empty bag; call before the round's end.
    fn post(&self, from: usize, to: usize, round: u64, full: &mut Vec<Parcel<E>>) {
        let mut bag = self.bag(from, to, round).lock().expect("no thread panics with a bag");
        debug_assert!(bag.is_empty());
        std::mem::swap(&mut *bag, full)
    }

    /// Empties the bags of a round that are for `to`, after its end, except those known to be
    /// empty.
    pub(crate) fn fetch(
        &self,
        to: usize,
        round: u64,
        (barrier, known): (&Barrier, &RoundSummary),
        mut each: impl FnMut(Parcel<E>),
    ) {
        for from in barrier.senders(to, round, known) {
            let mut bag = self.bag(from, to, round).lock().expect("no thread panics with a bag");
            bag.drain(..).for_each(&mut each)
        }
    }
}

pub(crate) struct OutgoingMail<E> {
    /// By receiving thread; `soonest` is the earliest time in each \[ns\].
    bags: Vec<Vec<Parcel<E>>>,
    soonest: Vec<u64>,
    /// A bag may have messages.
    sends: bool,
}

impl<E> OutgoingMail<E> {
    pub(crate) fn new(threads: usize) -> Self {
        let bags = (0..threads).map(|_| vec![]).collect();
        OutgoingMail { bags, soonest: vec![u64::MAX; threads], sends: false }
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, to: usize, parcel: Parcel<E>) {
        self.sends = true;
        self.soonest[to] = self.soonest[to].min(parcel.t);
        self.bags[to].push(parcel)
    }

    /// Messages for a thread, and their earliest time \[ns\].
    pub(crate) fn bag(&mut self, to: usize) -> (&mut Vec<Parcel<E>>, &mut u64) {
        self.sends = true;
        (&mut self.bags[to], &mut self.soonest[to])
    }

    /// Call before the round's end. The sender's notes get the earliest time of each bag.
    pub(crate) fn post(&mut self, me: usize, round: u64, mail: &Mail<E>, notes: &Notes) {
        let sends = std::mem::take(&mut self.sends);
        notes.sends.store(sends, Relaxed);
        if !sends {
            return;
        }
        for (to, (bag, soonest)) in self.bags.iter_mut().zip(&mut self.soonest).enumerate() {
            notes.sent[to].store(std::mem::replace(soonest, u64::MAX), Relaxed);
            if !bag.is_empty() {
                mail.post(me, to, round, bag)
            }
        }
    }
}
