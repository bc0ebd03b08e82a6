//! A run of any system that can be made again and again.
use super::Ready;
use crate::failure::Failure;
use crate::lab::Lab;
use crate::scaling::{self, Timed};
use crate::seam::{Observer, RunOptions};
use crate::vary::Set;
use crate::{footprint, interrupt};
use cluster::Sheet;
use engine::{Cores, Execution, Profile, Scheduler};
use std::path::Path;

struct OfLab {
    lab: Lab,
    sheet: Sheet,
    seed: u64,
}

/// Reads and checks the scenario.
pub(super) fn ready(
    lab: Lab,
    scenario: &Path,
    sets: &[Set],
    seed: u64,
) -> Result<Box<dyn Ready>, Failure> {
    let sheet = lab.read(scenario, sets)?;
    lab.fits(&sheet)?;
    footprint::announce(lab.footprint(&sheet).into_iter());
    Ok(Box::new(OfLab { lab, sheet, seed }))
}

/// What runs of are to come out the same.
pub(super) fn name(sheet: &Sheet, seed: u64) -> String {
    format!("scenario {} ({}), seed {seed}", sheet.name, sheet.hash)
}

impl Ready for OfLab {
    fn name(&self) -> String {
        name(&self.sheet, self.seed)
    }

    fn watched<'p>(
        &self,
        execution: Execution<'p>,
        see: &'p mut Observer<'p>,
    ) -> Result<u128, Failure> {
        let is_first = execution.is_first();
        let how = RunOptions { observer: Some(see), ..RunOptions::by(execution) };
        let done = self.lab.one(&self.sheet, self.seed, how)?;
        match done {
            Some(done) if is_first => Ok(done.trace_hash),
            None if is_first => Err(interrupt::nothing_written()),
            _ => Ok(0),
        }
    }

    fn time(&self, scheduler: Scheduler) -> Result<Timed, Failure> {
        scaling::time(&self.lab, &self.sheet, self.seed, scheduler)
    }

    fn profile(&self, scheduler: Scheduler, cores: Cores) -> Result<(u128, Profile), Failure> {
        scaling::profile(&self.lab, &self.sheet, self.seed, scheduler, cores)
    }
}
