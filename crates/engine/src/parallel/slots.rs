//! All LPs in one array. Only its owner thread accesses an LP.
use crate::{
    Model,
    pending::slab::prefetch,
    population::{Population, Slot},
    rank::Ranks,
};
use std::marker::PhantomData;

/// The LPs of a run, lent to its threads.
///
/// Why it is sound: it borrows the array for its lifetime, so nothing else reads or writes it. Only
/// its owner requests an LP (see [`get`](Slots::get)), and LPs are in cache lines of their own.
pub(crate) struct Slots<'a, M: Model> {
    first: *mut Slot<M>,
    len: usize,
    /// Slot by LP; empty if these are the LPs' ids.
    places: &'a [u32],
    lent: PhantomData<&'a mut [Slot<M>]>,
}

// SAFETY: a state goes from thread to thread, and is never in two at a time.
unsafe impl<M: Model + Send> Send for Slots<'_, M> {}

impl<'a, M: Model> Slots<'a, M> {
    pub(crate) fn new(lps: &'a mut Population<M>) -> Self {
        let (slots, places) = lps.parts();
        Slots { first: slots.as_mut_ptr(), len: slots.len(), places, lent: PhantomData }
    }

    /// The same LPs, for another thread.
    ///
    /// # Safety
    /// No two threads may request the same LP.
    pub(crate) unsafe fn share(&self) -> Slots<'a, M> {
        Slots { ..*self }
    }

    #[inline(always)]
    fn place(&self, lp: u32) -> usize {
        match self.places {
            [] => lp as usize,
            places => places[lp as usize] as usize,
        }
    }

    /// The LP has to belong to this thread.
    #[inline(always)]
    pub(crate) fn get(&mut self, lp: u32) -> &mut Slot<M> {
        let place = self.place(lp);
        assert!(place < self.len);
        // SAFETY: it is in the array, no other thread asks for it (`share`), and this one has one
        // at a time, since it borrows `self`.
        unsafe { &mut *self.first.add(place) }
    }

    /// An LP of this thread, to be read; `None` if there is none. It cannot panic, so the compiler
    /// drops a walk over LPs that reads nothing.
    #[inline(always)]
    pub(crate) fn peek(&self, lp: u32) -> Option<&Slot<M>> {
        let place = match self.places {
            [] => lp as usize,
            places => *places.get(lp as usize)? as usize,
        };
        // SAFETY: as of `get`; none exists while this is borrowed.
        (place < self.len).then(|| unsafe { &*self.first.add(place) })
    }

    /// Number of messages that an LP has sent so far.
    pub(crate) fn sent(&mut self, lp: u32, ranks: &Ranks) -> u64 {
        self.get(lp).sent - ranks.first(lp)
    }

    #[inline(always)]
    pub(crate) fn prefetch(&self, lp: u32) {
        prefetch(self.first, self.place(lp))
    }
}
