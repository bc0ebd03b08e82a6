//! What is asked about: PHOLD, or a scenario.
use crate::cli::Scaling;
use crate::failure::Failure;
use crate::{commands::bench, job, room};
use engine::{Cores, Outcome, Profile, Scheduler, phold};
use models::hdfs::{Timed, scaling};
use scenario::{BlockMap, Scenario};
use std::sync::Arc;

/// Fewer events take no time.
const LEAST_EVENTS: u64 = 10_000;

pub(super) enum Subject {
    Phold(phold::Setting),
    Hdfs(Box<Scenario>, Arc<BlockMap>, u64),
}

impl Subject {
    /// # Errors
    /// Bad input: numbers out of range, a scenario that cannot be run. One LP cannot be shared
    /// out, and what is over at once cannot be timed.
    pub(super) fn of(args: &Scaling) -> Result<Subject, Failure> {
        let Some(file) = &args.scenario else {
            let (lps, events) = (args.jobs.lps, args.jobs.events);
            if lps < 2 {
                let expected = "expected at least 2, to be dealt to cores";
                return Err(job::bad(format!("--lps {lps}: {expected}")));
            }
            is_long_enough(events, "--events")?;
            return Ok(Subject::Phold(bench::setting(&args.jobs)?));
        };
        let scenario = job::read(file, &job::sets(&args.sets)?)?;
        room::check(&scenario)?;
        room::announce(std::iter::once(&scenario));
        let blocks = job::blocks(&scenario, args.jobs.seed)?;
        Ok(Subject::Hdfs(Box::new(scenario), blocks, args.jobs.seed))
    }

    /// As it is run on this machine.
    ///
    /// # Errors
    /// Bad input that only the model can see; a run that is over at once.
    pub(super) fn time(&self, scheduler: Scheduler) -> Result<Timed, Failure> {
        match self {
            Subject::Phold(setting) => {
                let phold::Measured { outcome, worked_s, seconds, .. } =
                    phold::run(setting, scheduler);
                Ok(Timed { outcome, worked_s, seconds })
            }
            Subject::Hdfs(scenario, blocks, seed) => {
                let timed = scaling::time(scenario, Arc::clone(blocks), *seed, scheduler);
                let timed = timed.map_err(job::bad)?;
                let what = format!("{}: a run of", scenario.file.display());
                is_long_enough(timed.outcome.events, &what)?;
                Ok(timed)
            }
        }
    }

    /// As one thread sees it that does the work of all.
    ///
    /// # Errors
    /// Bad input that only the model can see.
    pub(super) fn profile(
        &self,
        scheduler: Scheduler,
        cores: Cores,
    ) -> Result<(Outcome, Profile), Failure> {
        match self {
            Subject::Phold(setting) => Ok(phold::profile(setting, scheduler, cores)),
            Subject::Hdfs(scenario, blocks, seed) => {
                let blocks = Arc::clone(blocks);
                scaling::profile(scenario, blocks, *seed, scheduler, cores).map_err(job::bad)
            }
        }
    }
}

/// What is run, with all that it depends on.
pub(super) fn name(args: &Scaling) -> String {
    let Some(file) = &args.scenario else {
        return format!("{}, grain {} \u{b5}s", bench::sums_of(&args.jobs), args.jobs.grain);
    };
    let sets: String = args.sets.iter().map(|set| format!(" --set {set}")).collect();
    format!("{}{sets}, seed {}", file.display(), args.jobs.seed)
}

fn is_long_enough(events: u64, what: &str) -> Result<(), Failure> {
    match events {
        ..LEAST_EVENTS => Err(job::bad(format!(
            "{what} {events}: expected at least {LEAST_EVENTS} events, so that time passes"
        ))),
        _ => Ok(()),
    }
}
