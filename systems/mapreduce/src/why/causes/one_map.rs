//! One map does the work of all.
//!
//! # What it looks at
//! A job with one map which computes for most of its time (`CPU_MILLISECONDS`), or reads several
//! blocks. Other nodes have nothing to do meanwhile.
//!
//! # The bound
//! Its work dealt out to one map a block of 128 MB, to two where it reads less; the estimate, to
//! two.
//!
//! # What to do
//! Smaller splits (`mapreduce.input.fileinputformat.split.maxsize`), if the format can be split:
//! text, bzip2, SequenceFile, ORC and Parquet can; a `.gz` cannot, nor can one record that spans
//! the file. Then write the input as several files. Input without bytes: `NLineInputFormat`, or
//! more splits of the tool's own (Sqoop's and DistCp's `-m`).
//!
//! # What would confirm it
//! A run with half the size of splits: the map then has two attempts' worth of records.
use super::rule::{Found, Rule, Takes, counter, timed};
use super::view::View;
use crate::plain::{bytes, duration, num, percent, when};

pub(super) const RULE: Rule = Rule {
    name: "one map",
    takes: Takes::Runs,
    looks: &[find],
    certainty: "medium",
    confirm: "a run with half the size of splits",
    cure: (
        "Make splits smaller, if the format can be split (gzip cannot); else write the input as \
         several files",
        "mapreduce.input.fileinputformat.split.maxsize",
    ),
    source: include_str!("one_map.rs"),
};

/// Of its time: who computes for less waits for something else.
const COMPUTES: f64 = 0.5;

/// What a map should read \[bytes\].
const BLOCK: f64 = 128e6;

/// What takes no longer is mostly start \[s\].
const LONG: f64 = 30.0;

fn find(view: &View<'_>) -> Option<Found> {
    let (1, [map]) = (view.job.tasks_of("MAP").count(), view.good("MAP")) else { return None };
    let (took, cpu, read) = (map.took(), map.cpu(), map.number("HDFS_BYTES_READ"));
    let computes = cpu >= COMPUTES * took;
    if took < LONG || !computes && read < 2.0 * BLOCK {
        return None;
    }
    let dealt =
        |to: f64| view.gain(&|a, work| Some(if a.name == map.name { work / to } else { work }));
    let size = when(read > 0.0, || format!("{} in ", bytes(read)));
    let computing =
        when(computes, || format!(", computing for {} of it", percent((cpu / took).min(1.0))));
    let what = format!("{} does it all: {size}{}{computing}", view.task(map), duration(took));
    let records = map.number("MAP_INPUT_RECORDS");
    let rate = format!("{} records, {} of them a second", num(records, 0), num(records / took, 0));
    let got = format!("{} of {}", duration(cpu), duration(took));
    let found = Found::new(
        format!("one map: {what}"),
        format!("smaller splits, if its format can be split, else several files: {what}"),
    )
    .replayed(dealt(2.0))
    .at_most(dealt((read / BLOCK).ceil().max(2.0)))
    .tasks([map.task])
    .with([timed(what)])
    .with((cpu > 0.0).then(|| counter("CPU_MILLISECONDS", got)))
    .with((records > 0.0).then(|| counter("MAP_INPUT_RECORDS", rate)));
    Some(found)
}
