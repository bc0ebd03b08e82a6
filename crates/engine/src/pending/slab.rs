//! Payloads in fixed places, each in cache lines of its own. All unsafe code of the crate's data structures is here.
//!
//! Why it is sound: `live` places are those below `lines.len()` that are not in `free`. `put` makes a place live and
//! hands out its number; `take` makes it free. Numbers are kept in entries, which are unique by construction (each
//! comes from one `put`) and are taken once: when popped, discarded or buried. Debug builds and Miri check it.
use std::mem::MaybeUninit;

#[repr(align(64))]
struct Line<E>(MaybeUninit<E>);

pub(crate) struct Slab<E> {
    lines: Vec<Line<E>>,
    free: Vec<u32>,
    #[cfg(debug_assertions)]
    live: Vec<bool>,
}

/// Places are numbered with 31 bits; the highest marks timers.
const MOST: usize = 1 << 31;

impl<E> Slab<E> {
    pub(crate) fn new() -> Self {
        Slab {
            lines: vec![],
            free: vec![],
            #[cfg(debug_assertions)]
            live: vec![],
        }
    }

    /// The place freed last is filled first: it is still in the cache.
    #[inline(always)]
    pub(crate) fn put(&mut self, event: E) -> u32 {
        // The payload goes nowhere but to its place, so that it is built there and not copied.
        let place = self.free.pop().unwrap_or_else(|| self.grow());
        self.note(place, false, true);
        self.lines[place as usize].0.write(event);
        place
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) -> u32 {
        assert!(self.lines.len() < MOST, "2^31 events are pending: more is sent than is handled");
        self.lines.push(Line(MaybeUninit::uninit()));
        #[cfg(debug_assertions)]
        self.live.push(false);
        self.lines.len() as u32 - 1
    }

    #[inline(always)]
    pub(crate) fn take(&mut self, place: u32) -> E {
        self.note(place, true, false);
        let line = &self.lines[place as usize];
        self.free.push(place);
        // SAFETY: the place is live (see above), so it was written; it is free from here on, so it is read once.
        unsafe { line.0.assume_init_read() }
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
        prefetch(&self.lines, place as usize)
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
            // SAFETY: live places were written and not yet read; after this none is looked at again.
            unsafe { line.0.assume_init_drop() }
        }
    }
}

/// Asks for all cache lines of an item; a wrong index is harmless.
#[inline(always)]
pub(crate) fn prefetch<T>(all: &[T], index: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let item = all.as_ptr().wrapping_add(index).cast::<i8>();
        for line in 0..size_of::<T>().div_ceil(64) {
            // SAFETY: a prefetch never faults, whatever the address.
            unsafe { _mm_prefetch(item.wrapping_add(64 * line), _MM_HINT_T0) }
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (all, index);
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
}
