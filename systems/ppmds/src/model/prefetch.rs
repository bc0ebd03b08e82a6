//! Prefetching for `Model::foresee`.
use engine::prefetch;

/// A cache line \[bytes\], and the most lines prefetched of a slice.
const LINE: usize = 64;
const FEW: usize = 8;

pub fn soon<T>(thing: &T) {
    prefetch(std::slice::from_ref(thing), 0)
}

pub fn soon_if<T>(thing: Option<&T>) {
    thing.into_iter().for_each(soon)
}

/// Prefetches the first cache lines.
pub fn soon_few<T>(items: &[T]) {
    let each = (LINE / size_of::<T>().max(1)).max(1);
    (0..items.len()).step_by(each).take(FEW).for_each(|at| prefetch(items, at))
}
