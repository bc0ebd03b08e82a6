//! The application master (AM) took long to start.
//!
//! # What it looks at
//! The time from submission to the first task request, in the parts that the history has: until the
//! AM's start (its container), until the job was initialised, until the request. A late container
//! is `queue wait`.
//!
//! # The bound
//! That time. The estimate subtracts 6 s, which every job needs. A short job is mostly start.
//!
//! # What to do
//! Run a small job as a whole in its AM (`mapreduce.job.ubertask.enable`). Else put fewer and
//! smaller files into the distributed cache (`mapreduce.job.cache.files`, the job's jar), or make
//! fewer splits.
//!
//! # What would confirm it
//! The ResourceManager's log splits the wait for the container. "Uber" jobs have no such wait.
use super::queue_wait;
use super::rule::{Finding, Rule, TimePart, interval, steps};
use super::view::View;
use crate::plain::duration;
use crate::why::{Phase, StepKind};

pub(super) const RULE: Rule = Rule {
    name: "AM start",
    takes: TimePart::Between,
    looks: &[find],
    certainty: "high",
    confirm: "the application master's log: its work until the first request",
    remedy: (
        "Run a small job completely in its master; for a large one localise fewer and smaller \
         files, and make fewer splits",
        "mapreduce.job.ubertask.enable",
    ),
    source: include_str!("am_start.rs"),
};

/// Every job needs this for the AM's container, its JVM and the job's setup \[s\].
const USUAL: f64 = 6.0;

fn find(view: &View<'_>) -> Option<Finding> {
    let (steps, evidence) = steps(view, StepKind::AmStart);
    let bound = (steps - queue_wait::queue_time(view)).max(0.0);
    let is_part = |wait: &&Phase| wait.kind.starts_with("am-") && wait.kind != "am-start";
    let part = |wait: &Phase| {
        let part = match wait.kind.as_str() {
            "am-container" => "submission to the master's start",
            "am-init" => "until the job was ready",
            _ => "until the first request",
        };
        interval("history", format!("{part}: {}", duration(wait.length())))
    };
    let found = match view.job.in_slots {
        true => Finding::new("its submission", "the JobTracker, until the first task"),
        false => Finding::new(
            "the start of its application master",
            "the application master's container and its start",
        ),
    };
    let found = found.logged((bound - USUAL).max(0.0)).at_most(bound);
    Some(found.with(evidence).with(view.job.waits.iter().filter(is_part).map(part)))
}
