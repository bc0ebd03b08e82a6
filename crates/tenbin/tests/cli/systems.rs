//! Every scenario of every system except HDFS (`matrix.rs`) × schedulers × seeds: one trace hash,
//! one reading. Golden files have the numbers.
use crate::matrix::{drawn, is_hdfs};
use crate::tenbin::root;
use engine::{Scheduler, Stress};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use system::lab::Lab;
use system::{RunOptions, SimulatedRun};
use tenbin::systems::SYSTEMS;

const SEEDS: [u64; 2] = [1, 2];

/// What is too large for a debug build is run smaller: in a line `# test: KEY=VALUE …` of its file.
const SMALLER: &str = "# test: ";

/// Scenario files, with each its lab.
fn scenarios() -> Vec<(PathBuf, Lab)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("scenarios")];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("entry").path()) {
            if path.is_dir() {
                folders.push(path)
            } else if path.extension().is_some_and(|e| e == "toml")
                && !is_hdfs(&path)
                && let Ok(lab) = Lab::of(SYSTEMS.of(&path, &[]).expect("a known system").0)
            {
                found.push((path, lab))
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(!found.is_empty());
    found
}

fn smaller(file: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(file).expect("a scenario");
    let line = text.lines().find_map(|line| line.strip_prefix(SMALLER)).unwrap_or("");
    let set = |word: &str| {
        let (key, value) = word.split_once('=').expect("KEY=VALUE");
        (key.to_string(), value.to_string())
    };
    line.split_whitespace().map(set).collect()
}

fn run(lab: &Lab, file: &Path, seed: u64, scheduler: Scheduler) -> SimulatedRun {
    let sheet = lab.read(file, &smaller(file)).unwrap_or_else(|e| panic!("{e:?}"));
    let how = RunOptions { keep_trace: true, check: true, ..RunOptions::by(scheduler) };
    let done = lab.run_once(&sheet, seed, how);
    done.unwrap_or_else(|e| panic!("{}: {e:?}", file.display())).expect("not interrupted")
}

#[test]
fn all_schedulers_give_one_trace() {
    for (file, lab) in scenarios() {
        for seed in SEEDS {
            let first = run(&lab, &file, seed, Scheduler::Sequential);
            let stress = Scheduler::Stress { threads: 2, stress: Stress { seed, planted: None } };
            let all = vec![
                Scheduler::Sequential,
                Scheduler::RollbackCheck { depth: 4 },
                Scheduler::Auto { threads: 2 },
                Scheduler::Conservative { threads: 2 },
                Scheduler::Conservative { threads: 3 },
                Scheduler::Optimistic { threads: 2 },
                stress,
            ];
            for scheduler in drawn(&file, seed, all) {
                let also = run(&lab, &file, seed, scheduler);
                let what = format!("{} from seed {seed}: {scheduler:?}", file.display());
                assert_eq!(first.trace_hash, also.trace_hash, "{what}");
                assert_eq!(first.events, also.events, "{what}");
                assert_eq!(first.reading.metrics, also.reading.metrics, "{what}");
                assert_eq!(first.trace.intervals, also.trace.intervals, "{what}");
                assert_eq!(first.trace.sums, also.trace.sums, "{what}")
            }
        }
    }
}

#[test]
fn runs_give_the_numbers_that_were_read() {
    for (file, lab) in scenarios() {
        let golden = file.with_extension("expected.txt");
        let mut text = String::new();
        for seed in SEEDS {
            describe(&mut text, seed, &run(&lab, &file, seed, Scheduler::Sequential));
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
    let _ = writeln!(text, "  trace_hash {:032x}", done.trace_hash);
    let _ = writeln!(text, "  events {}", done.events);
    for (name, value) in &done.reading.metrics {
        let _ = writeln!(text, "  {name} {value:.6}");
    }
    for held in &done.reading.held {
        let _ = writeln!(text, "  held up by {}: {:.4}", held.holder, held.share);
    }
}
