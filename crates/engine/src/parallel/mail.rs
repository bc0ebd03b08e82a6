//! Messages between threads: a bag for each pair, handed over whole once a round.
use std::sync::Mutex;

/// A message on its way to another thread.
pub(crate) struct Parcel<E> {
    pub(crate) t: u64,
    pub(crate) tie: u64,
    pub(crate) dst: u32,
    pub(crate) event: E,
}

type Bag<E> = Mutex<Vec<Parcel<E>>>;

/// The bags of all pairs of threads, two each: while one is filled, the one of the round before is
/// emptied.
pub(crate) struct Mail<E> {
    threads: usize,
    bags: Vec<[Bag<E>; 2]>,
}

impl<E> Mail<E> {
    pub(crate) fn new(threads: usize) -> Mail<E> {
        Mail { threads, bags: (0..threads * threads).map(|_| Default::default()).collect() }
    }

    fn bag(&self, from: usize, to: usize, round: u64) -> &Bag<E> {
        &self.bags[from * self.threads + to][round as usize % 2]
    }

    /// Puts what was sent in a round in place of the empty bag, before the round's end.
    pub(crate) fn post(&self, from: usize, to: usize, round: u64, full: &mut Vec<Parcel<E>>) {
        let mut bag = self.bag(from, to, round).lock().expect("nobody panics with a bag");
        debug_assert!(bag.is_empty());
        std::mem::swap(&mut *bag, full)
    }

    /// Empties a bag of a round, after its end.
    pub(crate) fn fetch(
        &self,
        from: usize,
        to: usize,
        round: u64,
        mut each: impl FnMut(Parcel<E>),
    ) {
        let mut bag = self.bag(from, to, round).lock().expect("nobody panics with a bag");
        bag.drain(..).for_each(&mut each)
    }
}
