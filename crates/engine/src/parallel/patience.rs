//! How much a thread does between two meetings at most, so that progress is told, a run can be
//! broken off, and records do not pile up, however far it could go.
use std::time::{Duration, Instant};

/// Events.
const MOST: u64 = 1 << 16;
/// Or as many as take so long.
const LONG: Duration = Duration::from_millis(20);

/// Of a thread in a round.
pub(crate) struct Patience {
    done: u64,
    begun: Option<Instant>,
}

impl Patience {
    /// Events between two looks at the clock.
    pub(crate) const STEP: u64 = 128;

    /// From now on. The clock is not looked at before the first step is done: most rounds are
    /// shorter.
    pub(crate) fn new() -> Self {
        Patience { done: 0, begun: None }
    }

    /// After another step: whether the thread had better meet the others.
    pub(crate) fn is_over(&mut self) -> bool {
        self.done += Self::STEP;
        let begun = *self.begun.get_or_insert_with(Instant::now);
        self.done >= MOST || begun.elapsed() >= LONG
    }
}
