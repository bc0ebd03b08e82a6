//! Attempts spend much time on garbage collection: their heap is too small, or they keep too many
//! objects.
//!
//! # What it looks at
//! `GC_TIME_MILLIS` compared with the time of attempts, and with their CPU time. A process with
//! more GC time than CPU time was starved by others; its heap is not blamed.
//!
//! # The bound
//! The job with attempts shortened by their GC time.
//!
//! # What to do
//! A larger heap: `-Xmx` in `mapreduce.map.java.opts` (`mapreduce.reduce.java.opts`), with a
//! container of sufficient size (`mapreduce.map.memory.mb`, `mapreduce.reduce.memory.mb`). Or code
//! that keeps fewer objects.
//!
//! # What would confirm it
//! The attempts' GC logs (`-Xlog:gc` in `mapreduce.map.java.opts`), or a run with a larger
//! `mapreduce.map.memory.mb` and `-Xmx`.
use super::rule::{Finding, Rule, TimePart, counter, settings};
use super::view::View;
use crate::plain::{duration, percent};
use crate::why::stats::sum;
use crate::why::{Attempt, Remedy};

pub(super) const RULE: Rule = Rule {
    name: "GC",
    takes: TimePart::Runs,
    looks: &[find],
    certainty: "high",
    confirm: "the attempts' GC logs (-Xlog:gc); a run with a larger heap",
    remedy: ("Give attempts a larger heap (-Xmx), and a container that fits it", KEYS[1]),
    source: include_str!("garbage.rs"),
};

/// Fraction of an attempt's time from which GC counts.
const MUCH: f64 = 0.1;

/// GC time over CPU time above which others had the cores.
const STARVED: f64 = 1.5;

const KEYS: [&str; 4] = [
    "mapreduce.map.memory.mb",
    "mapreduce.map.java.opts",
    "mapreduce.reduce.memory.mb",
    "mapreduce.reduce.java.opts",
];

fn collects(a: &Attempt) -> bool {
    let starved = a.number("CPU_MILLISECONDS") > 0.0 && a.gc() > STARVED * a.cpu();
    a.duration_s() > 0.0 && a.gc() >= MUCH * a.duration_s() && !starved
}

fn find(view: &View<'_>) -> Option<Finding> {
    let all: Vec<&Attempt> = view.job.attempts().filter(|a| collects(a)).collect();
    let share = |a: &Attempt| a.gc() / a.duration_s();
    let worst =
        all.iter().max_by(|a, b| share(a).total_cmp(&share(b)).then(b.name.cmp(&a.name)))?;
    let less = |a: &Attempt, work: f64| {
        Some(if collects(a) { work * (1.0 - share(a)).max(0.0) } else { work })
    };
    let (many, ran) = (all.len(), view.job.attempts().filter(|a| a.run.is_some()).count());
    let of_all = percent(sum(&all, Attempt::gc) / sum(&all, Attempt::duration_s));
    let what = format!("{many} of {ran} attempts collect garbage for {of_all} of their time");
    let (gc, took) = (duration(worst.gc()), duration(worst.duration_s()));
    let says = format!("{what}; {}: {gc} of {took}", view.task(worst));
    let found = Finding::new(
        format!("garbage collection: {what}"),
        format!("memory of the attempts: {what}"),
    )
    .without(view, &less)
    .tasks(all.iter().map(|a| a.task))
    .with([counter("GC_TIME_MILLIS", says)])
    .with(settings(view, &KEYS));
    Some(match worst.kind == "REDUCE" {
        true => found.remedy(Remedy::new(RULE.remedy.0, KEYS[3])),
        false => found,
    })
}
