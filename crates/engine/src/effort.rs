//! Costs of a run: counts, and the time of each thread.
use crate::Profile;
use rewind::{Reader, Wire, WireError};
use std::time::{Duration, Instant};

/// Costs of a run; unlike the outcome they differ between repetitions.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Effort {
    /// Events that were rolled back (optimistic).
    pub rolled_back: u64,
    /// Number of barriers.
    pub rounds: u64,
    /// Barriers while one thread did the work of all.
    pub alone: u64,
    /// Number of times that LPs were rebalanced over threads.
    pub rebalances: u64,
    /// Choice of `Scheduler::Auto`, with its reasons.
    pub choice: Option<Choice>,
    /// Prediction for more cores, if requested.
    pub profile: Option<Profile>,
    /// One entry per thread, in the order of ranks; empty if only the calling thread worked.
    pub threads: Vec<Share>,
}

/// Number of threads that `Scheduler::Auto` chose, and its measurements.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Choice {
    /// Threads chosen; 1 is sequential.
    pub threads: usize,
    /// Maximum: threads requested, at most one per LP and per core.
    pub most: usize,
    /// Events within the least delay between threads.
    pub events_per_window: f64,
    /// Wall-clock time of an event \[ns\]; 0 if the run ended before a choice.
    pub grain_ns: f64,
}

/// Events and times of one thread.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Share {
    /// Rank of its process.
    pub rank: u32,
    /// LPs that it owns.
    pub lps: u32,
    /// Committed events.
    pub committed: u64,
    /// Events handled on speculation, including those rolled back.
    pub ahead: u64,
    /// Events rolled back.
    pub rolled_back: u64,
    /// Maximum length of its history, in events; determines its memory.
    pub longest_history: u64,
    /// Wall-clock time \[s\].
    pub seconds: f64,
    /// Part of `seconds` spent waiting for other threads \[s\].
    pub waited_s: f64,
}

impl Effort {
    pub(crate) fn and(self, other: Effort) -> Effort {
        let mut threads = self.threads;
        threads.extend(other.threads);
        Effort {
            rolled_back: self.rolled_back + other.rolled_back,
            rounds: self.rounds.max(other.rounds),
            alone: self.alone.max(other.alone),
            rebalances: self.rebalances.max(other.rebalances),
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

pub(crate) struct Timing {
    begun: Instant,
    waited: Duration,
}

impl Timing {
    pub(crate) fn start() -> Self {
        Timing { begun: crate::clock::now(), waited: Duration::ZERO }
    }

    /// Runs `f` and counts its time as waiting.
    pub(crate) fn wait<R>(&mut self, f: impl FnOnce() -> R) -> R {
        let since = crate::clock::now();
        let result = f();
        self.waited += since.elapsed();
        result
    }

    pub(crate) fn waited(&self) -> Duration {
        self.waited
    }

    /// Time since the start, and the part spent waiting \[s\].
    pub(crate) fn seconds(&self) -> (f64, f64) {
        (self.begun.elapsed().as_secs_f64(), self.waited.as_secs_f64())
    }
}
