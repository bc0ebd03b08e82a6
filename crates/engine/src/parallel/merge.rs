//! The records of several threads, brought into one order.
use crate::{Sink, Stamp};
use std::{
    collections::VecDeque,
    mem,
    sync::{Arc, Mutex},
};

/// Where a thread's committed records go, in the order of its events.
pub(crate) trait Outlet<R>: Send {
    /// See [`Sink::ORDERED`].
    const ORDERED: bool;
    fn put(&mut self, stamp: Stamp, record: R);
    /// At the end of a round.
    fn flush(&mut self);
}

/// A sink of the thread's own.
pub(crate) struct Direct<S>(pub(crate) S);

impl<R, S: Sink<R> + Send> Outlet<R> for Direct<S> {
    const ORDERED: bool = S::ORDERED;
    #[inline(always)]
    fn put(&mut self, stamp: Stamp, record: R) {
        self.0.take(stamp, record)
    }
    fn flush(&mut self) {}
}

type Row<R> = (Stamp, R);
type Shelf<R> = Arc<Mutex<Vec<Row<R>>>>;

/// Carries records to the thread that merges them.
pub(crate) struct Tray<R> {
    rows: Vec<Row<R>>,
    shelf: Shelf<R>,
}

impl<R: Send> Outlet<R> for Tray<R> {
    const ORDERED: bool = true;
    #[inline(always)]
    fn put(&mut self, stamp: Stamp, record: R) {
        self.rows.push((stamp, record))
    }
    fn flush(&mut self) {
        if self.rows.is_empty() {
            return;
        }
        let mut shelf = self.shelf.lock().expect("nobody panics with a shelf");
        match shelf.is_empty() {
            true => mem::swap(&mut *shelf, &mut self.rows),
            false => shelf.append(&mut self.rows),
        }
    }
}

/// What has come from each thread and has not been delivered.
pub(crate) struct Merge<R> {
    shelves: Vec<Shelf<R>>,
    queues: Vec<VecDeque<Row<R>>>,
}

impl<R> Merge<R> {
    /// For so many threads, each of which gets a tray.
    pub(crate) fn new(threads: usize) -> (Merge<R>, Vec<Tray<R>>) {
        let shelves: Vec<Shelf<R>> = (0..threads).map(|_| Shelf::default()).collect();
        let tray = |shelf: &Shelf<R>| Tray { rows: vec![], shelf: Arc::clone(shelf) };
        let trays = shelves.iter().map(tray).collect();
        (Merge { shelves, queues: (0..threads).map(|_| VecDeque::new()).collect() }, trays)
    }

    /// All records of events before `frontier` \[ns\], in order. No thread may still run such an
    /// event.
    pub(crate) fn deliver(&mut self, frontier: u64, sink: &mut impl FnMut(Stamp, R)) {
        for (shelf, queue) in self.shelves.iter().zip(&mut self.queues) {
            queue.extend(shelf.lock().expect("nobody panics with a shelf").drain(..))
        }
        let head = |queue: &VecDeque<Row<R>>| queue.front().map(|(stamp, _)| *stamp);
        loop {
            let heads = self.queues.iter_mut().filter_map(|q| Some((head(q)?, q)));
            let first = heads.min_by_key(|(stamp, _)| *stamp);
            let Some((_, queue)) = first.filter(|(stamp, _)| stamp.at.0 < frontier) else { return };
            let (stamp, record) = queue.pop_front().expect("it has a head");
            sink(stamp, record)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Nanos;

    #[test]
    fn in_order_up_to_the_frontier() {
        let (mut merge, mut trays) = Merge::new(2);
        let stamp = |at| Stamp { at: Nanos(at), tie: at, lp: 0, index: 0 };
        [1, 4, 9].iter().for_each(|&at| trays[0].put(stamp(at), at));
        [2, 3, 7].iter().for_each(|&at| trays[1].put(stamp(at), at));
        trays.iter_mut().for_each(Outlet::flush);
        let mut seen = vec![];
        merge.deliver(4, &mut |_, at| seen.push(at));
        assert_eq!(seen, [1, 2, 3]);
        trays[1].put(stamp(8), 8);
        trays[1].flush();
        merge.deliver(u64::MAX, &mut |_, at| seen.push(at));
        assert_eq!(seen, [1, 2, 3, 4, 7, 8, 9])
    }
}
