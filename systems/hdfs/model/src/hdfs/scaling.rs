//! What a run of a scenario takes on this machine, and would on one of more cores.
use super::{
    assembly::Assembly,
    flows::Flows,
    simulate::{Prepared, prepare},
};
use engine::{Cores, Outcome, Profile, Scheduler};
use hdfs_scenario::{BlockMap, Scenario};
use std::{sync::Arc, time::Instant};

/// A run, and what it took; its records were made a trace of.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// How it came out.
    pub outcome: Outcome,
    /// By the clock \[s\].
    pub seconds: f64,
    /// What the calling thread worked \[s\].
    pub worked_s: f64,
}

/// Runs a scenario.
///
/// # Errors
/// As [`simulate`](super::simulate()).
pub fn time(
    scenario: &Scenario,
    blocks: Arc<BlockMap>,
    seed: u64,
    scheduler: Scheduler,
) -> Result<Timed, String> {
    let Prepared { world, setup, .. } = prepare(scenario, blocks, seed)?;
    let (mut flows, mut assembly) = (Flows::new(&setup), Assembly::new(&setup));
    #[allow(clippy::disallowed_methods, reason = "what a run takes is what is measured")]
    let (begun, worked) = (Instant::now(), engine::worked_s());
    let outcome = world.run(scheduler, |stamp, record| {
        flows.each(record, |record| assembly.record(stamp.at, record))
    });
    let (seconds, worked_s) = (begun.elapsed().as_secs_f64(), engine::worked_s() - worked);
    Ok(Timed { outcome, seconds, worked_s })
}

/// What a scheduler's threads would have to do, each on a core of its own.
///
/// # Errors
/// As [`simulate`](super::simulate()).
pub fn profile(
    scenario: &Scenario,
    blocks: Arc<BlockMap>,
    seed: u64,
    scheduler: Scheduler,
    cores: Cores,
) -> Result<(Outcome, Profile), String> {
    let Prepared { world, setup, .. } = prepare(scenario, blocks, seed)?;
    let (mut flows, mut assembly) = (Flows::new(&setup), Assembly::new(&setup));
    Ok(world.profile(scheduler, cores, |stamp, record| {
        flows.each(record, |record| assembly.record(stamp.at, record))
    }))
}
