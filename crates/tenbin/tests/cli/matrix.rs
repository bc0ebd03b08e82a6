//! Every scenario of HDFS × schedulers × seeds, twice: one trace hash. Golden files have the
//! numbers. A test draws the schedulers of each scenario; `make soak` runs all.
use crate::tenbin::{Place, root};
use engine::{Draw, Execution, Neighbours, Scheduler};
use hdfs::job;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use system::{RunOptions, SimulatedRun};
use tenbin::systems::SYSTEMS;

const SEEDS: [u64; 2] = [1, 2];

/// Schedulers drawn for each scenario and seed.
const DRAWN: usize = 2;

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

/// Two schedulers of `all` for a scenario and seed, drawn from MATRIX_SEED or the current commit;
/// all of them where MATRIX=whole.
pub(crate) fn drawn<T>(file: &Path, seed: u64, mut all: Vec<T>) -> Vec<T> {
    if std::env::var("MATRIX").is_ok_and(|share| share == "whole") {
        return all;
    }
    let name = file.file_name().expect("a name").to_string_lossy();
    let mut draw = Draw::keyed(matrix_seed(), &name, seed, 0);
    while all.len() > DRAWN {
        all.swap_remove(draw.below(all.len() as u64) as usize);
    }
    all
}

fn matrix_seed() -> u64 {
    static SEED: LazyLock<u64> = LazyLock::new(|| {
        let head = Command::new("git").args(["rev-parse", "--short=8", "HEAD"]).output();
        let head = head.map(|done| String::from_utf8_lossy(&done.stdout).into_owned());
        let of_commit = u64::from_str_radix(head.unwrap_or_default().trim(), 16).unwrap_or(0);
        let seed = std::env::var("MATRIX_SEED").ok().and_then(|text| text.parse().ok());
        let seed = seed.unwrap_or(of_commit);
        eprintln!("the same schedulers again: MATRIX_SEED={seed}; all: MATRIX=whole");
        seed
    });
    *SEED
}

fn run(file: &Path, seed: u64, scheduler: Scheduler) -> SimulatedRun {
    run_on(file, seed, scheduler.into()).expect("not interrupted")
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
    done.swap_remove(0).expect("not interrupted")
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
            let shared = [(1, 2), (1, 3), (2, 1)].into_iter().flat_map(|(ranks, threads)| {
                let all = [Scheduler::Conservative { threads }, Scheduler::Optimistic { threads }];
                all.map(|scheduler| (ranks, scheduler))
            });
            let alone = [Scheduler::Sequential, Scheduler::RollbackCheck { depth: 4 }];
            let all = alone.map(|scheduler| (1, scheduler)).into_iter().chain(shared).collect();
            for (ranks, scheduler) in drawn(&file, seed, all) {
                let again = match ranks {
                    1 => run(&file, seed, scheduler),
                    _ => run_in(ranks, (&file, &[]), seed, scheduler),
                };
                let what = format!("{what}: {scheduler:?}, {ranks} ranks");
                assert_eq!(first.trace_hash, again.trace_hash, "{what}");
                assert_eq!(first.trace.intervals, again.trace.intervals, "{what}");
                assert_eq!(first.reading.metrics, again.reading.metrics, "{what}")
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
            run_set(&file, QUEUE, 1, scheduler.into()).expect("not interrupted")
        };
        let first = run(Scheduler::Sequential);
        let all = vec![
            Scheduler::RollbackCheck { depth: 4 },
            Scheduler::Auto { threads: 2 },
            Scheduler::Conservative { threads: 2 },
            Scheduler::Conservative { threads: 3 },
            Scheduler::Optimistic { threads: 2 },
            Scheduler::Optimistic { threads: 3 },
        ];
        for scheduler in drawn(&file, 1, all) {
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
