//! A run that can be repeated.
use crate::failure::Failure;
use crate::interface::{Observer, RunOptions, SimulatedRun};
use crate::lab::{Lab, ScenarioText};
use crate::vary::Set;
use crate::{footprint, interrupt};
use cluster::{Sheet, SystemData};
use engine::Execution;

/// A checked scenario with its data loaded; it can run repeatedly.
pub struct LoadedRun {
    lab: Lab,
    sheet: Sheet,
    seed: u64,
    loaded: SystemData,
}

/// "scenario s0 (9f3c…), seed 1": runs with equal names have equal results.
pub(super) fn name(sheet: &Sheet, seed: u64) -> String {
    format!("scenario {} ({}), seed {seed}", sheet.name, sheet.hash)
}

impl LoadedRun {
    /// Checks memory and loads what the run needs.
    pub fn read(scenario: &ScenarioText, sets: &[Set], seed: u64) -> Result<LoadedRun, Failure> {
        let (lab, sheet) = (scenario.lab, scenario.sheet(sets)?);
        lab.parallel_runs(&sheet)?;
        footprint::announce(lab.footprint(&sheet).into_iter());
        LoadedRun::of(lab, sheet, seed)
    }

    pub fn of(lab: Lab, sheet: Sheet, seed: u64) -> Result<LoadedRun, Failure> {
        let loaded = lab.load(&sheet, seed)?;
        Ok(LoadedRun { lab, sheet, seed, loaded })
    }

    /// "scenario s0 (9f3c…), seed 1": runs with equal names have equal results.
    pub fn name(&self) -> String {
        name(&self.sheet, self.seed)
    }

    /// `see` receives each committed event. Returns the trace hash; 0 on ranks other than the
    /// first.
    pub fn watched<'p>(
        &self,
        execution: Execution<'p>,
        see: &'p mut Observer<'p>,
    ) -> Result<u128, Failure> {
        let is_first = execution.is_first();
        match self.run(RunOptions { observer: Some(see), ..RunOptions::by(execution) })? {
            Some(done) if is_first => Ok(done.trace_hash),
            None if is_first => Err(interrupt::nothing_written()),
            _ => Ok(0),
        }
    }

    pub(crate) fn run(&self, how: RunOptions<'_>) -> Result<Option<SimulatedRun>, Failure> {
        let how = RunOptions { loaded: self.loaded.clone(), ..how };
        self.lab.run_once(&self.sheet, self.seed, how)
    }
}
