//! What a run took: counts, and where the time of each thread went.
use crate::{Choice, machine::worked_s};
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
    /// How often LPs were dealt to threads anew, since one had more to do than the others.
    pub deals: u64,
    /// What `Scheduler::Auto` chose, and why.
    pub choice: Option<Choice>,
    /// Thread by thread, in the order of ranks; none of a run on the caller's alone.
    pub threads: Vec<Share>,
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

/// What several threads would have to do, each on a core of its own, as one thread sees it that
/// does the work of all, round by round. Times are those that it worked.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Profile {
    /// How many threads.
    pub threads: u64,
    /// How often they meet.
    pub rounds: u64,
    /// Events of all.
    pub events: u64,
    /// Events that were done and undone.
    pub rolled_back: u64,
    /// LPs are made, by all threads \[s\].
    pub made_s: f64,
    /// What one thread does before they set out, and when they have come back \[s\].
    pub alone_s: f64,
    /// The work of all \[s\].
    pub work_s: f64,
    /// The work of the thread that has most, summed over the rounds \[s\].
    pub longest_s: f64,
}

/// Times what each thread does in a round.
pub(crate) struct Profiler {
    profile: Profile,
    last: f64,
    /// A look at the clock \[s\].
    look_s: f64,
    longest: f64,
}

impl Profiler {
    pub(crate) fn start(threads: usize) -> Self {
        let (looks, begun) = (1000, worked_s());
        (0..looks).for_each(|_| {
            std::hint::black_box(worked_s());
        });
        let look_s = (worked_s() - begun) / looks as f64;
        let profile = Profile { threads: threads as u64, ..Profile::default() };
        Profiler { profile, last: worked_s(), look_s, longest: 0.0 }
    }

    /// What has been done since it was asked before \[s\].
    fn since(&mut self) -> f64 {
        let now = worked_s();
        (now - std::mem::replace(&mut self.last, now) - self.look_s).max(0.0)
    }

    /// All LPs are made.
    pub(crate) fn made(&mut self) {
        self.profile.made_s = self.since()
    }

    /// What is done from now on is somebody's.
    pub(crate) fn begin(&mut self) {
        let since = self.since();
        // In between, a meeting is worked out.
        if self.profile.rounds == 0 {
            self.profile.alone_s = since
        }
    }

    /// What has been done since was one thread's.
    pub(crate) fn did(&mut self) {
        let own = self.since();
        self.longest = self.longest.max(own);
        self.profile.work_s += own
    }

    /// All have had their turn.
    pub(crate) fn end_round(&mut self) {
        self.profile.rounds += 1;
        self.profile.longest_s += std::mem::take(&mut self.longest)
    }

    /// All have come back.
    pub(crate) fn end(&mut self) {
        self.since();
    }

    pub(crate) fn profile(mut self, events: u64, rolled_back: u64) -> Profile {
        self.profile.alone_s += self.since();
        Profile { events, rolled_back, ..self.profile }
    }
}

/// A thread's watch.
pub(crate) struct Timing {
    begun: Instant,
    waited: Duration,
}

impl Timing {
    pub(crate) fn start() -> Self {
        Timing { begun: Instant::now(), waited: Duration::ZERO }
    }

    /// What `f` takes is waiting.
    pub(crate) fn wait<R>(&mut self, f: impl FnOnce() -> R) -> R {
        let since = Instant::now();
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
