//! The application master started for long.
//!
//! # What it looks at
//! Submission to the first request of a task, in the parts that the history has: until the
//! master's start (its container), until the job was ready, until it asked. A container that came
//! late is `queue wait`.
//!
//! # The bound
//! That time; the estimate leaves 6 s of it, which every job takes. A short job is mostly start.
//!
//! # What to do
//! A small job runs as a whole in its master (`mapreduce.job.ubertask.enable`). Else fewer and
//! smaller files in the distributed cache (`mapreduce.job.cache.files`, the job's jar), fewer
//! splits.
//!
//! # What would confirm it
//! The ResourceManager's log splits the wait for the container; "uber" jobs have none.
use super::super::path::Is;
use super::super::verdicts::{Cure, Verdict};
use super::view::{View, interval, s};
use super::{Found, queue_wait};

/// What a master's container, its JVM and the job's set-up take of every job \[s\].
const USUAL: f64 = 6.0;

/// The name of the cause.
const NAME: &str = "AM start";

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let (steps, mut evidence) = view.steps(&[Is::AmStart]);
    let bound = (steps - queue_wait::waited(view)).max(0.0);
    for wait in view.job.waits.iter().filter(|w| w.kind.starts_with("am-") && w.kind != "am-start")
    {
        let part = match wait.kind.as_str() {
            "am-container" => "submission to the master's start",
            "am-init" => "until the job was ready",
            _ => "until the first request",
        };
        evidence.push(interval("history", format!("{part}: {}", s(wait.length()))))
    }
    let (by, holder) = match view.job.in_slots {
        true => ("its submission", "the JobTracker, until it gave out the first task"),
        false => (
            "the start of its application master",
            "the application master's container and its start",
        ),
    };
    let found = Found {
        cause: NAME,
        by: by.into(),
        holder: holder.into(),
        gain: (bound - USUAL).max(0.0),
        bound,
        logged: true,
        certainty: "high",
        surer: "the application master's log: what it did until its first request",
        cure: Cure::new(
            "Run a small job as a whole in its master; of a large one localise fewer and smaller \
             files, and make fewer splits",
            "mapreduce.job.ubertask.enable",
        ),
        evidence,
        ..Found::default()
    };
    if bound > 0.0 { vec![found.verdict(view)] } else { Vec::new() }
}
