//! Many runs: rows (variants of a scenario) × seeds, on all cores; block maps are read once.
use crate::failure::Failure;
use crate::job::{self, Done, Sets};
use crate::{pool, room};
use engine::{Nanos, Scheduler};
use hdfs_model::hdfs::Options;
use hdfs_reading::VariantRuns;
use hdfs_scenario::{BlockMap, Blocks, Scenario};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use system::campaign::{Campaign, Run};
use system::{Progress, Tell};

/// A row to be run.
pub struct Row {
    /// What people call it.
    pub name: String,
    /// What it sets.
    pub set: Sets,
    /// The scenario with that set.
    pub scenario: Scenario,
}

/// What came of a campaign.
pub struct Outcome {
    /// Row by row, as asked for; after an interruption some lack seeds.
    pub rows: Vec<VariantRuns>,
    /// First row, first seed, with its trace, unless interrupted before.
    pub first: Option<Done>,
}

/// Block maps that lie in files, each read once; where no input tells a node's disks, once for each
/// number of them, since replicas are dealt out to so many.
#[derive(Default)]
pub struct Maps(BTreeMap<(PathBuf, u16), Arc<BlockMap>>);

/// Which map a scenario has, if it lies in a file.
fn key(scenario: &Scenario) -> Option<(PathBuf, u16)> {
    let Blocks::Parquet { path, .. } = &scenario.blocks else { return None };
    let told = scenario.cluster.nodes.iter().map(|node| node.disks).min().unwrap_or(0);
    Some((path.clone(), told))
}

impl Maps {
    /// Reads the maps of these scenarios.
    ///
    /// # Errors
    /// Bad input.
    pub fn of<'a>(scenarios: impl Iterator<Item = &'a Scenario>) -> Result<Maps, Failure> {
        let mut maps = Maps::default();
        for scenario in scenarios {
            if let Some(key) = key(scenario)
                && !maps.0.contains_key(&key)
            {
                maps.0.insert(key, job::blocks(scenario, 0)?);
            }
        }
        Ok(maps)
    }

    /// The map of a run.
    ///
    /// # Errors
    /// Bad input.
    pub fn get(&self, scenario: &Scenario, seed: u64) -> Result<Arc<BlockMap>, Failure> {
        match key(scenario) {
            Some(key) => Ok(Arc::clone(&self.0[&key])),
            None => job::blocks(scenario, seed),
        }
    }
}

/// Runs every row from every seed, sequentially scheduled, with progress on a terminal.
///
/// # Errors
/// The first failure in the order of rows and seeds, so that the message is the same every time.
pub fn run(rows: &[Row], seeds: &[u64], what: &'static str) -> Result<Outcome, Failure> {
    let mut threads = pool::threads();
    for row in rows {
        threads = threads.min(room::check(&row.scenario)?)
    }
    let maps = Maps::of(rows.iter().map(|r| &r.scenario))?;
    let one = |run: Run, tell: &mut Tell<'_>| one(&rows[run.row].scenario, &maps, run.seed, tell);
    let campaign = Campaign { rows: rows.len(), seeds, threads, what };
    let done = campaign.run(one, |_, done| done.read.clone())?;
    let row = |(row, runs): (&Row, Vec<hdfs_reading::Run>)| VariantRuns {
        name: row.name.clone(),
        set: row.set.clone(),
        runs,
    };
    Ok(Outcome { rows: rows.iter().zip(done.rows).map(row).collect(), first: done.first })
}

/// `None` if the user stopped it.
fn one(
    scenario: &Scenario,
    maps: &Maps,
    seed: u64,
    tell: &mut Tell<'_>,
) -> Result<Option<Done>, Failure> {
    let blocks = match maps.get(scenario, seed) {
        Err(Failure::Interrupted(_)) => return Ok(None),
        blocks => blocks?,
    };
    let options = Options { execution: Scheduler::Sequential.into(), check: false, observer: None };
    // It looks itself whether the user wants to stop.
    let mut at = |now, events| {
        let _ = tell(Progress { now, events });
    };
    let done = job::run(scenario, blocks, seed, options, &mut |p| at(p.now, p.events))?;
    if let Some(done) = &done {
        at(Nanos::from_secs(done.simulated_s), done.events)
    }
    Ok(done)
}
