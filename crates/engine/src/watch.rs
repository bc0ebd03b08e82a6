//! When to report progress.
use crate::outcome::{Lead, Progress, Tally, Verdict};
use std::time::{Duration, Instant};
use units::Nanos;

/// Events between two looks at the clock.
pub(crate) const STRIDE: u64 = 1024;
const EVENTS: u64 = 1 << 16;
const PATIENCE: Duration = Duration::from_millis(100);

/// Calls the hook every 64 Ki events or 100 ms, whichever comes first; looks at the clock only
/// every 1024 events.
pub(crate) struct Watch<P> {
    hook: P,
    last: Instant,
    next: u64,
}

impl<P: FnMut(Progress) -> Verdict> Watch<P> {
    pub(crate) fn new(hook: P) -> Self {
        Watch { hook, last: Instant::now(), next: EVENTS }
    }

    /// As [`breaks`](Self::breaks), for whoever leads several threads.
    pub(crate) fn look(&mut self, Lead { frontier, events, stop }: Lead) -> Verdict {
        let tally = Tally { events, last: frontier, ..Tally::default() };
        if self.breaks(&tally, stop) { Verdict::Break(()) } else { Verdict::Continue(()) }
    }

    /// Whether the run is to be broken off. Call every `STRIDE` events.
    pub(crate) fn breaks(&mut self, tally: &Tally, end: u64) -> bool {
        if tally.events < self.next && self.last.elapsed() < PATIENCE {
            return false;
        }
        (self.last, self.next) = (Instant::now(), tally.events + EVENTS);
        let progress = Progress { events: tally.events, now: Nanos(tally.last), end: Nanos(end) };
        (self.hook)(progress).is_break()
    }
}
