//! The model against closed forms, and against itself under other settings.

mod closed_forms;
mod mdtest;
mod plan;
mod policies;
mod schedulers;
mod traces;
mod wrong;

use engine::Scheduler;
use ppmds::PPMDS;
use std::path::Path;
use system::lab::Lab;
use system::{RunOptions, SimulatedRun};

/// Creates in one directory with the parameters of Kirii et al. 2015.
pub const PLAIN: &str = "[model]\nsystem = \"ppmds\"\n[cluster]\nservers = 2\nclients = 88\n\
                         [workload]\ncreates_per_client = 200\n";

pub type Sets<'a> = &'a [(&'a str, &'a str)];

pub fn read(sets: Sets<'_>) -> Result<cluster::Sheet, String> {
    let sets: Vec<_> = sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let lab = Lab::of(&PPMDS).expect("it is simulated");
    lab.read_text(PLAIN, Path::new("plain.toml"), &sets).map_err(|e| format!("{e:?}"))
}

pub fn run_on(sets: Sets<'_>, seed: u64, scheduler: Scheduler, keep_trace: bool) -> SimulatedRun {
    let how = RunOptions { keep_trace, ..RunOptions::by(scheduler) };
    run_in(sets, seed, how).unwrap_or_else(|e| panic!("{sets:?}: {e}"))
}

pub fn run_in(sets: Sets<'_>, seed: u64, how: RunOptions<'_>) -> Result<SimulatedRun, String> {
    let sheet = read(sets)?;
    let lab = Lab::of(&PPMDS).expect("it is simulated");
    let done = lab.run_once(&sheet, seed, how).map_err(|e| format!("{e:?}"))?;
    Ok(done.expect("not interrupted"))
}

pub fn run(sets: Sets<'_>) -> SimulatedRun {
    run_on(sets, 1, Scheduler::Sequential, false)
}

pub fn metric(sets: Sets<'_>, name: &str) -> f64 {
    run(sets).reading.metrics[name]
}

pub fn rate(sets: Sets<'_>) -> f64 {
    metric(sets, "operations_per_s")
}

#[track_caller]
pub fn near(ours: f64, expected: f64, part: f64) {
    assert!((ours / expected - 1.0).abs() <= part, "{ours}, expected {expected} ± {part}");
}
