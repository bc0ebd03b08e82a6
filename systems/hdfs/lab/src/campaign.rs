//! Many runs: rows (variants of a scenario) × seeds, on all cores.
use crate::failure::Failure;
use crate::job::{self, Done, Sets};
use crate::progress::Jobs;
use crate::{interrupt, pool, room};
use engine::{Nanos, Scheduler};
use hdfs_model::hdfs::Options;
use hdfs_reading::VariantRuns;
use hdfs_scenario::{BlockMap, Blocks, Scenario};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

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
    let jobs: Vec<(usize, u64)> =
        (0..rows.len()).flat_map(|row| seeds.iter().map(move |&s| (row, s))).collect();
    let progress = Jobs::new(jobs.len(), what);
    let first: Mutex<Option<Done>> = Mutex::new(None);
    let work = |&(row, seed): &(usize, u64)| -> Option<Result<hdfs_reading::Run, Failure>> {
        let done = one(&rows[row].scenario, &maps, seed, &progress);
        let done = match done.transpose()? {
            Ok(done) => done,
            Err(failure) => return Some(Err(failure)),
        };
        let read = done.read.clone();
        if row == 0 && Some(&seed) == seeds.first() {
            *first.lock().expect("nobody panics while holding it") = Some(done);
        }
        Some(Ok(read))
    };
    let results = pool::run_on(threads, &jobs, work, |_| progress.one());
    drop(progress);
    Ok(Outcome {
        rows: collect(rows, &jobs, results)?,
        first: first.into_inner().expect("as above"),
    })
}

/// `None` if the user stopped it.
fn one(
    scenario: &Scenario,
    maps: &Maps,
    seed: u64,
    progress: &Jobs,
) -> Result<Option<Done>, Failure> {
    let blocks = match maps.get(scenario, seed) {
        Err(Failure::Interrupted(_)) => return Ok(None),
        blocks => blocks?,
    };
    let options = Options { execution: Scheduler::Sequential.into(), check: false, witness: None };
    let mut told = 0;
    let done = job::run(scenario, blocks, seed, options, &mut |p| {
        progress.at(p.now, p.events, &mut told)
    })?;
    if let Some(done) = &done {
        progress.at(Nanos::from_secs(done.simulated_s), done.events, &mut told)
    }
    Ok(done)
}

fn collect(
    rows: &[Row],
    jobs: &[(usize, u64)],
    results: Vec<Option<Result<hdfs_reading::Run, Failure>>>,
) -> Result<Vec<VariantRuns>, Failure> {
    let empty =
        |row: &Row| VariantRuns { name: row.name.clone(), set: row.set.clone(), runs: Vec::new() };
    let mut finished: Vec<VariantRuns> = rows.iter().map(empty).collect();
    for (&(row, _), result) in jobs.iter().zip(results) {
        match result {
            Some(run) => finished[row].runs.push(run?),
            None => assert!(interrupt::asked(), "a job without a result"),
        }
    }
    Ok(finished)
}
