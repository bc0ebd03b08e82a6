//! A run that can be made again and again.
use super::run::sums_of;
use crate::failure::Failure;
use crate::{interrupt, job, room};
use engine::{Cores, Execution, Profile, Scheduler};
use hdfs_model::hdfs::{Options, scaling};
use hdfs_scenario::{BlockMap, Scenario};
use std::path::Path;
use std::sync::Arc;
use system::scaling::Timed;
use system::vary::Set;
use system::{Observer, Ready};

struct Loaded {
    scenario: Scenario,
    blocks: Arc<BlockMap>,
    seed: u64,
}

/// Reads and checks the scenario, and loads its blocks.
pub(super) fn ready(scenario: &Path, sets: &[Set], seed: u64) -> Result<Box<dyn Ready>, Failure> {
    let scenario = job::read(scenario, sets)?;
    room::check(&scenario)?;
    room::announce(std::iter::once(&scenario));
    let blocks = job::blocks(&scenario, seed)?;
    Ok(Box::new(Loaded { scenario, blocks, seed }))
}

impl Ready for Loaded {
    fn name(&self) -> String {
        sums_of(&self.scenario, self.seed)
    }

    fn watched<'p>(
        &self,
        execution: Execution<'p>,
        see: &'p mut Observer<'p>,
    ) -> Result<u128, Failure> {
        let is_first = execution.is_first();
        let options = Options { execution, check: false, observer: Some(see) };
        match job::run(&self.scenario, Arc::clone(&self.blocks), self.seed, options, &mut |_| {})? {
            Some(done) => Ok(done.trace_hash),
            None if is_first => Err(interrupt::nothing_written()),
            None => Ok(0),
        }
    }

    fn time(&self, scheduler: Scheduler) -> Result<Timed, Failure> {
        let timed = scaling::time(&self.scenario, Arc::clone(&self.blocks), self.seed, scheduler);
        let scaling::Timed { outcome, worked_s, seconds } = timed.map_err(job::bad)?;
        Ok(Timed { hash: outcome.trace_hash, events: outcome.events, worked_s, seconds })
    }

    fn profile(&self, scheduler: Scheduler, cores: Cores) -> Result<(u128, Profile), Failure> {
        let blocks = Arc::clone(&self.blocks);
        let done = scaling::profile(&self.scenario, blocks, self.seed, scheduler, cores);
        let (outcome, profile) = done.map_err(job::bad)?;
        Ok((outcome.trace_hash, profile))
    }
}
