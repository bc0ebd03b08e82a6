//! A job's master, which YARN has and Hadoop 1's JobTracker does without: it asks for containers,
//! and hears which it got, at heartbeats of its own.
use super::message::{Event, Record};
use engine::*;

/// When a job's master speaks with the scheduler.
#[derive(Clone, Copy, Debug, Scalar)]
pub(super) struct Master {
    first: Nanos,
    /// 0: there is none, and the scheduler knows all at once.
    every: Nanos,
}

impl Master {
    /// Of a job that is submitted now.
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

    /// When containers for reduces are asked for whose maps are done now: it looks whether they are
    /// wanted after it has spoken (Hadoop's `RMContainerAllocator.heartbeat`), so that the
    /// heartbeat after that asks.
    pub(super) fn asks_for_reduces(&self, now: Nanos) -> Nanos {
        self.next(self.next(now))
    }
}
