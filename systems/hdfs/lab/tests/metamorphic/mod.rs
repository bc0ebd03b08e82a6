//! Metamorphic relations of any system: a change of the input has a known effect on the output.
//! Scenarios are random, from fixed seeds.
mod bounds;
mod hdfs;
mod keys;
mod relaxed;
mod same;
mod sizes;

use ::hdfs::job::{self, Sets};
use engine::{Draw, Scheduler};
use hdfs_model::hdfs::load_blocks_while;
use hdfs_reading::Run;
use hdfs_scenario::Scenario;
use hdfs_trace::Trace;
use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use system::{Failure, RunOptions};

pub type Plain = fn(&mut Draw) -> String;

/// (system, generator of plain scenarios): small, one loss, no assumption that matters, every rate
/// a plain number.
pub const SYSTEMS: [(&str, Plain); 1] = [("hdfs", hdfs::plain)];

/// Random scenarios per system.
const DRAWN: u64 = 6;

/// Calls of `go_on`, a thousand blocks each, after which drawing a map counts as endless.
const PATIENCE: u32 = 64;

/// (name, text) of all random scenarios.
pub fn drawn() -> Vec<(String, String)> {
    let one = |name: &str, make: fn(&mut Draw) -> String, number: u64| {
        (format!("{name} {number}"), make(&mut Draw::keyed(number, "metamorphic", 0, 0)))
    };
    let all = SYSTEMS.iter().flat_map(|(name, make)| (0..DRAWN).map(|n| one(name, *make, n)));
    all.collect()
}

pub fn sets(pairs: &[(&str, &str)]) -> Sets {
    pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

pub struct Done {
    pub read: Run,
    pub trace: Trace,
    pub trace_hash: u128,
    pub simulated_s: f64,
}

pub fn try_run(text: &str, sets: &[(String, String)], seed: u64) -> Result<Done, Failure> {
    let lab = job::lab();
    let sheet = lab.read_text(text, Path::new("drawn.toml"), sets)?;
    let asked = Cell::new(0);
    let go_on = || {
        asked.set(asked.get() + 1);
        asked.get() < PATIENCE
    };
    let blocks = load_blocks_while(Scenario::of(&sheet), seed, &go_on).map_err(job::bad)?;
    let blocks = blocks.ok_or_else(|| Failure::Failed("the map is never drawn".into()))?;
    let how = RunOptions {
        keep_trace: true,
        loaded: Some(blocks as Arc<_>),
        ..RunOptions::by(Scheduler::Sequential)
    };
    let done = lab.run_once(&sheet, seed, how)?.expect("not interrupted");
    Ok(Done {
        read: Run::of(seed, &done.trace),
        trace_hash: done.trace_hash,
        simulated_s: done.simulated.as_secs(),
        trace: done.trace,
    })
}

pub fn run(text: &str, sets: &[(String, String)], seed: u64) -> Done {
    try_run(text, sets, seed).unwrap_or_else(|why| panic!("{why:?}\n{sets:?}\n{text}"))
}

pub fn runs(text: &str, sets: &[(String, String)], seeds: u64) -> Vec<Run> {
    (1..=seeds).map(|seed| run(text, sets, seed).read).collect()
}

/// Mean recovery \[s\]; all must end.
pub fn recovery(runs: &[Run]) -> f64 {
    let all = runs.iter().map(|run| run.recovery_s().expect("it ends"));
    all.sum::<f64>() / runs.len() as f64
}
