//! What goes into a run and what comes out.
use crate::Effort;
use std::{fmt, ops::ControlFlow};
use units::Nanos;

/// How the events of a run are worked through. The result is the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheduler {
    /// One after the other; nothing is journalled.
    Sequential,
    /// Sequential or conservative, whichever pays; it looks at the first events of the run.
    Auto {
        /// How many at most.
        threads: usize,
    },
    /// On several threads, each of which goes only as far as no message of the others can still
    /// come.
    Conservative {
        /// How many, the caller's among them; no more than there are LPs are used.
        threads: usize,
    },
    /// On several threads, which go ahead and take back what turns out to be wrong (Time Warp).
    Optimistic {
        /// How many, the caller's among them; no more than there are LPs are used.
        threads: usize,
    },
    /// As `Optimistic`, with an adversary between the threads that holds messages back and turns
    /// their order round, so that much is undone: a test of undoing.
    Stress {
        /// How many, the caller's among them; no more than there are LPs are used.
        threads: usize,
        /// What it does.
        stress: Stress,
    },
    /// Runs each event, undoes it, compares, runs it again; and goes back `depth` events and
    /// replays them now and then. A model that cannot be rolled back, or is not a function of its
    /// events, is found at once.
    RollbackCheck {
        /// How many events of an LP are undone and replayed at once; half of them are then
        /// committed.
        depth: usize,
    },
}

/// What the adversary of `Scheduler::Stress` does.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stress {
    /// Which messages it holds back, and for how many rounds.
    pub seed: u64,
    /// A fault of the engine itself; none but to see that the checks find it.
    pub planted: Option<Planted>,
}

/// A planted fault of the engine: the run's hash is wrong, or it panics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Planted {
    /// Some messages that are called back are not (a lost anti-message).
    LosesRecall,
    /// The global virtual time does not count what is held back.
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

/// What a run came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Committed events.
    pub events: u64,
    /// A fingerprint of all committed events, their records, and the final states: the same under
    /// every scheduler.
    pub trace_hash: u128,
    /// The run is the events before it: the horizon, or what `Context::stop` said.
    pub end: Nanos,
    /// The time of the last committed event.
    pub last: Nanos,
    /// The progress hook broke the run off: hash and records are those of a part of it, and
    /// `finish` was not called.
    pub interrupted: bool,
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Committed events so far.
    pub events: u64,
    /// Everything before it is done.
    pub now: Nanos,
    /// The end as known so far.
    pub end: Nanos,
}

/// Where a record belongs: rows sorted by this are the same under every scheduler.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Stamp {
    /// When.
    pub at: Nanos,
    /// The second half of the event's key; the largest number for what `finish` records.
    pub tie: u64,
    /// Whose.
    pub lp: u32,
    /// Its place among the records of the event.
    pub index: u32,
}

/// Where committed records go; any closure of a stamp and a record is one.
pub trait Sink<R> {
    /// Whether it has to get records in the order of events; where not, the optimistic scheduler
    /// need not sort them.
    const ORDERED: bool = true;
    /// The next record.
    fn take(&mut self, stamp: Stamp, record: R);
}

impl<R, F: FnMut(Stamp, R)> Sink<R> for F {
    #[inline(always)]
    fn take(&mut self, stamp: Stamp, record: R) {
        self(stamp, record)
    }
}

/// What the progress hook says: go on, or break off.
pub(crate) type Verdict = ControlFlow<()>;

/// How far the run is, for the thread that leads.
pub(crate) struct Lead {
    /// All events before it are done [ns]; and those at it whose key's second half is less than
    /// `tie`.
    pub(crate) frontier: u64,
    pub(crate) tie: u64,
    /// How many these are, and a few more.
    pub(crate) events: u64,
    /// The end as known so far [ns].
    pub(crate) stop: u64,
}

impl Lead {
    /// All before the event of this key is done, which panicked after so many.
    #[expect(clippy::cast_possible_truncation, reason = "the upper half, and the lower")]
    pub(crate) fn before_fault(key: u128, events: u64) -> Lead {
        let frontier = (key >> 64) as u64;
        Lead { frontier, tie: key as u64, events, stop: frontier.saturating_add(1) }
    }
}

/// What a scheduler gives back.
#[derive(Clone, Default)]
pub(crate) struct Tally {
    pub(crate) events: u64,
    pub(crate) hash: u128,
    pub(crate) last: u64,
    pub(crate) interrupted: bool,
    pub(crate) effort: Effort,
}

impl Tally {
    /// Of two threads together.
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
