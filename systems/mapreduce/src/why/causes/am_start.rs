//! The application master started for long.
//!
//! # What it looks at
//! Submission to the first request of a task, in the parts that the history has: until the
//! master's start (its container), until the job was ready, until it asked.
//!
//! # The bound
//! That time. A short job is mostly start.
//!
//! # What would confirm it
//! The ResourceManager's log splits the wait for the container; "uber" jobs have none.
use super::super::path::Is;
use super::super::verdicts::Verdict;
use super::Found;
use super::view::{View, interval, s};

/// The name of the cause.
const NAME: &str = "AM start";

/// Finds it.
pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let (gain, mut evidence) = view.steps(&[Is::AmStart]);
    for wait in view.job.waits.iter().filter(|w| w.kind.starts_with("am-") && w.kind != "am-start")
    {
        let part = match wait.kind.as_str() {
            "am-container" => "submission to the master's start",
            "am-init" => "until the job was ready",
            _ => "until the first request",
        };
        evidence.push(interval("history", format!("{part}: {}", s(wait.length()))))
    }
    let found = Found {
        cause: NAME,
        by: "the start of its application master".into(),
        holder: "the application master's container and its start".into(),
        gain,
        bound: gain,
        logged: true,
        certainty: "high",
        evidence,
        ..Found::default()
    };
    if gain > 0.0 { vec![found.verdict(view)] } else { Vec::new() }
}
