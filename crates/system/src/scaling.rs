//! Predicts the speedup on N cores with one: a single thread does the work of N threads round-robin
//! and times each. Shared memory and caches are not included.
use crate::failure::Failure;
use crate::{LoadedRun, RunOptions, SimulatedRun, clock, interrupt};
use engine::{Cores, Execution, Neighbours, Profile, Scheduler};

const MEETINGS: usize = 20;

/// Longest meeting of two running threads that have a core each \[s\].
const AWAKE: f64 = 1e-6;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BarrierCost {
    /// The value used \[s\].
    pub taken_s: f64,
    /// Minimum of a few, at some distance in time \[s\].
    pub measured_s: f64,
}

impl BarrierCost {
    /// Measures a meeting of two threads. If cores are busy or there is only one, the threads sleep
    /// in between: then the value is `AWAKE`.
    pub fn of_two() -> BarrierCost {
        let all = (0..MEETINGS).map(|_| engine::barrier_s());
        let measured_s = all.fold(f64::INFINITY, f64::min);
        let is_busy = measured_s > AWAKE;
        BarrierCost { taken_s: if is_busy { AWAKE } else { measured_s }, measured_s }
    }

    /// The measurement was not usable.
    pub fn is_assumed(self) -> bool {
        self.taken_s < self.measured_s
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimedRun {
    pub hash: u128,
    pub events: u64,
    /// Wall-clock time \[s\].
    pub seconds: f64,
    /// CPU time of the calling thread \[s\].
    pub worked_s: f64,
}

impl LoadedRun {
    pub fn time(&self, scheduler: Scheduler) -> Result<TimedRun, Failure> {
        let (begun, worked) = (clock::now(), engine::worked_s());
        let done = self.one(scheduler.into())?;
        let whole = (begun.elapsed().as_secs_f64(), engine::worked_s() - worked);
        let (seconds, worked_s) = done.event_seconds.unwrap_or(whole);
        Ok(TimedRun { hash: done.trace_hash, events: done.events, seconds, worked_s })
    }

    /// [`time`](Self::time) with `ranks` ranks of one thread each: threads of this process that
    /// exchange messages by channel, like MPI ranks.
    pub fn time_ranks(&self, scheduler: Scheduler, ranks: usize) -> Result<TimedRun, Failure> {
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
        Ok(TimedRun { hash, events, seconds: begun.elapsed().as_secs_f64(), worked_s })
    }

    /// The work of each thread of a scheduler if each had a core, and the trace hash. Fails if
    /// interrupted, or for a system that does not use the engine's `run_with`.
    pub fn profile(&self, scheduler: Scheduler, cores: Cores) -> Result<(u128, Profile), Failure> {
        let done = self.one(Execution { in_turn: Some(cores), ..scheduler.into() })?;
        let none = || Failure::Failed("this system's runs cannot be measured on one thread".into());
        Ok((done.trace_hash, done.effort.profile.ok_or_else(none)?))
    }

    fn one(&self, execution: Execution<'_>) -> Result<SimulatedRun, Failure> {
        let done = self.run(RunOptions::by(execution))?;
        done.ok_or_else(interrupt::nothing_written)
    }
}
