//! Use of a resource since the last heartbeat, for reports.
use engine::{Nanos, Scalar};

#[derive(Clone, Copy, PartialEq, Debug, Default, Scalar)]
pub(super) struct Meter {
    /// Time up to which `moved` and `busy` are counted.
    until: Nanos,
    rate: f64,
    streams: u32,
    moved: f64,
    busy: Nanos,
    read: Nanos,
}

impl Meter {
    pub(super) fn set_rate(&mut self, now: Nanos, rate: f64, streams: u32) {
        self.count(now);
        (self.rate, self.streams) = (rate, streams)
    }

    fn count(&mut self, now: Nanos) {
        let passed = now - self.until;
        self.moved += self.rate * passed.as_secs();
        if self.streams > 0 {
            self.busy += passed
        }
        self.until = now
    }

    pub(super) fn is_busy(&self) -> bool {
        self.streams > 0
    }

    /// Mean rate \[bytes/s\] and busy fraction since the last call.
    pub(super) fn read(&mut self, now: Nanos) -> (f64, f64) {
        self.count(now);
        let passed = (now - self.read).as_secs().max(1e-9);
        let found = (self.moved / passed, (self.busy.as_secs() / passed).min(1.0));
        (self.moved, self.busy, self.read) = (0.0, Nanos::ZERO, now);
        found
    }
}
