//! Outputs of finished maps could not be fetched, so the maps ran again.
//!
//! # What it looks at
//! Maps that had succeeded and were rejected with "Too many fetch failures". When the last map
//! ended, before and after that.
//!
//! # The bound
//! From the end of the last map, if none had run again, to the end of the last one that did.
//! Reduces copy for the same time in both cases.
//!
//! # What to do
//! Check that host's NodeManager (its ShuffleHandler) and local disks. Reduces detect the failure
//! sooner with a shorter `mapreduce.reduce.shuffle.connect.timeout` and
//! `mapreduce.reduce.shuffle.read.timeout` (3 min each).
//!
//! # What would confirm it
//! Reducer logs (`fetcher#… failed to connect`), and the NodeManager's log of the host with the
//! outputs (its ShuffleHandler, its local disks). `mapreduce.reduce.shuffle.connect.timeout` and
//! `mapreduce.reduce.shuffle.read.timeout` set how long a fetch waits before it fails.
use super::rule::{Finding, Rule, TimePart, errors, timed};
use super::view::View;
use crate::log::kinds::interval::HELD;
use crate::plain::{count, duration};
use crate::why::stats::grouped;
use crate::why::{Attempt, Task};
use std::collections::BTreeSet;
use trace::Outcome;

pub(super) const RULE: Rule = Rule {
    name: "lost map outputs",
    takes: TimePart::Between,
    looks: &[find],
    certainty: "high",
    confirm: "the reducers' logs (--syslog): which fetches failed, and for how long",
    remedy: (
        "Check the NodeManager and the local disks of that host; let fetches give up sooner",
        "mapreduce.reduce.shuffle.read.timeout",
    ),
    source: include_str!("lost_outputs.rs"),
};

/// The map ran again because reduces could not fetch its output.
pub(super) fn is_output_lost(a: &Attempt) -> bool {
    let says = ["fetch failure", "fetch-failure"];
    a.kind == "MAP" && a.outcome != Outcome::Ok && a.error_says(&says)
}

/// When a map first succeeded, even if its output was lost later.
fn done(task: &Task) -> Option<f64> {
    let was = |a: &&Attempt| a.outcome == Outcome::Ok || a.phase(HELD).is_some();
    let ends = task.attempts.iter().filter(was).filter_map(|a| a.run).map(|run| run.1);
    ends.reduce(f64::min)
}

fn find(view: &View<'_>) -> Option<Finding> {
    let job = view.job;
    let all: Vec<&Attempt> = job.attempts().filter(|a| is_output_lost(a)).collect();
    if all.is_empty() {
        return None;
    }
    let before = job.tasks_of("MAP").filter_map(done).fold(job.begun, f64::max);
    let hosts = grouped(all.iter().copied(), |a| (!a.host.is_empty()).then_some(&a.host));
    let of = match (hosts.len(), hosts.keys().next()) {
        (0, _) | (_, None) => String::new(),
        (1, Some(host)) => format!(" from {host}"),
        (n, _) => format!(" from {}", count(n, "host")),
    };
    let tasks: BTreeSet<usize> = all.iter().map(|a| a.task).collect();
    let many = count(tasks.len(), "map");
    let what = format!("{many} ran again since reduces could not fetch their outputs{of}");
    let named = hosts.iter().map(|(host, of)| format!("{host}: {}", of.len())).take(8);
    let says = format!(
        "all maps were done at {}, those that ran again at {}; outputs were on {}",
        duration(before - job.begun),
        duration(view.shape.last_map - job.begun),
        named.collect::<Vec<_>>().join(", ")
    );
    let found = Finding::new(format!("lost map outputs: {what}"), what)
        .logged((view.shape.last_map - before).max(0.0))
        .tasks(tasks)
        .with(errors(&all, 2))
        .with([timed(says)]);
    Some(found)
}
