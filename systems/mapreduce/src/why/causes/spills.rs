//! Tasks write their records to disk several times.
//!
//! # What it looks at
//! Maps: `SPILLED_RECORDS` compared with `MAP_OUTPUT_RECORDS`. 1 means that each record is written
//! once. 2 and more mean that the sort buffer was too small and spills were merged. Reduces:
//! compared with `REDUCE_INPUT_RECORDS`. 2 and more mean that copied outputs were merged on disk in
//! several rounds.
//!
//! # The bound
//! The job with maps whose sort and merge (from the last record to the end) takes only the part of
//! a single write. Reduces write and read their bytes once, at an assumed disk rate, during the
//! time in which they do not compute.
//!
//! # What to do
//! Maps: a larger `mapreduce.task.io.sort.mb`, so that one spill holds a map's output. Reduces: a
//! larger `mapreduce.task.io.sort.factor`, more memory (`mapreduce.reduce.memory.mb`), or more
//! reduces.
//!
//! # What would confirm it
//! The attempts' logs ("Finished spill 7", "Merging … segments"), or a run with other settings.
//! Maps: a larger `mapreduce.task.io.sort.mb`. Reduces: a larger `mapreduce.task.io.sort.factor` or
//! `mapreduce.reduce.shuffle.merge.percent`, and more memory.
use super::rule::{Finding, Rule, TimePart, counter, interval, settings};
use super::view::View;
use crate::log::kinds::interval::COMMIT;
use crate::plain::{bytes, duration, num};
use crate::why::stats::{middle, sum};
use crate::why::{Attempt, FLOOR_DISK, Phase, Remedy};

pub(super) const RULE: Rule = Rule {
    name: "spills",
    takes: TimePart::Runs,
    looks: &[maps, reduces],
    certainty: "medium",
    confirm: "a run with a larger sort buffer",
    remedy: ("Give maps a sort buffer that fits their output", BUFFER),
    source: include_str!("spills.rs"),
};

const BUFFER: &str = "mapreduce.task.io.sort.mb";

const FACTOR: &str = "mapreduce.task.io.sort.factor";

/// Minimum writes per record.
const TIMES: f64 = 2.0;

/// Disk writes per record of a task of this kind; 0 for other tasks.
fn times(a: &Attempt, kind: &str, records: &str) -> f64 {
    let records = a.number(records);
    if a.kind == kind && records > 0.0 { a.number("SPILLED_RECORDS") / records } else { 0.0 }
}

/// Tasks with too many writes per record, and their mean number of writes: "2.4".
fn spilling<'j>(view: &View<'j>, kind: &str, records: &str) -> Option<(Vec<&'j Attempt>, String)> {
    let spills = |a: &&&Attempt| times(a, kind, records) >= TIMES;
    let all: Vec<&Attempt> = view.successful(kind).iter().filter(spills).copied().collect();
    let spilled = sum(&all, |a| a.number("SPILLED_RECORDS"));
    let ratio = num(spilled / sum(&all, |a| a.number(records)), 1);
    (!all.is_empty()).then_some((all, ratio))
}

fn maps(view: &View<'_>) -> Option<Finding> {
    let (all, ratio) = spilling(view, "MAP", "MAP_OUTPUT_RECORDS")?;
    let over = |a: &Attempt| {
        let times = times(a, "MAP", "MAP_OUTPUT_RECORDS");
        if times >= TIMES { 1.0 - 1.0 / times } else { 0.0 }
    };
    let sorting = |a: &Attempt| a.phase(COMMIT).map_or(0.0, Phase::length);
    let less = |a: &Attempt, work: f64| Some(work - over(a) * sorting(a).min(work));
    let none = |a: &Attempt, work: f64| Some(work * (1.0 - over(a)).max(0.5));
    let what = format!("maps write each record {ratio} times to disk");
    let merge = format!("they sort and merge for {} each", duration(middle(&all, sorting)));
    let found = Finding::new(format!("spills: {what}"), format!("{BUFFER}: {what}"))
        .replayed(view.gain(&less))
        .at_most(view.gain(&none).max(view.on_path(&less)))
        .tasks(all.iter().map(|a| a.task))
        .with([counter("SPILLED_RECORDS, MAP_OUTPUT_RECORDS", what)])
        .with([interval("mapFinishTime", merge)])
        .with(settings(view, &[BUFFER, FACTOR]));
    Some(found)
}

fn reduces(view: &View<'_>) -> Option<Finding> {
    let (all, ratio) = spilling(view, "REDUCE", "REDUCE_INPUT_RECORDS")?;
    let rounds = |a: &Attempt| times(a, "REDUCE", "REDUCE_INPUT_RECORDS");
    // Each round after the first writes and reads the copied bytes again.
    let moved = |a: &Attempt| 2.0 * (rounds(a) - 1.0) * a.number("REDUCE_SHUFFLE_BYTES");
    let less = |a: &Attempt, work: f64| {
        let good = a.outcome == trace::Outcome::Ok && rounds(a) >= TIMES;
        let waits = (work - a.cpu()).max(0.0) * (1.0 - 1.0 / rounds(a).max(1.0));
        Some(if good { work - (moved(a) / FLOOR_DISK).min(waits) } else { work })
    };
    let most = |a: &Attempt, work: f64| {
        Some(if rounds(a) >= TIMES { a.cpu().min(work).max(work / rounds(a)) } else { work })
    };
    let what = format!("reduces write each record {ratio} times to disk");
    let (more, rate) = (bytes(sum(&all, moved)), bytes(FLOOR_DISK));
    let more = format!("{more} additional writes and reads, at {rate}/s assumed");
    let remedy =
        "Merge more segments at once; give reduces more memory, or let them use more of it";
    let holder = format!("{FACTOR} and the reduces' memory: {what}");
    let found = Finding::new(format!("spills: {what}"), holder)
        .replayed(view.gain(&less))
        .at_most(view.gain(&most))
        .confirm("node curves (sadf -j, or tenbin monitor): the disks while reduces merge")
        .remedy(Remedy::new(remedy, FACTOR))
        .tasks(all.iter().map(|a| a.task))
        .with([counter("SPILLED_RECORDS, REDUCE_INPUT_RECORDS", what)])
        .with([counter("REDUCE_SHUFFLE_BYTES", more)])
        .with(settings(view, &[FACTOR]));
    Some(found)
}
