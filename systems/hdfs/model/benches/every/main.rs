//! Cost of `auto`: each scenario of the repository, as it is and with every chunk an event,
//! compared with Tenbin's sequential scheduler. Wall times of simulations, measured alternately.
//!
//! `cargo bench -p hdfs-model --bench every [-- --pairs N --threads N --only NAME,NAME --noisy]`
//!
//! A pair during which other processes used more than a tenth of a core is repeated. If the machine
//! stays busy, the line prints "not measured". A short simulation is run several times for each
//! figure.
#[path = "../../../../../crates/engine/benches/parallel/quiet.rs"]
mod quiet;
#[path = "../../../../../benches/verdicts.rs"]
mod verdicts;
use engine::Scheduler;
use hdfs_model::hdfs::{Options, SimulationResult, load_blocks, simulate};
use hdfs_scenario::{BlockMap, Blocks, Scenario};
use quiet::{argument, quartiles};
use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Instant,
};
use verdicts::Verdicts;

/// The least ratio to sequential.
const LEAST: f64 = 0.95;

/// Least duration of a measurement \[s\].
const LASTS: f64 = 0.2;

/// Only with `--only`.
const LONG: (&str, &str) = ("datacentre", "queue");

fn main() -> ExitCode {
    let mut verdicts = Verdicts::default();
    let pairs: usize = argument("--pairs", "7").parse().expect("a number of pairs");
    let threads: usize = argument("--threads", "2").parse().expect("a number of threads");
    let (only, noisy) = (argument("--only", ""), std::env::args().any(|a| a == "--noisy"));
    println!(
        "Every scenario, auto on {threads} threads against sequential: wall times, medians \
         (quartiles) of {pairs} pairs\n{:24} {:6} {:>9} {:>18}  bound",
        "scenario", "solver", "seconds", "to sequential"
    );
    for file in scenarios() {
        let name = file.file_stem().expect("a file").to_string_lossy().into_owned();
        let asked = only.split(',').any(|asked| asked == name);
        for sharing in ["fluid", "queue"].iter().filter(|_| asked || only.is_empty()) {
            print!("{name:24} {sharing:6} ");
            match !asked && (name.as_str(), *sharing) == LONG {
                true => println!("takes minutes: `--only {name}`, or `--bench queue`"),
                false => {
                    let holds = row(&file, sharing, Scheduler::Auto { threads }, pairs, noisy);
                    println!("{}", holds.map_or("", |holds| verdicts.of(holds)))
                }
            }
        }
    }
    verdicts.exit()
}

/// All files of the folders, in order.
fn scenarios() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scenarios");
    let folders = [root.clone(), root.join("faults"), root.join("policies")];
    let files = folders.iter().flat_map(|folder| folder.read_dir().expect("a folder"));
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|kind| kind == "toml"));
    files.sort();
    files
}

/// Prints all but the verdict; whether the bound holds, `None` if it was not measured.
fn row(
    file: &Path,
    sharing: &str,
    scheduler: Scheduler,
    pairs: usize,
    noisy: bool,
) -> Option<bool> {
    let sets = [("model.sharing".to_string(), sharing.to_string())];
    let scenario = match Scenario::read(file, &sets) {
        Ok(scenario) => scenario,
        Err(e) => {
            print!("not measured (`make run` makes what is missing): {e}");
            return None;
        }
    };
    let blocks = blocks_of(&scenario);
    let run = |scheduler| run(&scenario, &blocks, scheduler);
    let times = (LASTS / run(Scheduler::Sequential).1).ceil().max(1.0) as usize;
    let several = |scheduler| {
        let mut runs: Vec<(SimulationResult, f64)> = (0..times).map(|_| run(scheduler)).collect();
        let seconds = runs.iter().map(|(_, seconds)| seconds).sum::<f64>() / times as f64;
        (runs.pop().expect("at least one").0, seconds)
    };
    let mut turn = 0;
    let measured = quiet::pairs(
        pairs,
        &[()],
        |()| noisy,
        |()| {
            turn += 1;
            let (first, second) = match turn % 2 {
                0 => (Scheduler::Sequential, scheduler),
                _ => (scheduler, Scheduler::Sequential),
            };
            let (one, many) = (several(first), several(second));
            assert_eq!(one.0.trace_hash, many.0.trace_hash, "another result");
            let (sequential, auto) = if turn % 2 == 0 { (one, many) } else { (many, one) };
            let choice = auto.0.effort.choice.map_or(1, |choice| choice.threads);
            (sequential.1 / auto.1, auto.1, choice)
        },
    );
    let Some(Some(rows)) = measured.into_iter().next() else {
        print!("not measured: the machine is not quiet");
        return None;
    };
    let [low, middle, high] = quartiles(rows.iter().map(|row| row.0));
    let seconds = quartiles(rows.iter().map(|row| row.1))[1];
    let ratio = format!("{middle:.2} ({low:.2}-{high:.2})");
    let threads = rows.iter().map(|row| row.2).max().unwrap_or(1);
    print!("{seconds:9.3} {ratio:>18}  {threads} threads at last, at least {LEAST}: ");
    Some(middle >= LEAST)
}

fn blocks_of(scenario: &Scenario) -> Arc<BlockMap> {
    let Blocks::Parquet { path, sha256, .. } = &scenario.blocks else {
        return load_blocks(scenario, 1).unwrap_or_else(|e| panic!("{e}"));
    };
    let disks = scenario.hardware.disks_per_node;
    let map = hdfs_trace::blocks_file::read(path, sha256, &scenario.cluster, disks);
    Arc::new(map.unwrap_or_else(|e| panic!("{e}")))
}

fn run(
    scenario: &Scenario,
    blocks: &Arc<BlockMap>,
    scheduler: Scheduler,
) -> (SimulationResult, f64) {
    let options = Options { execution: scheduler.into(), check: false, observer: None };
    #[allow(clippy::disallowed_methods, reason = "the time it takes is what is asked")]
    let (blocks, begun) = (Arc::clone(blocks), Instant::now());
    let run = simulate(scenario, blocks, 1, options, &mut |_| ControlFlow::Continue(()));
    (run.unwrap_or_else(|e| panic!("{e}")), begun.elapsed().as_secs_f64())
}
