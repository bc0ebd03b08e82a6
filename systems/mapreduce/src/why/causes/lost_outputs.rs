//! Outputs of maps that were done could not be fetched, so that the maps ran again.
//!
//! # What it looks at
//! Maps that had succeeded and were given up with "Too many fetch failures", and when the last map
//! was done before and after.
//!
//! # The bound
//! From the end of the last map, had none run again, to the end of the last that did. Reduces copy
//! for as long again with and without.
//!
//! # What to do
//! Look at that host's NodeManager (its ShuffleHandler) and local disks. Reduces give up sooner
//! with a shorter `mapreduce.reduce.shuffle.connect.timeout` and
//! `mapreduce.reduce.shuffle.read.timeout` (3 min each).
//!
//! # What would confirm it
//! Reducers' logs (`fetcher#… failed to connect`), the NodeManager's log of the host that had the
//! outputs (its ShuffleHandler, its local disks); `mapreduce.reduce.shuffle.connect.timeout` and
//! `mapreduce.reduce.shuffle.read.timeout` say how long a fetch waits before it fails.
use super::super::job::{Attempt, Task};
use super::super::verdicts::{Cure, Verdict};
use super::Found;
use super::view::{View, count, interval, s, words};
use crate::log::kinds;
use std::collections::{BTreeMap, BTreeSet};
use trace::Outcome;

/// The name of the cause.
const NAME: &str = "lost map outputs";

/// Whether a map was given up since nobody could fetch its output.
pub(super) fn lost(a: &Attempt) -> bool {
    let text = a.error.to_lowercase().replace('-', " ");
    a.kind == "MAP" && a.outcome != Outcome::Ok && text.contains("fetch failure")
}

/// When a map was first done.
fn done(task: &Task) -> Option<f64> {
    let was = |a: &&Attempt| a.outcome == Outcome::Ok || a.phase(kinds::interval::HELD).is_some();
    let ends = task.attempts.iter().filter(was).filter_map(|a| a.run).map(|run| run.1);
    ends.reduce(f64::min)
}

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let job = view.job;
    let all: Vec<&Attempt> = job.attempts().filter(|a| lost(a)).collect();
    if all.is_empty() {
        return Vec::new();
    }
    let maps = job.tasks.iter().filter(|task| task.kind == "MAP");
    let before = maps.filter_map(done).fold(job.begun, f64::max);
    let gain = (view.shape.last_map - before).max(0.0);
    let mut hosts: BTreeMap<&str, usize> = BTreeMap::new();
    for a in all.iter().filter(|a| !a.host.is_empty()) {
        *hosts.entry(&a.host).or_default() += 1
    }
    let of = match (hosts.len(), hosts.keys().next()) {
        (0, _) | (_, None) => String::new(),
        (1, Some(host)) => format!(" from {host}"),
        (n, _) => format!(" from {}", count(n, "host")),
    };
    let tasks: BTreeSet<usize> = all.iter().map(|a| a.task).collect();
    let what = format!(
        "{} ran again since reduces could not fetch their outputs{of}",
        count(tasks.len(), "map")
    );
    let named: Vec<String> = hosts.iter().map(|(host, n)| format!("{host}: {n}")).take(8).collect();
    let mut evidence: Vec<_> =
        all.iter().take(2).map(|a| words("error", format!("{}: {}", a.name, a.error))).collect();
    evidence.push(interval(
        "starts and ends of attempts",
        format!(
            "all maps were done at {}, those that ran again at {}; outputs lay on {}",
            s(before - job.begun),
            s(view.shape.last_map - job.begun),
            named.join(", ")
        ),
    ));
    let found = Found {
        cause: NAME,
        logged: true,
        by: format!("lost map outputs: {what}"),
        holder: what,
        gain,
        bound: gain,
        certainty: "high",
        cure: Cure::new(
            "Look at the NodeManager and the local disks of that host; let fetches give up sooner",
            "mapreduce.reduce.shuffle.read.timeout",
        ),
        surer: "the reducers' logs (--syslog): which fetches failed, and for how long",
        tasks: tasks.into_iter().collect(),
        evidence,
    };
    vec![found.verdict(view)]
}
