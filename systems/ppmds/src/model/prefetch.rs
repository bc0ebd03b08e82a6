//! Memory that is asked for before it is read.
use engine::prefetch;

/// A cache line \[bytes\], and how many of them a client's lists of servers mostly take.
const LINE: usize = 64;
const FEW: usize = 8;

/// Asks for all of one thing.
pub fn soon<T>(thing: &T) {
    prefetch(std::slice::from_ref(thing), 0)
}

/// Asks for it, if it is there.
pub fn soon_if<T>(thing: Option<&T>) {
    thing.into_iter().for_each(soon)
}

/// Asks for the first cache lines of what is mostly no longer.
pub fn soon_few<T>(items: &[T]) {
    let each = (LINE / size_of::<T>().max(1)).max(1);
    (0..items.len()).step_by(each).take(FEW).for_each(|at| prefetch(items, at))
}
