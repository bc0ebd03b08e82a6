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
use super::rule::{Found, Rule, Takes, interval, text};
use super::view::View;
use crate::plain::{count, duration};

pub const NAME: &str = "job killed";

pub(super) const RULE: Rule = Rule {
    name: NAME,
    takes: Takes::Between,
    looks: &[find],
    certainty: "high",
    confirm: "the ResourceManager's audit log: who asked for it",
    cure: ("Ask who killed it; start it again if that was not meant", ""),
    source: include_str!("job_killed.rs"),
};

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

fn find(view: &View<'_>) -> Option<Found> {
    if view.job.status != "KILLED" {
        return None;
    }
    let (whole, said) = (duration(view.whole), &view.job.diagnostics);
    let failed = view.job.attempts().filter(|a| a.outcome == trace::Outcome::Failed).count();
    let none = match failed {
        0 => "no attempt failed".to_string(),
        n => format!("{} failed", count(n, "attempt")),
    };
    let who = who(said).unwrap_or_else(|| "somebody".into());
    let found = Found::new(format!("{who} who killed it"), format!("{who}, after {whole}; {none}"))
        .ended()
        .with([interval("status", format!("KILLED after {whole}; {none}"))])
        .with((!said.is_empty()).then(|| text("diagnostics", said.clone())));
    Some(found)
}
