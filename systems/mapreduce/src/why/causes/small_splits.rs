//! Many maps read few bytes each: most of their time is their start.
//!
//! # What it looks at
//! The number of maps and of their waves, the bytes that each reads from its store, its time and
//! its CPU time.
//!
//! # The bound
//! The job with maps combined until each reads 128 MB, or until there is one per container. Of
//! combined maps, the first keeps its start, and the others add their CPU time. In the bound they
//! add only the disk time of their bytes.
//!
//! # What to do
//! Combine them with `CombineTextInputFormat`, whose splits have up to
//! `mapreduce.input.fileinputformat.split.maxsize` bytes (a setting in Hive and Pig). Or write
//! fewer and larger files.
//!
//! # What would confirm it
//! A run with `CombineFileInputFormat` (a setting in Hive and Pig), or with fewer and larger files.
//! A small job can run as a whole in its AM (`mapreduce.job.ubertask.enable`).
use super::rule::{Finding, Rule, TimePart, counter, timed};
use super::view::View;
use crate::plain::{bytes, count, duration};
use crate::why::stats::middle;
use crate::why::{Attempt, FLOOR_DISK};
use std::collections::BTreeMap;

pub(super) const RULE: Rule = Rule {
    name: "small splits",
    takes: TimePart::Runs,
    looks: &[find],
    certainty: "medium",
    confirm: "a run with CombineTextInputFormat",
    remedy: (
        "Read many in one map (CombineTextInputFormat, splits of up to a block), or write fewer \
         and larger files",
        "mapreduce.input.fileinputformat.split.maxsize",
    ),
    source: include_str!("small_splits.rs"),
};

/// Minimum number of maps.
const MANY: usize = 50;

const WAVES: usize = 4;

/// Maps with at most this input have small splits \[bytes\].
const LITTLE: f64 = 16e6;

/// Maps up to this time are mostly start \[s\].
const SHORT: f64 = 10.0;

/// Bytes that a map should read.
const BLOCK: f64 = 128e6;

fn find(view: &View<'_>) -> Option<Finding> {
    let maps = view.successful("MAP");
    let at_once = view.shape.maps_at_once.max(1);
    let read = |a: &Attempt| a.number("HDFS_BYTES_READ");
    let (size, each) = (middle(maps, read), middle(maps, Attempt::duration_s));
    let little = (1.0..=LITTLE).contains(&size) && each <= SHORT;
    if maps.len() < MANY.max(WAVES * at_once) || !little {
        return None;
    }
    let together = units::usize_of(units::floored_u64(BLOCK / size)).min(maps.len() / at_once);
    let place: BTreeMap<usize, usize> = maps.iter().enumerate().map(|(n, a)| (a.task, n)).collect();
    // Of combined maps the first stays, and the others add this time to it.
    let combined = |adds: &dyn Fn(&Attempt) -> f64| {
        let added = |chunk: &[&Attempt]| chunk[1..].iter().map(|a| adds(a)).sum();
        let more: Vec<f64> = maps.chunks(together).map(added).collect();
        view.gain(&|a, work| match place.get(&a.task) {
            Some(n) if a.is_ok("MAP") => (n % together == 0).then(|| work + more[n / together]),
            _ => Some(work),
        })
    };
    // Without counted CPU, assume that half of a map's time is work.
    let work = |a: &Attempt| {
        if a.cpu() > 0.0 { a.cpu().min(a.duration_s()) } else { a.duration_s() / 2.0 }
    };
    let what = format!(
        "{} read {} each for {}, in {} waves of {at_once}",
        count(maps.len(), "map"),
        bytes(size),
        duration(each),
        maps.len().div_ceil(at_once)
    );
    let (cpu, sum) = (duration(middle(maps, Attempt::cpu)), bytes(size * together as f64));
    let found = Finding::new(
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
