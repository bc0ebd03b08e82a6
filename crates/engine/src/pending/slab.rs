//! Payloads in fixed places, each in cache lines of its own. All unsafe code of the crate's data
//! structures is in this file.
//!
//! Why it is sound: `live` places are those below `lines.len()` that are not in `free`. `put` makes
//! a place live and hands out its number; `take` and `drop_at` make it free. Numbers are kept in
//! entries, which are unique by construction (each comes from one `put`) and are taken once: when
//! popped, discarded or buried. Debug builds check it.
//!
//! A payload is handled in place while others are put. So no reference to more than one line is
//! ever made. A pinned slab that has to move leaves its old memory unchanged for its readers until
//! `tidy`.
use std::mem::MaybeUninit;

#[repr(align(64))]
struct Line<E>(MaybeUninit<E>);

pub(crate) struct Slab<E> {
    lines: Vec<Line<E>>,
    free: Vec<u32>,
    pinned: bool,
    /// Memory of the lines before each move.
    old: Vec<Vec<Line<E>>>,
    #[cfg(debug_assertions)]
    live: Vec<bool>,
}

/// Places have 31 bits; the highest bit marks timers.
const MOST: usize = 1 << 31;

impl<E> Slab<E> {
    pub(crate) fn new() -> Self {
        Slab {
            lines: vec![],
            free: vec![],
            pinned: false,
            old: vec![],
            #[cfg(debug_assertions)]
            live: vec![],
        }
    }

    /// Fills the place freed last first: it is still in the cache.
    #[inline(always)]
    pub(crate) fn put(&mut self, event: E) -> u32 {
        // The payload goes only to its place, so that it is built there and not copied.
        let place = self.free.pop().unwrap_or_else(|| self.grow());
        self.note(place, false, true);
        // SAFETY: the place is below `lines.len()`, and free, so that it is not read.
        unsafe { self.lines.as_mut_ptr().add(place as usize).write(Line(MaybeUninit::new(event))) };
        place
    }

    /// From now on payloads are handled in place.
    pub(crate) fn pin(&mut self) {
        self.pinned = true;
        // So that a run with a constant number of events does not move them for the one in
        // progress.
        self.lines.reserve_exact(64)
    }

    /// Frees old memory. Call now and then, while no payload is being handled.
    pub(crate) fn tidy(&mut self) {
        self.old.clear()
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) -> u32 {
        assert!(self.lines.len() < MOST, "2^31 events are pending: more is sent than is handled");
        if self.pinned && self.lines.len() == self.lines.capacity() {
            self.move_out()
        }
        self.lines.push(Line(MaybeUninit::uninit()));
        #[cfg(debug_assertions)]
        self.live.push(false);
        self.lines.len() as u32 - 1
    }

    fn move_out(&mut self) {
        let len = self.lines.len();
        let mut lines = Vec::with_capacity(2 * len.max(64));
        // SAFETY: both have this length; a copied line is dropped in its new place only: lines
        // drop nothing.
        unsafe {
            std::ptr::copy_nonoverlapping(self.lines.as_ptr(), lines.as_mut_ptr(), len);
            lines.set_len(len)
        }
        self.old.push(std::mem::replace(&mut self.lines, lines))
    }

    /// The payload of a live place, valid until `drop_at`, whatever is put in between.
    #[inline(always)]
    pub(crate) fn lend(&self, place: u32) -> *const E {
        debug_assert!(self.pinned && (place as usize) < self.lines.len());
        // SAFETY: the place is live, so it is below `lines.len()`.
        unsafe { self.lines.as_ptr().add(place as usize).cast() }
    }

    #[inline(always)]
    pub(crate) fn take(&mut self, place: u32) -> E {
        self.note(place, true, false);
        self.free.push(place);
        // SAFETY: the place is live (see above), so it was written; it is free from here on, so it
        // is read once.
        unsafe { self.lines.as_ptr().add(place as usize).cast::<E>().read() }
    }

    #[inline(always)]
    pub(crate) fn drop_at(&mut self, place: u32) {
        drop(self.take(place))
    }

