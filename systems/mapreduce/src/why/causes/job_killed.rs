//! Somebody killed the job.
//!
//! # What it looks at
//! The job's status in its history. Attempts that were killed with it did not fail, and hold
//! nothing up.
//!
//! # What would confirm it
//! Who did it stands in the ResourceManager's audit log (`OPERATION=Kill Application Request`).
use super::super::verdicts::Verdict;
use super::Found;
use super::view::{View, count, interval, s};

/// The name of the cause.
const NAME: &str = "job killed";

/// Finds it.
pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    if view.job.status != "KILLED" {
        return Vec::new();
    }
    let whole = s(view.whole);
    let failed = view.job.attempts().filter(|a| a.outcome == trace::Outcome::Failed).count();
    let none = match failed {
        0 => "no attempt failed".to_string(),
        n => format!("{} failed", count(n, "attempt")),
    };
    let found = Found {
        cause: NAME,
        holder: format!("somebody, after {whole}; {none}"),
        by: "somebody who killed it".into(),
        certainty: "high",
        evidence: vec![interval("status", format!("KILLED after {whole}; {none}"))],
        surer: "",
        ..Found::default()
    };
    vec![Verdict { ended_it: true, ..found.verdict(view) }]
}
