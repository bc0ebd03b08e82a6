//! One map does the work of the whole job.
//!
//! # What it looks at
//! A job with one map, which computes for most of its time (`CPU_MILLISECONDS`) or reads several
//! blocks. Other nodes are idle meanwhile.
//!
//! # The bound
//! Its work spread over one map per block of 128 MB, at least over two. The estimate spreads it
//! over two.
//!
//! # What to do
//! Smaller splits (`mapreduce.input.fileinputformat.split.maxsize`), if the format can be split:
//! text, bzip2, SequenceFile, ORC and Parquet can. A `.gz` file and a record as long as the file
//! cannot: write the input as several files. For input without bytes: `NLineInputFormat`, or more
//! splits by the tool's own option (`-m` of Sqoop and DistCp).
//!
//! # What would confirm it
//! A run with half the split size: two maps then share the records.
use super::rule::{Finding, Rule, TimePart, counter, timed};
use super::view::View;
use crate::plain::{bytes, duration, num, percent, when};

pub(super) const RULE: Rule = Rule {
    name: "one map",
    takes: TimePart::Runs,
    looks: &[find],
    certainty: "medium",
    confirm: "a run with half the size of splits",
    remedy: (
        "Make splits smaller, if the format allows splits (gzip does not); else write the input as \
         several files",
        "mapreduce.input.fileinputformat.split.maxsize",
    ),
    source: include_str!("one_map.rs"),
};

/// Fraction of the time: a map that computes for less waits for something else.
const COMPUTES: f64 = 0.5;

/// Bytes that a map should read.
const BLOCK: f64 = 128e6;

/// Minimum time \[s\]: shorter maps are mostly start.
const LONG: f64 = 30.0;

fn find(view: &View<'_>) -> Option<Finding> {
    let (1, [map]) = (view.job.tasks_of("MAP").count(), view.successful("MAP")) else {
        return None;
    };
    let (took, cpu, read) = (map.duration_s(), map.cpu(), map.number("HDFS_BYTES_READ"));
    let computes = cpu >= COMPUTES * took;
    if took < LONG || !computes && read < 2.0 * BLOCK {
        return None;
    }
    let gain_of =
        |to: f64| view.gain(&|a, work| Some(if a.name == map.name { work / to } else { work }));
    let size = when(read > 0.0, || format!("{} in ", bytes(read)));
    let computing =
        when(computes, || format!(", computing for {} of it", percent((cpu / took).min(1.0))));
    let what = format!("{} does all the work: {size}{}{computing}", view.task(map), duration(took));
    let records = map.number("MAP_INPUT_RECORDS");
    let rate = format!("{} records, {} of them a second", num(records, 0), num(records / took, 0));
    let got = format!("{} of {}", duration(cpu), duration(took));
    let found = Finding::new(
        format!("one map: {what}"),
        format!("smaller splits, if its format can be split, else several files: {what}"),
    )
    .replayed(gain_of(2.0))
    .at_most(gain_of((read / BLOCK).ceil().max(2.0)))
    .tasks([map.task])
    .with([timed(what)])
    .with((cpu > 0.0).then(|| counter("CPU_MILLISECONDS", got)))
    .with((records > 0.0).then(|| counter("MAP_INPUT_RECORDS", rate)));
    Some(found)
}
