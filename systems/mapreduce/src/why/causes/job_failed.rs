//! The job failed, and no task failed it: its set-up, its commit or its master did.
//!
//! # What it looks at
//! The job's status, its own words (`diagnostics`), and that no task failed.
//!
//! # The bound
//! All of its time: it ended by it.
//!
//! # What to do
//! Mend what its message names, and start it again.
//!
//! # What would confirm it
//! The application master's log (`yarn logs -applicationId …`), from its last lines upwards.
use super::super::verdicts::{Cure, Verdict};
use super::view::{View, interval, s, words};
use super::{Found, failed, message};

/// The name of the cause.
pub const NAME: &str = "job failed";

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let job = view.job;
    let broke = matches!(job.status.as_str(), "FAILED" | "ERROR");
    if !broke || failed::culprit(job).is_some() {
        return Vec::new();
    }
    let why = match message::short(&job.diagnostics) {
        none if none.is_empty() => "its history does not say why".to_string(),
        said if job.status == "ERROR" => format!("its master ran into an error: {said}"),
        said => said,
    };
    let ran = job.attempts().any(|a| a.run.is_some());
    let says = format!("{} after {}; no task failed", job.status, s(view.whole));
    let mut evidence = vec![interval("status", says)];
    if !job.diagnostics.is_empty() {
        evidence.push(words("diagnostics", job.diagnostics.clone()))
    }
    let holder = if ran { why.clone() } else { format!("{why}; no task ran") };
    let found = Found {
        cause: NAME,
        holder,
        by: why,
        certainty: if job.diagnostics.is_empty() { "low" } else { "high" },
        cure: Cure::new("Mend what the message names, and start it again", ""),
        surer: if job.diagnostics.is_empty() { "the application master's log" } else { "" },
        evidence,
        ..Found::default()
    };
    vec![Verdict { ended_it: true, ..found.verdict(view) }]
}
