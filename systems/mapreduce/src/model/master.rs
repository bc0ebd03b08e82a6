//! A job's AM in YARN: it requests and receives containers at its own heartbeats. Hadoop 1 has
//! none.
use super::message::{Event, Record};
use engine::*;

#[derive(Clone, Copy, Debug, Scalar)]
pub(super) struct Master {
    first: Nanos,
    /// 0: no AM; the scheduler has all requests at once.
    every: Nanos,
}

impl Master {
    /// For a job submitted now; the first heartbeat is drawn.
    pub(super) fn new(job: u32, every: Nanos, cx: &impl Context<Event, Record>) -> Master {
        let mut draw = cx.draw("master", job.into(), 0);
        let phase = if every > Nanos::ZERO { draw.below(every.0) } else { 0 };
        Master { first: cx.now() + Nanos(phase), every }
    }

    pub(super) fn next(&self, now: Nanos) -> Nanos {
        match () {
            () if self.every == Nanos::ZERO => now,
            () if now < self.first => self.first,
            () => self.first + self.every * ((now - self.first).0 / self.every.0 + 1),
        }
    }

    /// When reduces are requested if enough maps are done now. The AM checks for that after its
    /// heartbeat (Hadoop's `RMContainerAllocator.heartbeat`), so the next one has the request.
    pub(super) fn asks_for_reduces(&self, now: Nanos) -> Nanos {
        self.next(self.next(now))
    }
}
