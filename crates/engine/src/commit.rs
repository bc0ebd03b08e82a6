//! A committed event's part of the trace hash, and the delivery of its records.
use crate::{Stamp, parallel::speculation, pending::Entry};
use rewind::{Digest, Hasher};
use units::Nanos;

/// Fingerprint of an event: key, receiver, payload and records in order. Delivers the records.
#[inline(always)]
pub(crate) fn commit<E: Digest, R: Digest>(
    entry: Entry,
    event: &E,
    records: &mut Records<R>,
    sink: &mut impl FnMut(Stamp, R),
) -> u128 {
    let mut h = Hasher::new(entry.t, entry.tie);
    h.word(entry.dst as u64);
    event.digest(&mut h);
    let stamp = Stamp { at: Nanos(entry.t), tie: entry.tie, lp: entry.dst, index: 0 };
    records.drain(stamp, &mut h, sink);
    h.finish()
}

/// Fingerprint of a speculative event, whose records stay in place.
#[inline(always)]
pub(crate) fn fingerprint<'a, E: Digest, R: Digest + 'a>(
    entry: Entry,
    event: &E,
    records: impl Iterator<Item = &'a R>,
) -> u128 {
    let mut h = Hasher::new(entry.t, entry.tie);
    h.word(entry.dst as u64);
    event.digest(&mut h);
    records.for_each(|record| record.digest(&mut h));
    h.finish()
}

/// Fingerprint of an LP at the end: its state and the records of `finish`.
pub(crate) fn finish<S: Digest, R: Digest>(
    at: Nanos,
    lp: u32,
    state: &S,
    records: &mut Records<R>,
    sink: &mut impl FnMut(Stamp, R),
) -> u128 {
    let mut h = Hasher::new(at.0, u64::MAX);
    h.word(lp as u64);
    state.digest(&mut h);
    records.drain(Stamp { at, tie: u64::MAX, lp, index: 0 }, &mut h, sink);
    h.finish()
}

/// Records of one event. Most events have at most one, which needs no list.
pub(crate) struct Records<R> {
    first: Option<R>,
    more: Vec<R>,
}

impl<R> Records<R> {
    pub(crate) fn new() -> Self {
        Records { first: None, more: vec![] }
    }
    #[inline(always)]
    pub(crate) fn push(&mut self, record: R) {
        match self.first {
            None => self.first = Some(record),
            Some(_) => self.more.push(record),
        }
    }
    pub(crate) fn iter(&self) -> impl Iterator<Item = &R> {
        self.first.iter().chain(&self.more)
    }
    pub(crate) fn clear(&mut self) {
        self.first = None;
        self.more.clear()
    }
}

impl<R: Digest> Records<R> {
    /// Hashes and delivers the records, in order.
    #[inline(always)]
    fn drain(&mut self, mut stamp: Stamp, h: &mut Hasher, sink: &mut impl FnMut(Stamp, R)) {
        let Some(first) = self.first.take() else { return };
        first.digest(h);
        sink(stamp, first);
        if !self.more.is_empty() {
            for record in self.more.drain(..) {
                stamp.index += 1;
                record.digest(h);
                sink(stamp, record)
            }
        }
    }
}

/// Reports the event in progress if its handler panics, after the message of the panic itself.
pub(crate) struct PanicContext<'a, E: std::fmt::Debug> {
    t: u64,
    lp: u32,
    event: &'a E,
}

impl<'a, E: std::fmt::Debug> PanicContext<'a, E> {
    #[inline(always)]
    pub(crate) fn new(entry: Entry, event: &'a E) -> Self {
        PanicContext { t: entry.t, lp: entry.dst, event }
    }
    /// Call when the handler has returned.
    #[inline(always)]
    pub(crate) fn clear(self) {
        std::mem::forget(self)
    }
}

impl<E: std::fmt::Debug> Drop for PanicContext<'_, E> {
    /// Inlined, so that nothing is stored for it unless a handler panics.
    #[inline(always)]
    fn drop(&mut self) {
        blame(self.t, self.lp, self.event)
    }
}

#[cold]
#[inline(never)]
fn blame<E: std::fmt::Debug>(t: u64, lp: u32, event: &E) {
    speculation::print_panic_message(&format!(
        "this happened while LP {lp} handled {event:?} at {t} ns"
    ))
}
