//! The job failed, but no task made it fail: its setup, its commit or its application master did.
//!
//! # What it looks at
//! The job's status and message (`diagnostics`), and that no task failed.
//!
//! # The bound
//! The job's whole time.
//!
//! # What to do
//! Fix what the message names, and start the job again.
//!
//! # What would confirm it
//! The application master's log (`yarn logs -applicationId …`), from the end backwards.
use super::rule::{Finding, Rule, TimePart, interval, text};
use super::view::View;
use super::{failed, message};
use crate::plain::duration;

pub(super) const RULE: Rule = Rule {
    name: "job failed",
    takes: TimePart::Between,
    looks: &[find],
    certainty: "high",
    confirm: "",
    remedy: ("Repair what the message names, and start the job again", ""),
    source: include_str!("job_failed.rs"),
};

fn find(view: &View<'_>) -> Option<Finding> {
    let (job, said) = (view.job, &view.job.diagnostics);
    if !["FAILED", "ERROR"].contains(&job.status.as_str()) || failed::failing_task(job).is_some() {
        return None;
    }
    let why = match message::short(said) {
        none if none.is_empty() => "its history has no reason".to_string(),
        said if job.status == "ERROR" => format!("an error of its master: {said}"),
        said => said,
    };
    let ran = job.attempts().any(|a| a.run.is_some());
    let holder = if ran { why.clone() } else { format!("{why}; no task ran") };
    let says = format!("{} after {}; no task failed", job.status, duration(view.duration));
    let found = Finding::new(why, holder).ended().with([interval("status", says)]);
    Some(match said.is_empty() {
        true => found.certainty("low").confirm("the application master's log"),
        false => found.with([text("diagnostics", said.clone())]),
    })
}
