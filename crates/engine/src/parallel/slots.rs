//! All LPs in one array, each touched by the one thread that owns it.
use crate::{Model, pending::slab::prefetch, world::Slot};
use std::marker::PhantomData;

/// The LPs of a run, lent to its threads.
///
/// Why it is sound: it borrows the array for as long as it lives, so nobody else reads or writes
/// it. Of one LP only its owner asks (see [`get`](Slots::get)), and LPs lie in cache lines of their
/// own.
pub(crate) struct Slots<'a, M: Model> {
    first: *mut Slot<M>,
    len: usize,
    lent: PhantomData<&'a mut [Slot<M>]>,
}

// SAFETY: a state goes from thread to thread, and is never in two at a time.
unsafe impl<M: Model + Send> Send for Slots<'_, M> {}

impl<'a, M: Model> Slots<'a, M> {
    pub(crate) fn new(lps: &'a mut [Slot<M>]) -> Self {
        Slots { first: lps.as_mut_ptr(), len: lps.len(), lent: PhantomData }
    }

    /// The same LPs, for another thread.
    ///
    /// # Safety
    /// No two threads ask for the same LP.
    pub(crate) unsafe fn share(&self) -> Slots<'a, M> {
        Slots { first: self.first, len: self.len, lent: PhantomData }
    }

    /// An LP of this thread.
    #[inline(always)]
    pub(crate) fn get(&mut self, lp: u32) -> &mut Slot<M> {
        assert!((lp as usize) < self.len);
        // SAFETY: it is in the array, no other thread asks for it (`share`), and this one has one
        // at a time, since it borrows `self`.
        unsafe { &mut *self.first.add(lp as usize) }
    }

    /// Asks for the cache lines of an LP.
    #[inline(always)]
    pub(crate) fn prefetch(&self, lp: u32) {
        prefetch(self.first, lp as usize)
    }
}
