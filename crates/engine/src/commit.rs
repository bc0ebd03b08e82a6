//! What a committed event adds to the trace hash, and its records on their way out.
use crate::{Stamp, parallel::speculation, pending::Entry};
use rewind::{Digest, Hasher};
use units::Nanos;

/// The fingerprint of one event: key, receiver, payload, and its records in order.
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

/// The same of an event that is not certain yet, whose records stay where they are.
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

/// The fingerprint of an LP at the end: its state, and what `finish` recorded.
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

/// What one event recorded. Most record one thing or none, which needs no list.
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
    /// Into the fingerprint and out, in order.
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

/// Says who was handling what, if a handler panics; the bug's own message has been printed by then.
pub(crate) struct Blame<'a, E: std::fmt::Debug> {
    t: u64,
    lp: u32,
    event: &'a E,
}

impl<'a, E: std::fmt::Debug> Blame<'a, E> {
    #[inline(always)]
    pub(crate) fn new(entry: Entry, event: &'a E) -> Self {
        Blame { t: entry.t, lp: entry.dst, event }
    }
    /// The handler has come back.
    #[inline(always)]
    pub(crate) fn clear(self) {
        std::mem::forget(self)
    }
}

impl<E: std::fmt::Debug> Drop for Blame<'_, E> {
    /// Inlined, so that nothing is written down for it while all goes well.
    #[inline(always)]
    fn drop(&mut self) {
        blame(self.t, self.lp, self.event)
    }
}

#[cold]
#[inline(never)]
fn blame<E: std::fmt::Debug>(t: u64, lp: u32, event: &E) {
    speculation::say(&format!("this happened while LP {lp} handled {event:?} at {t} ns"))
}