    pub(crate) fn get(&self, place: u32) -> &E {
        #[cfg(debug_assertions)]
        assert!(self.live[place as usize], "place {place} is free");
        // SAFETY: the place is live (see above), so it was written.
        unsafe { self.lines[place as usize].0.assume_init_ref() }
    }

    #[inline(always)]
    #[allow(unused_variables)]
    fn note(&mut self, place: u32, from: bool, to: bool) {
        #[cfg(debug_assertions)]
        assert_eq!(
            std::mem::replace(&mut self.live[place as usize], to),
            from,
            "place {place} of the slab was put or taken twice"
        );
    }

    #[inline(always)]
    pub(crate) fn prefetch(&self, place: u32) {
        prefetch(self.lines.as_ptr(), place as usize)
    }
}

impl<E> Drop for Slab<E> {
    fn drop(&mut self) {
        if !std::mem::needs_drop::<E>() {
            return;
        }
        let mut live = vec![true; self.lines.len()];
        self.free.iter().for_each(|place| live[*place as usize] = false);
        for (line, _) in self.lines.iter_mut().zip(live).filter(|(_, live)| *live) {
            // SAFETY: live places were written and not yet read; after this none is looked at
            // again.
            unsafe { line.0.assume_init_drop() }
        }
    }
}

/// Requests the cache lines of an item before it is read. A wrong index is harmless.
#[inline(always)]
pub fn prefetch_item<T>(items: &[T], index: usize) {
    prefetch(items.as_ptr(), index)
}

/// Requests the first two cache lines of a value that may be large.
#[inline(always)]
pub(crate) fn prefetch_start<T>(at: &T) {
    let at: *const T = at;
    if size_of::<T>() <= 128 {
        return prefetch(at, 0);
    }
    prefetch(at.cast::<[u8; 128]>(), 0)
}

/// Requests all cache lines of an item of an array; a wrong index is harmless.
#[inline(always)]
pub(crate) fn prefetch<T>(first: *const T, index: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let item = first.wrapping_add(index).cast::<i8>();
        for line in 0..size_of::<T>().div_ceil(64) {
            // SAFETY: a prefetch never faults, whatever the address.
            unsafe { _mm_prefetch(item.wrapping_add(64 * line), _MM_HINT_T0) }
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (first, index);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    #[test]
    fn everything_is_dropped_once() {
        let token = Rc::new(());
        let mut slab = Slab::new();
        let places: Vec<u32> = (0..10).map(|_| slab.put(token.clone())).collect();
        assert_eq!(Rc::strong_count(&token), 11);
        drop(slab.take(places[3]));
        drop(slab.take(places[7]));
        assert_eq!(slab.put(token.clone()), places[7]);
        assert_eq!(Rc::strong_count(&token), 10);
        drop(slab);
        assert_eq!(Rc::strong_count(&token), 1);
    }

    #[test]
    fn what_is_lent_stays_readable_while_others_are_put() {
        let (many, more) = if cfg!(miri) { (100, 80) } else { (3000, 2500) };
        let mut slab = Slab::new();
        let first = slab.put(String::from("first"));
        slab.pin();
        for round in 0..3 {
            let before = slab.lines.as_ptr();
            // SAFETY: not dropped before its last use.
            let lent = unsafe { &*slab.lend(first) };
            let others: Vec<u32> = (0..many).map(|i| slab.put(format!("{round} {i}"))).collect();
            assert_ne!(slab.lines.as_ptr(), before, "the test is for a slab that moves");
            assert_eq!(lent, "first");
            slab.tidy();
            for (i, place) in others.into_iter().enumerate().filter(|(i, _)| i % 7 > 0) {
                assert_eq!(slab.take(place), format!("{round} {i}"))
            }
            for _ in 0..more {
                slab.put(String::from("left"));
            }
        }
        assert_eq!(slab.get(first), "first");
        slab.drop_at(first);
        assert_eq!(slab.put(String::from("again")), first)
    }
}
