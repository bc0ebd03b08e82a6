//! What a run took: counts, and where the time of each thread went.
use crate::Profile;
use rewind::{Reader, Wire, WireError};
use std::time::{Duration, Instant};

/// What a run took, unlike its outcome another one each time.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Effort {
    /// Events that were done and undone (optimistic).
    pub rolled_back: u64,
    /// How often all threads met.
    pub rounds: u64,
    /// Of these meetings, how many one thread held alone, which did the work of all.
    pub alone: u64,
    /// How often LPs were rebalanced over threads, since one had more to do than the others.
    pub deals: u64,
    /// What `Scheduler::Auto` chose, and why.
    pub choice: Option<Choice>,
    /// What the run would take on more cores, where that was asked for.
    pub profile: Option<Profile>,
    /// Thread by thread, in the order of ranks; none of a run on the caller's alone.
    pub threads: Vec<Share>,
}

/// The threads that `Scheduler::Auto` chose, and what it measured before.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Choice {
    /// On so many threads; 1 is sequential.
    pub threads: usize,
    /// No more than so many could be taken: asked for, with an LP and a core for each.
    pub most: usize,
    /// Events within the least delay between threads.
    pub events_per_window: f64,
    /// Wall-clock time of an event \[ns\]; 0 where the run was over before there was a choice.
    pub grain_ns: f64,
}

/// What one thread did, and how long it waited for the others.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Share {
    /// Of which process.
    pub rank: u32,
    /// LPs that are its own.
    pub lps: u32,
    /// Events that stand.
    pub committed: u64,
    /// Events that it did before it was certain that they stand, undone ones among them.
    pub ahead: u64,
    /// Events that it did and undid.
    pub rolled_back: u64,
    /// The most events that it could have undone at a time: what its history takes memory for.
    pub longest_history: u64,
    /// Wall-clock time \[s\].
    pub seconds: f64,
    /// Of it, waiting for the others \[s\].
    pub waited_s: f64,
}

impl Effort {
    /// Of two threads, or two processes, together.
    pub(crate) fn and(self, other: Effort) -> Effort {
        let mut threads = self.threads;
        threads.extend(other.threads);
        Effort {
            rolled_back: self.rolled_back + other.rolled_back,
            rounds: self.rounds.max(other.rounds),
            alone: self.alone.max(other.alone),
            deals: self.deals.max(other.deals),
            choice: self.choice.or(other.choice),
            profile: self.profile.or(other.profile),
            threads,
        }
    }
}

impl Wire for Share {
    const SCHEMA: u64 = 0;
    fn encode(&self, out: &mut Vec<u8>) {
        let Share { rank, lps, committed, ahead, rolled_back, longest_history, .. } = *self;
        (rank, lps, committed, ahead).encode(out);
        (rolled_back, longest_history, self.seconds, self.waited_s).encode(out)
    }
    fn decode(from: &mut Reader<'_>) -> Result<Self, WireError> {
        let (rank, lps, committed, ahead) = Wire::decode(from)?;
        let (rolled_back, longest_history, seconds, waited_s) = Wire::decode(from)?;
        Ok(Share { rank, lps, committed, ahead, rolled_back, longest_history, seconds, waited_s })
    }
}

/// A thread's watch.
pub(crate) struct Timing {
    begun: Instant,
    waited: Duration,
}

impl Timing {
    pub(crate) fn start() -> Self {
        Timing { begun: crate::clock::now(), waited: Duration::ZERO }
    }

    /// What `f` takes is waiting.
    pub(crate) fn wait<R>(&mut self, f: impl FnOnce() -> R) -> R {
        let since = crate::clock::now();
        let result = f();
        self.waited += since.elapsed();
        result
    }

    /// What of it was waiting.
    pub(crate) fn waited(&self) -> Duration {
        self.waited
    }

    /// All so far, and what of it was waiting \[s\].
    pub(crate) fn seconds(&self) -> (f64, f64) {
        (self.begun.elapsed().as_secs_f64(), self.waited.as_secs_f64())
    }
}
