//! Maps write their records to disk more than once.
//!
//! # What it looks at
//! `SPILLED_RECORDS` against `MAP_OUTPUT_RECORDS`: 1 where each record is written once, 2 and more
//! where the sort buffer was too small and spills were merged.
//!
//! # The bound
//! The job with maps that sort and merge (from the last record to the end) only for the part that
//! one writing needs.
//!
//! # What would confirm it
//! The attempts' logs ("Finished spill 7"); a run with a larger `mapreduce.task.io.sort.mb`.
use super::super::job::Attempt;
use super::super::verdicts::Verdict;
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

/// Finds it.
pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let all: Vec<&Attempt> = view.good("MAP").into_iter().filter(|a| times(a) >= TIMES).collect();
    if all.is_empty() {
        return Vec::new();
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
        surer: "",
        tasks: all.iter().map(|a| a.task).collect(),
        evidence,
    };
    vec![found.verdict(view)]
}
