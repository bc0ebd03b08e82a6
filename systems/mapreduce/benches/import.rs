//! How fast histories are read: at least 50 MB/s on a core, in both forms; the list of a folder of
//! 10 000 jobs in 2 s.
use mapreduce::import::history::Job;
use mapreduce::import::{index, jhist};
use std::fs;
use std::path::{Path, PathBuf};
use system::clock::now;

/// Required rate \[bytes/s\].
const LEAST: f64 = 50e6;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [root.join("tests/data"), root.join("../../examples/terasort")];
    let jobs = index::list(&folders).expect("samples are there").jobs;
    let mut missed = false;
    for (name, first) in [("binary", b"Avro-Bin"), ("JSON", b"Avro-Jso")] {
        let of = |path: &PathBuf| fs::read(path).expect("a sample can be read");
        let files = jobs.iter().map(|job| of(&job.path)).filter(|f| f.starts_with(first));
        let rate = rate(&files.collect::<Vec<_>>());
        missed |= rate < LEAST;
        println!("{name}: {:.0} MB/s (at least {:.0})", rate / 1e6, LEAST / 1e6)
    }
    let listed = listed();
    missed |= listed > 2.0;
    println!("list of 10 000 jobs: {listed:.2} s (at most 2)");
    assert!(!missed, "a bound is missed")
}

/// Bytes a second over a second or more.
fn rate(files: &[Vec<u8>]) -> f64 {
    let (start, mut bytes) = (now(), 0);
    while start.elapsed().as_secs_f64() < 1.0 {
        for file in files {
            let mut job = Job::default();
            let problems = jhist::read(file.as_slice(), |kind, event| job.add(kind, event));
            assert!(problems.is_ok_and(|none| none.is_empty()) && !job.attempts.is_empty());
            bytes += file.len()
        }
    }
    bytes as f64 / start.elapsed().as_secs_f64()
}

/// Seconds that the names of 10 000 files take.
fn listed() -> f64 {
    let dir = std::env::temp_dir().join(format!("tenbin-bench-list-{}", std::process::id()));
    fs::create_dir_all(&dir).expect("a folder of one's own");
    for at in 0..10_000 {
        let name = format!("job_1_{at:05}-1-u-n-2-3-4-SUCCEEDED-q-1.jhist");
        fs::File::create(dir.join(name)).expect("a file in it");
    }
    let start = now();
    let jobs = index::list(std::slice::from_ref(&dir)).expect("it can be listed").jobs.len();
    let took = start.elapsed().as_secs_f64();
    fs::remove_dir_all(&dir).expect("it is ours");
    assert_eq!(jobs, 10_000);
    took
}
