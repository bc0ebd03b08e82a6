//! Schedulers, the result of a run, and the sinks of its records.
use crate::Effort;
use std::{fmt, ops::ControlFlow};
use units::Nanos;

/// How the events of a run are executed. The result is the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheduler {
    /// One event after the other; nothing is journalled.
    Sequential,
    /// Sequential or conservative, whichever is faster; measured during the run.
    Auto {
        /// Maximum number of threads.
        threads: usize,
    },
    /// Several threads. Each stops at its safe time: the earliest time at which another thread can
    /// still send to it.
    Conservative {
        /// Number of threads with the calling one; at most one per LP.
        threads: usize,
    },
    /// Several threads, which speculate and roll back (Time Warp).
    Optimistic {
        /// Number of threads with the calling one; at most one per LP.
        threads: usize,
    },
    /// As `Optimistic`, with an adversary that delays and reorders messages between threads, so
    /// that many events are undone: a test of rollback.
    Stress {
        /// Number of threads with the calling one; at most one per LP.
        threads: usize,
        /// Configures the adversary.
        stress: Stress,
    },
    /// Runs each event, undoes it, compares, and runs it again. At intervals it undoes and replays
    /// `depth` events. Detects a model that cannot be rolled back, or is not a function of its
    /// events.
    RollbackCheck {
        /// Events of an LP that are undone and replayed together; half of them are then committed.
        depth: usize,
    },
}

/// The adversary of `Scheduler::Stress`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stress {
    /// Selects the delayed messages, and their delays in rounds.
    pub seed: u64,
    /// A fault of the engine, to test that the checks detect it.
    pub planted: Option<PlantedBug>,
}

/// A planted fault of the engine: the trace hash is wrong, or the run panics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlantedBug {
    /// Some anti-messages are lost.
    LosesRecall,
    /// The global virtual time ignores delayed messages.
    CommitsEarly,
}

impl fmt::Display for Scheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scheduler::Sequential => "sequential",
            Scheduler::Auto { .. } => "auto",
            Scheduler::Conservative { .. } => "conservative",
            Scheduler::Optimistic { .. } => "optimistic",
            Scheduler::Stress { .. } => "stress",
            Scheduler::RollbackCheck { .. } => "rollback-check",
        })
    }
}

/// The result of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Committed events.
    pub events: u64,
    /// Fingerprint of all committed events, their records and the final states; equal under every
    /// scheduler.
    pub trace_hash: u128,
    /// All events are before it: the horizon, or the time of `Context::stop`.
    pub end: Nanos,
    /// The time of the last committed event.
    pub last: Nanos,
    /// The progress hook interrupted the run: hash and records are those of a part of it, and
    /// `finish` was not called.
    pub interrupted: bool,
}

/// Progress of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Committed events so far.
    pub events: u64,
    /// All events before it are done.
    pub now: Nanos,
    /// The end as known so far.
    pub end: Nanos,
}

/// The place of a record: sorted by it, records are equal under every scheduler.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Stamp {
    /// Time of the event.
    pub at: Nanos,
    /// Second half of the event's key; `u64::MAX` for the records of `finish`.
    pub tie: u64,
    /// The LP that recorded it.
    pub lp: u32,
    /// Index among the records of the event.
    pub index: u32,
}

/// Receives committed records; any closure of a stamp and a record is one.
pub trait Sink<R> {
    /// Whether records must arrive in the order of events. If not, the optimistic scheduler need
    /// not sort them.
    const ORDERED: bool = true;
    /// Receives the next record.
    fn take(&mut self, stamp: Stamp, record: R);
}

impl<R, F: FnMut(Stamp, R)> Sink<R> for F {
    #[inline(always)]
    fn take(&mut self, stamp: Stamp, record: R) {
        self(stamp, record)
    }
}

/// The progress hook's decision: continue or interrupt.
pub(crate) type Verdict = ControlFlow<()>;

/// Progress of all threads, for the hook of the first thread.
pub(crate) struct Lead {
    /// Done are all events before it \[ns\], and those at it whose key's second half is less than
    /// `tie`.
    pub(crate) frontier: u64,
    pub(crate) tie: u64,
    /// At least the number of these events.
    pub(crate) events: u64,
    pub(crate) stop: u64,
}

impl Lead {
    /// All events before this key are done; the event itself panicked.
    #[expect(clippy::cast_possible_truncation, reason = "the upper half, and the lower")]
    pub(crate) fn before_fault(key: u128, events: u64) -> Lead {
        let frontier = (key >> 64) as u64;
        Lead { frontier, tie: key as u64, events, stop: frontier.saturating_add(1) }
    }
}

#[derive(Clone, Default)]
pub(crate) struct Tally {
    pub(crate) events: u64,
    pub(crate) hash: u128,
    pub(crate) last: u64,
    pub(crate) interrupted: bool,
    pub(crate) effort: Effort,
}

impl Tally {
    pub(crate) fn and(self, other: Tally) -> Tally {
        Tally {
            events: self.events + other.events,
            hash: self.hash.wrapping_add(other.hash),
            last: self.last.max(other.last),
            interrupted: self.interrupted | other.interrupted,
            effort: self.effort.and(other.effort),
        }
    }
}
