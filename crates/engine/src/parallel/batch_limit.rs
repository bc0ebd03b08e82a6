//! Limits the work of a thread in a round, so that progress is reported, a run can be interrupted,
//! and records do not accumulate.
use std::time::{Duration, Instant};

/// Maximum events of a round, or as many as take `LONG`.
const MOST: u64 = 1 << 16;
const LONG: Duration = Duration::from_millis(20);

/// Events before the first clock reading, and at most between two.
const FIRST: u64 = 8;
const STEP: u64 = 128;

pub(crate) struct BatchLimit {
    done: u64,
    step: u64,
    begun: Option<Instant>,
}

impl BatchLimit {
    /// Most rounds are too short for the first step, so the clock is read only after it.
    pub(crate) fn new() -> Self {
        BatchLimit { done: 0, step: FIRST, begun: None }
    }

    pub(crate) fn step(&self) -> u64 {
        self.step
    }

    /// Call after each step. Returns whether the round has to end.
    pub(crate) fn is_over(&mut self) -> bool {
        self.done += self.step;
        self.step = self.done.min(STEP);
        let begun = *self.begun.get_or_insert_with(crate::clock::now);
        self.done >= MOST || begun.elapsed() >= LONG
    }
}
