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
use super::super::job::Attempt;
use super::super::verdicts::{Cure, Verdict, plain};
use super::Found;
use super::view::{View, counter, interval, part, s};
use page::words::{bytes, num};

/// The name of the cause.
const NAME: &str = "one map";

/// Of its time: who computes for less waits for something else.
const COMPUTES: f64 = 0.5;

/// What a map should read \[bytes\].
const BLOCK: f64 = 128e6;

/// What takes no longer is mostly start \[s\].
const LONG: f64 = 30.0;

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let maps = view.job.tasks.iter().filter(|task| task.kind == "MAP").count();
    let good = view.good("MAP");
    let (1, [map]) = (maps, good.as_slice()) else { return Vec::new() };
    let read = map.number("HDFS_BYTES_READ");
    let computes = map.cpu() >= COMPUTES * map.took();
    if map.took() < LONG || !computes && read < 2.0 * BLOCK {
        return Vec::new();
    }
    let dealt = |to: f64| {
        move |a: &Attempt, work: f64| Some(if a.name == map.name { work / to } else { work })
    };
    let size = if read > 0.0 { format!("{} in ", plain(bytes(read))) } else { String::new() };
    let cpu = match computes {
        true => format!(", computing for {} of it", part((map.cpu() / map.took()).min(1.0))),
        false => String::new(),
    };
    let what = format!("{} does it all: {size}{}{cpu}", view.task(map), s(map.took()));
    let mut evidence = vec![interval("starts and ends of attempts", what.clone())];
    if map.cpu() > 0.0 {
        evidence.push(counter("CPU_MILLISECONDS", format!("{} of {}", s(map.cpu()), s(map.took()))))
    }
    let records = map.number("MAP_INPUT_RECORDS");
    if records > 0.0 {
        let says = format!(
            "{} records, {} of them a second",
            plain(num(records, 0)),
            plain(num(records / map.took(), 0))
        );
        evidence.push(counter("MAP_INPUT_RECORDS", says))
    }
    let most = (read / BLOCK).ceil().max(2.0);
    let found = Found {
        cause: NAME,
        by: format!("one map: {what}"),
        holder: format!("smaller splits, if its format can be split, else several files: {what}"),
        gain: view.gain(&dealt(2.0)),
        bound: view.gain(&dealt(most)),
        certainty: "medium",
        surer: "a run with half the size of splits",
        cure: Cure::new(
            "Make splits smaller, if the format can be split (gzip cannot); else write the input \
             as several files",
            "mapreduce.input.fileinputformat.split.maxsize",
        ),
        tasks: vec![map.task],
        evidence,
        ..Found::default()
    };
    vec![found.verdict(view)]
}
