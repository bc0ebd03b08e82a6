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
use super::rule::{Found, Rule, Takes, counter, timed};
use super::view::View;
use crate::plain::{bytes, count, duration};
use crate::why::stats::middle;
use crate::why::{Attempt, FLOOR_DISK};
use std::collections::BTreeMap;

pub(super) const RULE: Rule = Rule {
    name: "small splits",
    takes: Takes::Runs,
    looks: &[find],
    certainty: "medium",
    confirm: "a run with CombineTextInputFormat",
    cure: (
        "Read many in one map (CombineTextInputFormat, splits of up to a block), or write fewer \
         and larger files",
        "mapreduce.input.fileinputformat.split.maxsize",
    ),
    source: include_str!("small_splits.rs"),
};

/// Fewer maps are no many.
const MANY: usize = 50;

const WAVES: usize = 4;

/// What reads no more reads little \[bytes\].
const LITTLE: f64 = 16e6;

/// What takes no longer is mostly start \[s\].
const SHORT: f64 = 10.0;

/// What a map should read \[bytes\].
const BLOCK: f64 = 128e6;

fn find(view: &View<'_>) -> Option<Found> {
    let maps = view.good("MAP");
    let at_once = view.shape.maps_at_once.max(1);
    let read = |a: &Attempt| a.number("HDFS_BYTES_READ");
    let (size, each) = (middle(maps, read), middle(maps, Attempt::took));
    let little = (1.0..=LITTLE).contains(&size) && each <= SHORT;
    if maps.len() < MANY.max(WAVES * at_once) || !little {
        return None;
    }
    let together = units::usize_of(units::floored_u64(BLOCK / size)).min(maps.len() / at_once);
    let place: BTreeMap<usize, usize> = maps.iter().enumerate().map(|(n, a)| (a.task, n)).collect();
    // Of what is put together the first map stays, and the others add this.
    let combined = |adds: &dyn Fn(&Attempt) -> f64| {
        let added = |chunk: &[&Attempt]| chunk[1..].iter().map(|a| adds(a)).sum();
        let more: Vec<f64> = maps.chunks(together).map(added).collect();
        view.gain(&|a, work| match place.get(&a.task) {
            Some(n) if a.is_ok("MAP") => (n % together == 0).then(|| work + more[n / together]),
            _ => Some(work),
        })
    };
    // Where no CPU is counted, half of its time is a map's work.
    let work = |a: &Attempt| if a.cpu() > 0.0 { a.cpu().min(a.took()) } else { a.took() / 2.0 };
    let what = format!(
        "{} read {} each for {}, in {} waves of {at_once}",
        count(maps.len(), "map"),
        bytes(size),
        duration(each),
        maps.len().div_ceil(at_once)
    );
    let (cpu, sum) = (duration(middle(maps, Attempt::cpu)), bytes(size * together as f64));
    let found = Found::new(
        format!("small splits: {what}"),
        format!("CombineFileInputFormat, fewer files: {what}"),
    )
    .replayed(combined(&work))
    .at_most(combined(&|a| read(a) / FLOOR_DISK))
    .with([
        counter("HDFS_BYTES_READ", what),
        timed(format!("CPU of a map {cpu}; {together} of them together read {sum}")),
    ]);
    Some(found)
}
