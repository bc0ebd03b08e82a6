//! How much a thread does between two meetings at most, so that progress is told, a run can be
//! broken off, and records do not pile up, however far it could go.
use std::time::{Duration, Instant};

/// Events.
const MOST: u64 = 1 << 16;
/// Or as many as take so long.
const LONG: Duration = Duration::from_millis(20);

/// Events before the first look at the clock, and between two at most.
const FIRST: u64 = 8;
const STEP: u64 = 128;

/// Of a thread in a round.
pub(crate) struct BatchLimit {
    done: u64,
    step: u64,
    begun: Option<Instant>,
}

impl BatchLimit {
    /// From now on. The clock is not looked at before the first step is done: most rounds are
    /// shorter.
    pub(crate) fn new() -> Self {
        BatchLimit { done: 0, step: FIRST, begun: None }
    }

    /// Events until the next look at the clock.
    pub(crate) fn step(&self) -> u64 {
        self.step
    }

    /// After another step: whether the thread had better meet the others.
    pub(crate) fn is_over(&mut self) -> bool {
        self.done += self.step;
        self.step = self.done.min(STEP);
        let begun = *self.begun.get_or_insert_with(crate::clock::now);
        self.done >= MOST || begun.elapsed() >= LONG
    }
}
