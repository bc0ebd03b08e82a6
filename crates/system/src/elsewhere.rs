//! A run and its result as text, for other machines.
use crate::failure::Failure;
use crate::interface::Simulation;
use crate::rows::SeedRun;
use crate::session;
use crate::vary::Set;
use cluster::Sheet;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{self, PathBuf};
use trace::reading::Reading;

/// One run; equal tasks have equal results.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Task {
    pub system: String,
    /// The scenario's text; its file, for the paths in it; its keys.
    pub text: String,
    pub file: PathBuf,
    pub sets: Vec<Set>,
    /// Hash of the scenario here: another machine can have another import under the same path.
    pub hash: String,
    pub seed: u64,
    /// The result has objective and metrics only.
    pub is_brief: bool,
}

/// The form of a [`SeedRun`] between machines.
#[derive(Serialize, Deserialize)]
struct Packed {
    seed: u64,
    reading: Reading,
    own: Value,
}

pub(crate) fn task(sheet: &Sheet, seed: u64) -> String {
    let source = &sheet.source;
    let sets = source.sets.iter().map(|set| (set.key.clone(), set.value.text().to_string()));
    let task = Task {
        system: sheet.vocabulary().system.into(),
        text: source.document.text.clone(),
        file: path::absolute(&sheet.file).unwrap_or_else(|_| sheet.file.clone()),
        sets: sets.collect(),
        hash: sheet.hash.clone(),
        seed,
        is_brief: session::current().is_some_and(|session| session.is_brief()),
    };
    serde_json::to_string(&task).expect("texts and numbers")
}

pub(crate) fn unpack(simulation: &dyn Simulation, result: &str) -> Result<SeedRun, Failure> {
    let packed: Packed = serde_json::from_str(result)
        .map_err(|e| Failure::Failed(format!("the result of another machine: {e}")))?;
    let Packed { seed, reading, own } = packed;
    Ok(SeedRun { seed, reading, own: simulation.unpack(own) })
}

/// Objective and metrics only: the memory of many runs is then small.
pub(crate) fn brief(mut run: SeedRun) -> SeedRun {
    let reading = &mut run.reading;
    (reading.held, reading.path, reading.curves) = (Vec::new(), Vec::new(), Vec::new());
    (reading.hotspots, reading.loads, reading.latencies) = (Vec::new(), Vec::new(), Vec::new());
    (reading.completions, run.own) = (None, None);
    run
}

pub(crate) fn pack(simulation: &dyn Simulation, run: &SeedRun, is_brief: bool) -> String {
    let own = if is_brief { Value::Null } else { simulation.pack(&run.own) };
    let run = if is_brief { brief(run.clone()) } else { run.clone() };
    let packed = Packed { seed: run.seed, reading: run.reading, own };
    serde_json::to_string(&packed).expect("a reading has no maps with odd keys")
}
