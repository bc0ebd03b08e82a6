//! A user killed the job.
//!
//! # What it looks at
//! The job's status in its history, and its message (`diagnostics`): which user requested it, from
//! where. Attempts killed with the job did not fail, and are no cause.
//!
//! # What to do
//! Nothing, if that was intended. Else start the job again.
//!
//! # What would confirm it
//! The ResourceManager's audit log (`OPERATION=Kill Application Request`).
use super::rule::{Finding, Rule, TimePart, interval, text};
use super::view::View;
use crate::plain::{count, duration};

pub const NAME: &str = "job killed";

pub(super) const RULE: Rule = Rule {
    name: NAME,
    takes: TimePart::Between,
    looks: &[find],
    certainty: "high",
    confirm: "the ResourceManager's audit log: the user of the request",
    remedy: ("Ask the user about the kill request; start the job again if it was a mistake", ""),
    source: include_str!("job_killed.rs"),
};

/// "Kill job job_1_0001 received from etl (auth:SIMPLE) at 10.0.0.1" → "etl at 10.0.0.1".
fn who(diagnostics: &str) -> Option<String> {
    let (_, rest) = diagnostics.split_once(" received from ")?;
    let rest = rest.split(';').next()?.trim().trim_end_matches('.');
    let named = match (rest.find(" ("), rest.find(')')) {
        (Some(from), Some(to)) if from < to => format!("{}{}", &rest[..from], &rest[to + 1..]),
        _ => rest.to_string(),
    };
    (!named.is_empty()).then_some(named)
}

fn find(view: &View<'_>) -> Option<Finding> {
    if view.job.status != "KILLED" {
        return None;
    }
    let (whole, said) = (duration(view.duration), &view.job.diagnostics);
    let failed = view.job.attempts().filter(|a| a.outcome == trace::Outcome::Failed).count();
    let none = match failed {
        0 => "no attempt failed".to_string(),
        n => format!("{} failed", count(n, "attempt")),
    };
    let who = who(said).unwrap_or_else(|| "an unknown user".into());
    let found =
        Finding::new(format!("a kill request of {who}"), format!("{who}, after {whole}; {none}"))
            .ended()
            .with([interval("status", format!("KILLED after {whole}; {none}"))])
            .with((!said.is_empty()).then(|| text("diagnostics", said.clone())));
    Some(found)
}
