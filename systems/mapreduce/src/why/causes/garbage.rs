//! Attempts collect garbage: their heap is too small, or too much is kept.
//!
//! # What it looks at
//! `GC_TIME_MILLIS` against the time of attempts, and against their CPU: a process that collects
//! for longer than it got CPU was starved by others, and its heap is not blamed.
//!
//! # The bound
//! The job with attempts shorter by the time that they collected.
//!
//! # What to do
//! A larger heap: `-Xmx` in `mapreduce.map.java.opts` (`mapreduce.reduce.java.opts`), and a
//! container that holds it (`mapreduce.map.memory.mb`, `mapreduce.reduce.memory.mb`). Code that
//! keeps fewer objects.
//!
//! # What would confirm it
//! The attempts' GC logs (`-Xlog:gc` in `mapreduce.map.java.opts`); a run with a larger
//! `mapreduce.map.memory.mb` and `-Xmx`.
use super::super::job::Attempt;
use super::super::verdicts::{Cure, Verdict};
use super::Found;
use super::view::{View, counter, part, s, words};

/// The name of the cause.
const NAME: &str = "GC";

/// Of an attempt's time: from here on it collects much.
const MUCH: f64 = 0.1;

/// Collecting for so many times the process's CPU means that others had the cores.
const STARVED: f64 = 1.5;

const KEYS: [&str; 4] = [
    "mapreduce.map.memory.mb",
    "mapreduce.map.java.opts",
    "mapreduce.reduce.memory.mb",
    "mapreduce.reduce.java.opts",
];

fn collects(a: &Attempt) -> bool {
    let starved = a.number("CPU_MILLISECONDS") > 0.0 && a.gc() > STARVED * a.cpu();
    a.took() > 0.0 && a.gc() >= MUCH * a.took() && !starved
}

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let all: Vec<&Attempt> = view.job.attempts().filter(|a| collects(a)).collect();
    let share = |a: &Attempt| a.gc() / a.took();
    let worst = all.iter().max_by(|a, b| share(a).total_cmp(&share(b)).then(b.name.cmp(&a.name)));
    let Some(worst) = worst else { return Vec::new() };
    let less = |a: &Attempt, work: f64| {
        Some(if collects(a) { work * (1.0 - share(a)).max(0.0) } else { work })
    };
    let (gc, took): (f64, f64) =
        all.iter().fold((0.0, 0.0), |sum, a| (sum.0 + a.gc(), sum.1 + a.took()));
    let (many, ran) = (all.len(), view.job.attempts().filter(|a| a.run.is_some()).count());
    let what =
        format!("{many} of {ran} attempts collect garbage for {} of their time", part(gc / took));
    let mut evidence = vec![counter(
        "GC_TIME_MILLIS",
        format!("{what}; {}: {} of {}", view.task(worst), s(worst.gc()), s(worst.took())),
    )];
    for key in KEYS {
        if let Some(value) = view.job.conf.get(key) {
            evidence.push(words("job conf", format!("{key} = {value}")))
        }
    }
    let key = if worst.kind == "REDUCE" { KEYS[3] } else { KEYS[1] };
    let found = Found {
        cause: NAME,
        logged: false,
        by: format!("garbage collection: {what}"),
        holder: format!("memory of the attempts: {what}"),
        gain: view.gain(&less),
        bound: view.on_path(&less),
        certainty: "high",
        surer: "the attempts' GC logs (-Xlog:gc); a run with a larger heap",
        cure: Cure::new("Give attempts a larger heap (-Xmx), and a container that holds it", key),
        tasks: all.iter().map(|a| a.task).collect(),
        evidence,
    };
    vec![found.verdict(view)]
}
