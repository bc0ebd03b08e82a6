//! Tasks write their records to disk more than once.
//!
//! # What it looks at
//! Of maps `SPILLED_RECORDS` against `MAP_OUTPUT_RECORDS`: 1 where each record is written once, 2
//! and more where the sort buffer was too small and spills were merged. Of reduces the same against
//! `REDUCE_INPUT_RECORDS`: 2 and more where what was copied was merged on disk in several rounds.
//!
//! # The bound
//! The job with maps that sort and merge (from the last record to the end) only for the part that
//! one writing needs; with reduces whose bytes are written and read once, at the rate assumed of a
//! disk, as long as they do not compute meanwhile.
//!
//! # What to do
//! Maps: a larger `mapreduce.task.io.sort.mb`, so that one spill holds a map's output. Reduces: a
//! larger `mapreduce.task.io.sort.factor`, more memory (`mapreduce.reduce.memory.mb`), or more
//! reduces.
//!
//! # What would confirm it
//! The attempts' logs ("Finished spill 7", "Merging … segments"); a run with a larger
//! `mapreduce.task.io.sort.mb` (maps), `mapreduce.task.io.sort.factor` or
//! `mapreduce.reduce.shuffle.merge.percent` and more memory (reduces).
use super::super::job::Attempt;
use super::super::verdicts::{Cure, FLOOR_DISK, Verdict, plain};
use super::Found;
use super::view::{View, counter, s, words};
use crate::log::kinds;
use page::words::num;

/// The name of the cause.
const NAME: &str = "spills";

/// Writes a record from here on are too many.
const TIMES: f64 = 2.0;

fn times(a: &Attempt) -> f64 {
    let written = a.number("MAP_OUTPUT_RECORDS");
    if a.kind == "MAP" && written > 0.0 { a.number("SPILLED_RECORDS") / written } else { 0.0 }
}

fn sorting(a: &Attempt) -> f64 {
    a.phase(kinds::interval::COMMIT).map_or(0.0, super::super::job::Phase::length)
}

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    maps(view).into_iter().chain(reduces(view)).collect()
}

fn maps(view: &View<'_>) -> Option<Verdict> {
    let all: Vec<&Attempt> = view.good("MAP").into_iter().filter(|a| times(a) >= TIMES).collect();
    if all.is_empty() {
        return None;
    }
    let less = |a: &Attempt, work: f64| {
        let over = if times(a) >= TIMES { 1.0 - 1.0 / times(a) } else { 0.0 };
        Some(work - over * sorting(a).min(work))
    };
    let none = |a: &Attempt, work: f64| {
        let over = if times(a) >= TIMES { 1.0 - 1.0 / times(a) } else { 0.0 };
        Some(work * (1.0 - over).max(0.5))
    };
    let spilled: f64 = all.iter().map(|a| a.number("SPILLED_RECORDS")).sum();
    let written: f64 = all.iter().map(|a| a.number("MAP_OUTPUT_RECORDS")).sum();
    let ratio = num(spilled / written, 1);
    let what = format!("maps write each record {ratio} times to disk");
    let mut evidence = vec![
        counter("SPILLED_RECORDS, MAP_OUTPUT_RECORDS", what.clone()),
        super::view::interval(
            "mapFinishTime",
            format!("they sort and merge for {} each", s(super::view::middle(&all, sorting))),
        ),
    ];
    for key in ["mapreduce.task.io.sort.mb", "mapreduce.task.io.sort.factor"] {
        if let Some(value) = view.job.conf.get(key) {
            evidence.push(words("job conf", format!("{key} = {value}")))
        }
    }
    let found = Found {
        cause: NAME,
        logged: false,
        by: format!("spills: {what}"),
        holder: format!("mapreduce.task.io.sort.mb: {what}"),
        gain: view.gain(&less),
        bound: view.gain(&none).max(view.on_path(&less)),
        certainty: "medium",
        surer: "a run with a larger sort buffer",
        cure: Cure::new(
            "Give maps a sort buffer that holds their output",
            "mapreduce.task.io.sort.mb",
        ),
        tasks: all.iter().map(|a| a.task).collect(),
        evidence,
    };
    Some(found.verdict(view))
}

/// So often a reduce writes its records to disk.
fn rounds(a: &Attempt) -> f64 {
    let read = a.number("REDUCE_INPUT_RECORDS");
    if a.kind == "REDUCE" && read > 0.0 { a.number("SPILLED_RECORDS") / read } else { 0.0 }
}

fn reduces(view: &View<'_>) -> Option<Verdict> {
    let good = view.good("REDUCE");
    let all: Vec<&Attempt> = good.into_iter().filter(|a| rounds(a) >= TIMES).collect();
    if all.is_empty() {
        return None;
    }
    // Each round but the first writes what was copied and reads it.
    let moved = |a: &Attempt| 2.0 * (rounds(a) - 1.0) * a.number("REDUCE_SHUFFLE_BYTES");
    let less = |a: &Attempt, work: f64| {
        let good = a.outcome == trace::Outcome::Ok && rounds(a) >= TIMES;
        let waits = (work - a.cpu()).max(0.0) * (1.0 - 1.0 / rounds(a).max(1.0));
        Some(if good { work - (moved(a) / FLOOR_DISK).min(waits) } else { work })
    };
    let most = |a: &Attempt, work: f64| {
        Some(if rounds(a) >= TIMES { a.cpu().min(work).max(work / rounds(a)) } else { work })
    };
    let sum = |of: &dyn Fn(&Attempt) -> f64| all.iter().map(|a| of(a)).sum::<f64>();
    let read = sum(&|a| a.number("REDUCE_INPUT_RECORDS"));
    let ratio = num(sum(&|a| a.number("SPILLED_RECORDS")) / read, 1);
    let what = format!("reduces write each record {ratio} times to disk");
    let bytes = plain(page::words::bytes(sum(&moved)));
    let rate = plain(page::words::bytes(FLOOR_DISK));
    let mut evidence = vec![
        counter("SPILLED_RECORDS, REDUCE_INPUT_RECORDS", what.clone()),
        counter(
            "REDUCE_SHUFFLE_BYTES",
            format!("{bytes} more are written and read than once, at {rate}/s assumed"),
        ),
    ];
    let key = "mapreduce.task.io.sort.factor";
    evidence.extend(view.job.conf.get(key).map(|set| words("job conf", format!("{key} = {set}"))));
    let found = Found {
        cause: NAME,
        logged: false,
        by: format!("spills: {what}"),
        holder: format!("{key} and the reduces' memory: {what}"),
        gain: view.gain(&less),
        bound: view.gain(&most),
        certainty: "medium",
        cure: Cure::new(
            "Merge more segments at once; give reduces more memory, or take more of them",
            key,
        ),
        surer: "node curves (sadf -j, or tenbin monitor): the disks while reduces merge",
        tasks: all.iter().map(|a| a.task).collect(),
        evidence,
    };
    Some(found.verdict(view))
}
