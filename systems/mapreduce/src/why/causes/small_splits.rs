//! Many maps read little each: what they take is mostly their start.
//!
//! # What it looks at
//! How many maps there are, in how many waves, how many bytes each reads of its store, how long it
//! takes and how much CPU it gets.
//!
//! # The bound
//! The job with maps put together until each reads 128 MB, or until there is one for each
//! container: of what is put together, the first map starts, the others add their CPU. At most they
//! add what their bytes need of a disk.
//!
//! # What to do
//! Combine them: `CombineTextInputFormat`, whose splits have up to
//! `mapreduce.input.fileinputformat.split.maxsize` bytes (in Hive and Pig it is a setting); fewer
//! and larger files.
//!
//! # What would confirm it
//! A run with `CombineFileInputFormat` (in Hive and Pig it is a setting), or fewer and larger
//! files; a small job as a whole in its master (`mapreduce.job.ubertask.enable`).
use super::super::job::Attempt;
use super::super::verdicts::{Cure, FLOOR_DISK, Verdict, plain};
use super::Found;
use super::view::{View, count, counter, interval, middle, s};
use page::words::bytes;
use std::collections::BTreeMap;

/// The name of the cause.
const NAME: &str = "small splits";

/// Fewer maps are no many.
const MANY: usize = 50;

const WAVES: usize = 4;

/// What reads no more reads little \[bytes\].
const LITTLE: f64 = 16e6;

/// What takes no longer is mostly start \[s\].
const SHORT: f64 = 10.0;

/// What a map should read \[bytes\].
const BLOCK: f64 = 128e6;

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let maps = view.good("MAP");
    let at_once = view.shape.maps_at_once.max(1);
    let read = |a: &Attempt| a.number("HDFS_BYTES_READ");
    let (size, each) = (middle(&maps, read), middle(&maps, Attempt::took));
    let little = (1.0..=LITTLE).contains(&size) && each <= SHORT;
    if maps.len() < MANY.max(WAVES * at_once) || !little {
        return Vec::new();
    }
    let together = units::usize_of(units::floored_u64(BLOCK / size)).min(maps.len() / at_once);
    let place: BTreeMap<usize, usize> = maps.iter().enumerate().map(|(n, a)| (a.task, n)).collect();
    let added = |of: &dyn Fn(&Attempt) -> f64| -> Vec<f64> {
        maps.chunks(together).map(|chunk| chunk[1..].iter().map(|a| of(a)).sum()).collect()
    };
    // Where no CPU is counted, half of its time is a map's work.
    let work = |a: &Attempt| if a.cpu() > 0.0 { a.cpu().min(a.took()) } else { a.took() / 2.0 };
    let (cpu, floor) = (added(&work), added(&|a| read(a) / FLOOR_DISK));
    let combined = |more: &[f64], a: &Attempt, work: f64| match place.get(&a.task) {
        Some(n) if a.kind == "MAP" && a.outcome == trace::Outcome::Ok => {
            (n % together == 0).then(|| work + more[n / together])
        }
        _ => Some(work),
    };
    let waves = maps.len().div_ceil(at_once);
    let what = format!(
        "{} read {} each for {}, in {waves} waves of {at_once}",
        count(maps.len(), "map"),
        plain(bytes(size)),
        s(each)
    );
    let found = Found {
        cause: NAME,
        logged: false,
        by: format!("small splits: {what}"),
        holder: format!("CombineFileInputFormat, fewer files: {what}"),
        gain: view.gain(&|a, work| combined(&cpu, a, work)),
        bound: view.gain(&|a, work| combined(&floor, a, work)),
        certainty: "medium",
        surer: "a run with CombineTextInputFormat",
        cure: Cure::new(
            "Read many in one map (CombineTextInputFormat, splits of up to a block), or write \
             fewer and larger files",
            "mapreduce.input.fileinputformat.split.maxsize",
        ),
        tasks: Vec::new(),
        evidence: vec![
            counter("HDFS_BYTES_READ", what.clone()),
            interval(
                "starts and ends of attempts",
                format!(
                    "CPU of a map {}; {together} of them together read {}",
                    s(middle(&maps, Attempt::cpu)),
                    plain(bytes(size * together as f64))
                ),
            ),
        ],
    };
    vec![found.verdict(view)]
}
