//! What more cores would give, from one: one thread does the work of N in turn, round by round, and
//! times each thread's. What cores share (memory, caches) is not in it.
use crate::failure::Failure;
use crate::{LoadedRun, RunOptions, Simulated, clock, interrupt};
use engine::{Cores, Execution, Neighbours, Profile, Scheduler};

const MEETINGS: usize = 20;

/// A meeting of two that are awake takes no more where each has a core \[s\].
const AWAKE: f64 = 1e-6;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Meeting {
    /// That this is thought to be \[s\].
    pub taken_s: f64,
    /// The least of a few, some time apart \[s\].
    pub measured_s: f64,
}

impl Meeting {
    /// Where others take the cores, or there is but one, no meeting is one of threads that are
    /// awake: then it is taken to be as dear as such a meeting ever is.
    pub fn of_two() -> Meeting {
        let all = (0..MEETINGS).map(|_| engine::meeting_s());
        let measured_s = all.fold(f64::INFINITY, f64::min);
        let is_busy = measured_s > AWAKE;
        Meeting { taken_s: if is_busy { AWAKE } else { measured_s }, measured_s }
    }

    /// It could not be measured.
    pub fn is_assumed(self) -> bool {
        self.taken_s < self.measured_s
    }
}

/// A run on this machine, and what it took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Timed {
    /// The run's trace hash.
    pub hash: u128,
    pub events: u64,
    /// By the clock \[s\].
    pub seconds: f64,
    /// What the calling thread worked \[s\].
    pub worked_s: f64,
}

impl LoadedRun {
    /// Runs it on this machine for its time alone.
    pub fn time(&self, scheduler: Scheduler) -> Result<Timed, Failure> {
        let (begun, worked) = (clock::now(), engine::worked_s());
        let done = self.one(scheduler.into())?;
        let whole = (begun.elapsed().as_secs_f64(), engine::worked_s() - worked);
        let (seconds, worked_s) = done.took.unwrap_or(whole);
        Ok(Timed { hash: done.trace_hash, events: done.events, seconds, worked_s })
    }

    /// As [`time`](Self::time), in so many ranks of one thread each: here they are threads of this
    /// process whose only link is a channel, as MPI's ranks have theirs.
    pub fn time_ranks(&self, scheduler: Scheduler, ranks: usize) -> Result<Timed, Failure> {
        let begun = clock::now();
        let rank = |mut peers: Neighbours| {
            let done = self.one(Execution::among(scheduler, Some(&mut peers)))?;
            Ok((done.trace_hash, done.events, engine::worked_s()))
        };
        let mut all = std::thread::scope(|scope| {
            let ranks = Neighbours::new(ranks).into_iter();
            let ranks: Vec<_> = ranks.map(|peers| scope.spawn(|| rank(peers))).collect();
            let joined = ranks.into_iter().map(|rank| rank.join().expect("a rank does not panic"));
            joined.collect::<Result<Vec<_>, Failure>>()
        })?;
        let (hash, events, worked_s) = all.swap_remove(0);
        Ok(Timed { hash, events, seconds: begun.elapsed().as_secs_f64(), worked_s })
    }

    /// What a scheduler's threads would have to do, each on a core of its own, and the run's hash.
    ///
    /// # Errors
    /// As [`Lab::one`](crate::lab::Lab::one); interrupted; a system that does not run by the
    /// engine's `run_with`.
    pub fn profile(&self, scheduler: Scheduler, cores: Cores) -> Result<(u128, Profile), Failure> {
        let done = self.one(Execution { in_turn: Some(cores), ..scheduler.into() })?;
        let none = || Failure::Failed("this system's runs cannot be worked through in turn".into());
        Ok((done.trace_hash, done.effort.profile.ok_or_else(none)?))
    }

    fn one(&self, execution: Execution<'_>) -> Result<Simulated, Failure> {
        let done = self.run(RunOptions::by(execution))?;
        done.ok_or_else(interrupt::nothing_written)
    }
}
