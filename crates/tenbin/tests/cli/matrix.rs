//! Every scenario of HDFS × every scheduler × seeds, twice: one trace hash. Golden files have the
//! numbers.
use crate::tenbin::{Place, root};
use engine::{Execution, Neighbours, Scheduler};
use hdfs::job;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use system::{RunOptions, SimulatedRun};
use tenbin::systems::SYSTEMS;

const SEEDS: [u64; 2] = [1, 2];

/// Folders of the scenarios and their golden texts.
const FOLDERS: [&str; 2] = ["scenarios", "scenarios/faults"];

/// Keys and values, as `--set` takes them.
pub(crate) type Sets = &'static [(&'static str, &'static str)];

/// What is too large for a debug build is run smaller.
pub(crate) const SMALLER: [(&str, Sets); 1] = [(
    "datacentre.toml",
    &[
        ("cluster.racks", "6"),
        ("cluster.nodes_per_rack", "8"),
        ("workload.blocks_on_lost_node", "200"),
        ("event.target", "dn-r3-05"),
    ],
)];

/// All files of the folders: a new scenario cannot be forgotten. With each the golden text's path.
pub(crate) fn scenarios(place: &Place) -> Vec<(PathBuf, PathBuf)> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        let entries = std::fs::read_dir(place.dir.join(folder)).expect(folder);
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.extension().is_some_and(|e| e == "toml") && is_hdfs(&path) {
                let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
                files.push((path, root().join(folder).join(format!("{name}.expected.txt"))))
            }
        }
    }
    files.sort();
    assert!(files.len() >= 10, "{files:?}");
    files
}

/// Whether it is of HDFS: `systems.rs` runs the others.
pub(crate) fn is_hdfs(file: &Path) -> bool {
    SYSTEMS.of(file, &[]).expect("a known system").0.name == "hdfs"
}

fn run(file: &Path, seed: u64, scheduler: Scheduler) -> SimulatedRun {
    run_on(file, seed, scheduler.into()).expect("nobody interrupts")
}

/// On several processes; here each is a thread.
pub(crate) fn run_in(
    count: usize,
    (file, besides): (&Path, Sets),
    seed: u64,
    scheduler: Scheduler,
) -> SimulatedRun {
    let one = |mut peers: Neighbours| {
        run_set(file, besides, seed, Execution::among(scheduler, Some(&mut peers)))
    };
    let mut done = std::thread::scope(|scope| {
        let ranks = Neighbours::new(count).into_iter();
        let ranks: Vec<_> = ranks.map(|peers| scope.spawn(|| one(peers))).collect();
        ranks.into_iter().map(|rank| rank.join().expect("no panics")).collect::<Vec<_>>()
    });
    let has_trace = |done: &SimulatedRun| !done.trace.intervals.is_empty();
    assert!(!done[1..].iter().flatten().any(has_trace), "only the first has a trace");
    done.swap_remove(0).expect("nobody interrupts")
}

fn run_on(file: &Path, seed: u64, execution: Execution<'_>) -> Option<SimulatedRun> {
    run_set(file, &[], seed, execution)
}

fn run_set(
    file: &Path,
    besides: Sets,
    seed: u64,
    execution: Execution<'_>,
) -> Option<SimulatedRun> {
    let smaller = SMALLER.iter().find(|(name, _)| file.ends_with(name)).map(|(_, sets)| *sets);
    let sets = smaller.unwrap_or_default().iter().chain(besides);
    let sets: Vec<_> = sets.map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let lab = job::lab();
    let sheet = lab.read(file, &sets).unwrap_or_else(|e| panic!("{e:?}"));
    let how = RunOptions { keep_trace: true, check: true, ..RunOptions::by(execution) };
    lab.run_once(&sheet, seed, how).unwrap_or_else(|e| panic!("{}: {e:?}", file.display()))
}

