//! Somebody killed the job.
//!
//! # What it looks at
//! The job's status in its history, and its own words (`diagnostics`): who asked for it, and from
//! where. Attempts that were killed with it did not fail, and hold nothing up.
//!
//! # What to do
//! Nothing, if that was meant; else start it again.
//!
//! # What would confirm it
//! The ResourceManager's audit log has it, too (`OPERATION=Kill Application Request`).
use super::super::verdicts::{Cure, Verdict};
use super::Found;
use super::view::{View, count, interval, s, words};

/// The name of the cause.
pub const NAME: &str = "job killed";

/// "etl at 10.0.0.1" of "Kill job job_1_0001 received from etl (auth:SIMPLE) at 10.0.0.1".
fn who(diagnostics: &str) -> Option<String> {
    let (_, rest) = diagnostics.split_once(" received from ")?;
    let rest = rest.split(';').next()?.trim().trim_end_matches('.');
    let named = match (rest.find(" ("), rest.find(')')) {
        (Some(from), Some(to)) if from < to => format!("{}{}", &rest[..from], &rest[to + 1..]),
        _ => rest.to_string(),
    };
    (!named.is_empty()).then_some(named)
}

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
    let said = &view.job.diagnostics;
    let who = who(said).unwrap_or_else(|| "somebody".into());
    let mut evidence = vec![interval("status", format!("KILLED after {whole}; {none}"))];
    if !said.is_empty() {
        evidence.push(words("diagnostics", said.clone()))
    }
    let found = Found {
        cause: NAME,
        holder: format!("{who}, after {whole}; {none}"),
        by: format!("{who} who killed it"),
        certainty: "high",
        evidence,
        surer: "the ResourceManager's audit log: who asked for it",
        cure: Cure::new("Ask who killed it; start it again if that was not meant", ""),
        ..Found::default()
    };
    vec![Verdict { ended_it: true, ..found.verdict(view) }]
}
