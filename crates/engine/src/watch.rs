//! When to call the progress hook.
use crate::outcome::{Lead, Progress, Tally, Verdict};
use std::time::{Duration, Instant};
use units::Nanos;

/// Maximum number of events between two clock readings.
pub(crate) const STRIDE: u64 = 256;
/// Maximum time between two clock readings, unless one event takes longer.
const STEP: Duration = Duration::from_millis(10);
const EVENTS: u64 = 1 << 16;
const PATIENCE: Duration = Duration::from_millis(100);

/// Events until the next clock reading: few at first, more while they are fast.
pub(crate) struct Stride {
    events: u64,
    since: Instant,
}

impl Stride {
    pub(crate) fn start() -> Self {
        Stride { events: 1, since: crate::clock::now() }
    }

    pub(crate) fn last(&self) -> Instant {
        self.since
    }

    /// Events until the next clock reading; adapts to the time of the previous ones.
    pub(crate) fn next(&mut self) -> u64 {
        let now = crate::clock::now();
        let took = now - std::mem::replace(&mut self.since, now);
        if took > STEP {
            self.events = (self.events / 2).max(1)
        } else if took < STEP / 4 {
            self.events = (2 * self.events).min(STRIDE)
        }
        self.events
    }
}

/// Calls the hook every 64 Ki events or 100 ms, whichever is first. It reads the clock only every
/// 256 events, or after fewer slow ones.
pub(crate) struct Watch<P> {
    hook: P,
    last: Instant,
    next: u64,
}

impl<P: FnMut(Progress) -> Verdict> Watch<P> {
    pub(crate) fn new(hook: P) -> Self {
        Watch { hook, last: crate::clock::now(), next: EVENTS }
    }

    /// As [`breaks`](Self::breaks), for the first of several threads.
    pub(crate) fn look(&mut self, Lead { frontier, events, stop, .. }: Lead) -> Verdict {
        let tally = Tally { events, last: frontier, ..Tally::default() };
        if self.breaks(&tally, stop) { Verdict::Break(()) } else { Verdict::Continue(()) }
    }

    /// Whether the hook interrupts the run. Call every `STRIDE` events.
    pub(crate) fn breaks(&mut self, tally: &Tally, end: u64) -> bool {
        if tally.events < self.next && self.last.elapsed() < PATIENCE {
            return false;
        }
        (self.last, self.next) = (crate::clock::now(), tally.events + EVENTS);
        let progress = Progress { events: tally.events, now: Nanos(tally.last), end: Nanos(end) };
        (self.hook)(progress).is_break()
    }
}
