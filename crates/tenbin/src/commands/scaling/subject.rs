//! Subject of the estimate: PHOLD or a scenario.
use crate::cli::Scaling;
use crate::failure::Failure;
use crate::{commands::bench, systems, vary};
use engine::{Cores, Profile, Scheduler, phold};
use std::path::{Path, PathBuf};
use system::LoadedRun;
use system::lab::bad;
use system::scaling::TimedRun;

/// Fewer events are too fast to time.
const LEAST_EVENTS: u64 = 10_000;

pub(super) enum Subject {
    Phold(phold::Setting),
    Scenario(Box<LoadedRun>, PathBuf),
}

impl Subject {
    /// # Errors
    /// Bad input: numbers out of range, an invalid scenario. A single LP cannot be distributed, and
    /// a short run cannot be timed.
    pub(super) fn of(args: &Scaling) -> Result<Subject, Failure> {
        let Some(file) = &args.scenario else {
            let (lps, events) = (args.jobs.lps, args.jobs.events);
            if lps < 2 {
                let expected = "expected at least 2, to divide among cores";
                return Err(bad(format!("--lps {lps}: {expected}")));
            }
            is_long_enough(events, "--events")?;
            return Ok(Subject::Phold(bench::setting(&args.jobs)?));
        };
        let scenario = systems::scenario(file, &args.sets)?;
        let run = LoadedRun::read(&scenario, &vary::sets(&args.sets)?, args.jobs.seed)?;
        Ok(Subject::Scenario(Box::new(run), file.clone()))
    }

    /// Runs on this machine.
    ///
    /// # Errors
    /// Bad input that only the model detects; a run without duration.
    pub(super) fn time(&self, scheduler: Scheduler) -> Result<TimedRun, Failure> {
        match self {
            Subject::Phold(setting) => {
                let phold::PholdRun { outcome, worked_s, seconds, .. } =
                    phold::run(setting, scheduler);
                Ok(TimedRun { hash: outcome.trace_hash, events: outcome.events, worked_s, seconds })
            }
            Subject::Scenario(run, file) => {
                let timed = run.time(scheduler)?;
                is_long_enough(timed.events, &run_of(file))?;
                Ok(timed)
            }
        }
    }

    /// Runs the work of all threads on one.
    ///
    /// # Errors
    /// Bad input that only the model detects.
    pub(super) fn profile(
        &self,
        scheduler: Scheduler,
        cores: Cores,
    ) -> Result<(u128, Profile), Failure> {
        match self {
            Subject::Phold(setting) => {
                let (outcome, profile) = phold::profile(setting, scheduler, cores);
                Ok((outcome.trace_hash, profile))
            }
            Subject::Scenario(run, _) => run.profile(scheduler, cores),
        }
    }
}

/// Identifies the run by all its parameters.
pub(super) fn name(args: &Scaling) -> String {
    let Some(file) = &args.scenario else {
        return format!("{}, grain {} \u{b5}s", bench::sums_of(&args.jobs), args.jobs.grain);
    };
    let sets: String = args.sets.iter().map(|set| format!(" --set {set}")).collect();
    format!("{}{sets}, seed {}", file.display(), args.jobs.seed)
}

fn run_of(file: &Path) -> String {
    format!("{}: a run of", file.display())
}

fn is_long_enough(events: u64, what: &str) -> Result<(), Failure> {
    match events {
        ..LEAST_EVENTS => Err(bad(format!(
            "{what} {events}: expected at least {LEAST_EVENTS} events, for a measurable time"
        ))),
        _ => Ok(()),
    }
}
