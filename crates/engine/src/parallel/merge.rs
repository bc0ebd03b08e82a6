//! Merges the records of several threads into one order.
use super::exchange::ExchangePayload;
use crate::{Sink, Stamp};
use rewind::{Reader, Wire, WireError};
use std::{
    collections::VecDeque,
    mem,
    ops::Range,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};
use units::Nanos;

/// Takes a thread's committed records, in the order of its events.
pub(crate) trait Outlet<R>: Send {
    /// See [`Sink::ORDERED`].
    const ORDERED: bool;
    fn put(&mut self, stamp: Stamp, record: R);
    /// Call at the end of a round.
    fn flush(&mut self);
    /// Whether too many records wait for other threads, so that this thread has to wait.
    fn is_full(&self) -> bool {
        false
    }
}

/// Maximum records of a thread that wait for those of others, while others have work: bounds its
/// memory.
const MOST_ROWS: u64 = 1 << 17;

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
type SharedRows<R> = Arc<Mutex<Vec<Row<R>>>>;

/// Carries records to the thread that merges them.
pub(crate) struct RecordBuffer<R> {
    rows: Vec<Row<R>>,
    shelf: SharedRows<R>,
    /// Rows put in here; `delivered` counts those delivered.
    put: u64,
    delivered: Arc<AtomicU64>,
}

impl<R: Send> Outlet<R> for RecordBuffer<R> {
    const ORDERED: bool = true;
    #[inline(always)]
    fn put(&mut self, stamp: Stamp, record: R) {
        self.rows.push((stamp, record));
        self.put += 1
    }
    fn is_full(&self) -> bool {
        self.put - self.delivered.load(Relaxed) > MOST_ROWS
    }
    fn flush(&mut self) {
        if self.rows.is_empty() {
            return;
        }
        let mut shelf = self.shelf.lock().expect("no thread panics with a shelf");
        match shelf.is_empty() {
            true => mem::swap(&mut *shelf, &mut self.rows),
            false => shelf.append(&mut self.rows),
        }
    }
}

/// Records of each thread that are not delivered yet.
pub(crate) struct Merge<R> {
    shelves: Vec<SharedRows<R>>,
    queues: Vec<VecDeque<Row<R>>>,
    /// By thread: number of delivered records.
    delivered: Vec<Arc<AtomicU64>>,
}

impl<R> Merge<R> {
    pub(crate) fn new(threads: usize, here: Range<usize>) -> (Merge<R>, Vec<RecordBuffer<R>>) {
        let shelves: Vec<SharedRows<R>> = (0..threads).map(|_| SharedRows::default()).collect();
        let delivered: Vec<Arc<AtomicU64>> = (0..threads).map(|_| Arc::default()).collect();
        let tray = |thread: usize| {
            let (shelf, delivered) = (Arc::clone(&shelves[thread]), Arc::clone(&delivered[thread]));
            RecordBuffer { rows: vec![], shelf, put: 0, delivered }
        };
        let trays = here.map(tray).collect();
        let queues = (0..threads).map(|_| VecDeque::new()).collect();
        (Merge { shelves, queues, delivered }, trays)
    }

    /// Delivers the remaining records, in order.
    pub(crate) fn deliver_all(&mut self, sink: &mut impl FnMut(Stamp, R)) {
        self.deliver(u64::MAX, sink);
        let last = self.queues.iter_mut().flat_map(|queue| queue.drain(..));
        let mut last: Vec<Row<R>> = last.collect();
        last.sort_by_key(|(stamp, _)| *stamp);
        last.into_iter().for_each(|(stamp, record)| sink(stamp, record))
    }

    /// Delivers all records of events before `frontier` \[ns\], in order. No thread may still run
    /// such an event.
    pub(crate) fn deliver(&mut self, frontier: u64, sink: &mut impl FnMut(Stamp, R)) {
        self.deliver_before((frontier, 0), sink)
    }

