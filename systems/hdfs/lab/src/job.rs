//! One run: a scenario and a seed in, a trace with its numbers out.
use crate::failure::Failure;
use crate::{about, interrupt};
use cluster::BadInput;
use hdfs_model::hdfs::{self, Options, Progress};
use hdfs_scenario::{BlockMap, Blocks, Scenario};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use system::lab::Lab;
pub use system::provenance::{command_line, hash_text, set_json};

/// Keys and values of `--set`.
pub type Sets = Vec<(String, String)>;

/// Takes `TABLE.KEY=VALUE` apart.
///
/// # Errors
/// Bad input without `=`.
pub fn sets(texts: &[String]) -> Result<Sets, Failure> {
    texts.iter().map(|text| crate::vary::set(text)).collect()
}

pub fn lab() -> Lab {
    Lab::of(&crate::HDFS).expect("HDFS is simulated")
}

/// Reads and checks a scenario.
///
/// # Errors
/// Bad input, with file, line, key, what was expected and the nearest right name.
pub fn read(path: &Path, sets: &[(String, String)]) -> Result<Scenario, Failure> {
    lab().read(path, sets).map(|sheet| Scenario::of(&sheet).clone())
}

/// As [`read`], from a text that stands for `file`.
///
/// # Errors
/// As [`read`].
pub fn read_text(text: &str, file: &Path, sets: &[(String, String)]) -> Result<Scenario, Failure> {
    lab().read_text(text, file, sets).map(|sheet| Scenario::of(&sheet).clone())
}

/// What is wrong with an input, as a failure.
pub fn bad(what: impl std::fmt::Display) -> Failure {
    Failure::BadInput(what.to_string())
}

/// The blocks of a scenario. A map in a file is the same for every seed: load it once.
///
/// # Errors
/// Bad input: a file that is missing, changed or cut; a map that cannot be drawn.
pub fn blocks(scenario: &Scenario, seed: u64) -> Result<Arc<BlockMap>, Failure> {
    match &scenario.blocks {
        Blocks::Parquet { path, sha256, .. } => {
            let disks = scenario.hardware.disks_per_node;
            hdfs_trace::blocks_file::read(path, sha256, &scenario.cluster, disks)
                .map(Arc::new)
                .map_err(|e| import_again(scenario, e))
        }
        Blocks::Drawn(_) | Blocks::Synthesised(_) | Blocks::Given(_) => {
            let map = hdfs::load_blocks_while(scenario, seed, &|| !interrupt::asked());
            map.map_err(bad)?.ok_or_else(interrupt::nothing_written)
        }
    }
}

/// Names both files: which of them was changed, nobody knows.
fn import_again(scenario: &Scenario, mut what: BadInput) -> Failure {
    let toml = about::cluster_file(scenario).unwrap_or(&scenario.file).display();
    for problem in &mut what.problems {
        problem.expected += &format!(
            " (named in {toml}). Run `tenbin import hdfs` again, which writes both, or restore them"
        )
    }
    bad(what)
}

pub struct Done {
    /// What happened, with the run's provenance.
    pub trace: hdfs_trace::Trace,
    /// What is kept of it when the trace is gone.
    pub read: hdfs_reading::Run,
    pub blocks: u64,
    pub events: u64,
    pub records: u64,
    /// Of events, records and final states.
    pub trace_hash: u128,
    /// Simulated time at its end \[s\].
    pub simulated_s: f64,
    /// How long it took \[s\].
    pub wall_s: f64,
    /// What else it took.
    pub effort: engine::Effort,
}

/// Runs `scenario` from `seed`; `None` if the user stopped it, or another rank has the result.
///
/// # Errors
/// Bad input that only the model can see; a failed run if an invariant is broken.
pub fn run(
    scenario: &Scenario,
    blocks: Arc<BlockMap>,
    seed: u64,
    options: Options<'_>,
    tell: &mut dyn FnMut(Progress),
) -> Result<Option<Done>, Failure> {
    let mut tell = |p: Progress| {
        tell(p);
        true
    };
    run_while(scenario, blocks, seed, options, &mut tell)
}

/// As [`run`]; `None`, too, if `goes_on` stopped it.
///
/// # Errors
/// As [`run`].
pub fn run_while(
    scenario: &Scenario,
    blocks: Arc<BlockMap>,
    seed: u64,
    options: Options<'_>,
    goes_on: &mut dyn FnMut(Progress) -> bool,
) -> Result<Option<Done>, Failure> {
    let (started, is_first) = (crate::clock::now(), options.execution.is_first());
    let count = u64::from(blocks.len());
    let mut progress = |p: Progress| {
        let goes_on = goes_on(p) && !interrupt::asked();
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let simulated = hdfs::simulate(scenario, blocks, seed, options, &mut progress).map_err(bad)?;
    if simulated.interrupted || interrupt::asked() || !is_first {
        return Ok(None);
    }
    if let Some(first) = simulated.violations.first() {
        return Err(Failure::Failed(format!(
            "{} invariants are broken, first: {first} (scenario {}, seed {seed}): this is a bug",
            simulated.violations.len(),
            scenario.file.display()
        )));
    }
    let mut trace = simulated.trace;
    trace.run.extend(provenance(scenario, seed, simulated.trace_hash));
    Ok(Some(Done {
        read: hdfs_reading::Run::of(seed, &trace),
        trace,
        blocks: count,
        events: simulated.events,
        records: simulated.records,
        trace_hash: simulated.trace_hash,
        simulated_s: simulated.simulated.as_secs(),
        wall_s: started.elapsed().as_secs_f64(),
        effort: simulated.effort,
    }))
}

fn provenance(scenario: &Scenario, seed: u64, hash: u128) -> Vec<(String, String)> {
    let pairs = [
        ("origin", "simulated".into()),
        ("scenario", scenario.name.clone()),
        ("scenario_hash", scenario.hash.clone()),
        ("seed", seed.to_string()),
        ("trace_hash", hash_text(hash)),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("command", command_line()),
    ];
    let pairs = pairs.into_iter().map(|(k, v): (&str, String)| (k.to_string(), v));
    pairs.chain(about::drawn_map(scenario)).collect()
}