#[test]
fn all_schedulers_give_one_trace() {
    let place = Place::with_everything("matrix");
    for (file, _) in scenarios(&place) {
        for seed in SEEDS {
            let first = run(&file, seed, Scheduler::Sequential);
            let what = format!("{} from seed {seed}", file.display());
            let again = run(&file, seed, Scheduler::Sequential);
            assert_eq!(first.trace_hash, again.trace_hash, "{what}: twice");
            assert_eq!(first.reading.metrics, again.reading.metrics, "{what}: twice");
            let checked = run(&file, seed, Scheduler::RollbackCheck { depth: 4 });
            assert_eq!(first.trace_hash, checked.trace_hash, "{what}: rollback check");
            assert_eq!(first.trace.intervals, checked.trace.intervals, "{what}: rollback check");
            for (ranks, threads) in [(1, 2), (1, 3), (2, 1)] {
                let all = [Scheduler::Conservative { threads }, Scheduler::Optimistic { threads }];
                for scheduler in all {
                    let shared = match ranks {
                        1 => run(&file, seed, scheduler),
                        _ => run_in(ranks, (&file, &[]), seed, scheduler),
                    };
                    let what = format!("{what}: {scheduler}, {ranks} ranks of {threads} threads");
                    assert_eq!(first.trace_hash, shared.trace_hash, "{what}");
                    assert_eq!(first.trace.intervals, shared.trace.intervals, "{what}");
                    assert_eq!(first.reading.metrics, shared.reading.metrics, "{what}")
                }
            }
        }
    }
}

/// Queued chunks, with one to three events each, instead of rates: a load on which threads gain.
pub(crate) const QUEUE: Sets = &[("model.sharing", "queue"), ("model.chunk", "64MiB")];

#[test]
fn all_schedulers_give_one_trace_of_queues() {
    let place = Place::with_everything("matrix-queue");
    for (file, _) in scenarios(&place) {
        let run = |scheduler: Scheduler| {
            run_set(&file, QUEUE, 1, scheduler.into()).expect("nobody interrupts")
        };
        let first = run(Scheduler::Sequential);
        for scheduler in [
            Scheduler::RollbackCheck { depth: 4 },
            Scheduler::Auto { threads: 2 },
            Scheduler::Conservative { threads: 2 },
            Scheduler::Conservative { threads: 3 },
            Scheduler::Optimistic { threads: 2 },
            Scheduler::Optimistic { threads: 3 },
        ] {
            let (also, what) = (run(scheduler), format!("{}: {scheduler:?}", file.display()));
            assert_eq!(first.trace_hash, also.trace_hash, "{what}");
            assert_eq!(first.trace.intervals, also.trace.intervals, "{what}");
            assert_eq!(first.reading.metrics, also.reading.metrics, "{what}")
        }
    }
}

#[test]
fn runs_give_the_numbers_that_were_read() {
    let place = Place::with_everything("golden");
    for (file, golden) in scenarios(&place) {
        let mut text = String::new();
        for seed in SEEDS {
            describe(&mut text, seed, &run(&file, seed, Scheduler::Sequential));
        }
        if std::env::var_os("TENBIN_BLESS").is_some() {
            std::fs::write(&golden, &text).expect("the tree is writable");
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(
            text,
            expected,
            "{} is new or changed: if it should, TENBIN_BLESS=1 cargo test --test cli runs_give, \
             and read the difference",
            golden.display()
        );
    }
}

fn describe(text: &mut String, seed: u64, done: &SimulatedRun) {
    let _ = writeln!(text, "seed {seed}");
    let _ = writeln!(text, "  trace_hash {}", job::hash_text(done.trace_hash));
    let _ = writeln!(text, "  events {}", done.events);
    for (name, value) in &done.reading.metrics {
        let _ = writeln!(text, "  {name} {value:.6}");
    }
    for held in &done.reading.held {
        let _ = writeln!(text, "  held up by {}: {:.4}", held.holder, held.share);
    }
}