    /// In addition, delivers those at `frontier` whose key's second half is less than `tie`.
    pub(crate) fn deliver_before(
        &mut self,
        (frontier, tie): (u64, u64),
        sink: &mut impl FnMut(Stamp, R),
    ) {
        let frontier = Stamp { at: Nanos(frontier), tie, lp: 0, index: 0 };
        for (shelf, queue) in self.shelves.iter().zip(&mut self.queues) {
            let mut shelf = shelf.lock().expect("no thread panics with a shelf");
            if queue.is_empty() {
                // Touches no row, and reuses the buffer of the queue.
                let room = Vec::from(mem::take(queue));
                *queue = mem::replace(&mut *shelf, room).into()
            } else {
                queue.extend(shelf.drain(..))
            }
        }
        while let Some((thread, upto)) = self.first_queue(frontier) {
            let (queue, delivered) = (&mut self.queues[thread], &self.delivered[thread]);
            let before = queue.len();
            while queue.front().is_some_and(|(stamp, _)| *stamp < upto) {
                let (stamp, record) = queue.pop_front().expect("it has a head");
                sink(stamp, record)
            }
            delivered.fetch_add((before - queue.len()) as u64, Relaxed);
        }
    }

    /// The queue with the earliest head before `frontier`, and the stamp up to which it stays the
    /// earliest.
    fn first_queue(&self, frontier: Stamp) -> Option<(usize, Stamp)> {
        let (mut upto, mut first) = (frontier, None);
        for (i, queue) in self.queues.iter().enumerate() {
            let Some((head, _)) = queue.front().filter(|(head, _)| *head < upto) else { continue };
            match first {
                Some((_, best)) if best < *head => upto = *head,
                _ => {
                    upto = first.map_or(upto, |(_, best)| best);
                    first = Some((i, *head))
                }
            }
        }
        first.map(|(i, _)| (i, upto))
    }
}

/// Transfers the records of other processes to the first, which merges all. It returns the number
/// that it has delivered, so that no process sends more than its limit.
pub(crate) struct RecordTransfer<R> {
    shelves: Vec<SharedRows<R>>,
    delivered: Vec<Arc<AtomicU64>>,
    rank: usize,
    threads: usize,
}

impl<R> Merge<R> {
    /// Transfers records from process `rank`, or to it.
    pub(crate) fn carriage(&self, rank: usize, threads: usize) -> RecordTransfer<R> {
        let (shelves, delivered) = (self.shelves.clone(), self.delivered.clone());
        RecordTransfer { shelves, delivered, rank, threads }
    }
}

impl<R> RecordTransfer<R> {
    fn threads_of(&self, rank: usize) -> Range<usize> {
        rank * self.threads..(rank + 1) * self.threads
    }

    /// Reads how many records of this process the first has delivered.
    fn hear(&self, bytes: &mut Reader<'_>) -> Result<(), WireError> {
        for count in &self.delivered[self.threads_of(self.rank)] {
            count.store(u64::decode(bytes)?, Relaxed)
        }
        Ok(())
    }
}

impl<R: Wire> ExchangePayload for RecordTransfer<R> {
    fn pack(&mut self, to: usize, out: &mut Vec<u8>) {
        if self.rank == 0 {
            let delivered = &self.delivered[self.threads_of(to)];
            return delivered.iter().for_each(|count| count.load(Relaxed).encode(out));
        }
        if to != 0 {
            return;
        }
        for thread in self.threads_of(self.rank) {
            let mut rows = self.shelves[thread].lock().expect("no thread panics with a shelf");
            (rows.len() as u64).encode(out);
            for (Stamp { at, tie, lp, index }, row) in rows.drain(..) {
                (at.0, tie, lp, index).encode(out);
                row.encode(out)
            }
        }
    }

    fn unpack(&mut self, from: usize, bytes: &mut Reader<'_>) -> Result<(), WireError> {
        if self.rank != 0 {
            return match from {
                0 => self.hear(bytes),
                _ => Ok(()),
            };
        }
        for thread in self.threads_of(from) {
            let mut rows = self.shelves[thread].lock().expect("no thread panics with a shelf");
            for _ in 0..u64::decode(bytes)? {
                let (at, tie, lp, index) = Wire::decode(bytes)?;
                rows.push((Stamp { at: Nanos(at), tie, lp, index }, R::decode(bytes)?))
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_order_up_to_the_frontier() {
        let (mut merge, mut trays) = Merge::new(2, 0..2);
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
