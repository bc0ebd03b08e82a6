//! Attempts failed and were made again; a task that failed too often failed the job.
//!
//! # What it looks at
//! Attempts with the status FAILED, and their messages. Those that were killed with the job, with
//! a lost node or beside a faster twin did not fail.
//!
//! # The bound
//! The job with only the last attempt of each task. A job that failed was ended by it.
//!
//! # What would confirm it
//! The attempts' own logs; the message's first line is shown.
use super::super::job::{Attempt, Task};
use super::super::verdicts::Verdict;
use super::Found;
use super::lost_node::lost;
use super::view::{View, count, s, words};
use std::collections::BTreeMap;
use trace::Outcome;

/// The name of the cause.
const NAME: &str = "failed attempts";

fn failed(a: &Attempt) -> bool {
    a.outcome == Outcome::Failed && !lost(a)
}

/// Finds it.
pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let all: Vec<&Attempt> = view.job.attempts().filter(|a| failed(a)).collect();
    let Some(first) = all.first() else { return Vec::new() };
    let mut messages: BTreeMap<&str, usize> = BTreeMap::new();
    for a in all.iter().filter(|a| !a.error.is_empty()) {
        *messages.entry(&a.error).or_default() += 1
    }
    let most = messages.iter().max_by_key(|(text, times)| (**times, std::cmp::Reverse(**text)));
    let message = most.map_or("", |(text, _)| text);
    let ended = view.job.status == "FAILED";
    let culprit = view.job.tasks.iter().filter(|task| task.outcome == Outcome::Failed);
    let culprit = culprit.max_by_key(|task| task.attempts.iter().filter(|a| failed(a)).count());
    let short = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = if short.is_empty() { String::new() } else { format!(": {}", cut(&short)) };
    let what = match culprit.filter(|_| ended) {
        Some(task) => format!("{} failed {} times{said}", task.name, times(task)),
        None => format!("{} failed, of {}{said}", count(all.len(), "attempt"), view.task(first)),
    };
    let without = |a: &Attempt, work: f64| if failed(a) { None } else { Some(work) };
    let lost: f64 = all.iter().map(|a| a.took()).sum();
    let mut evidence: Vec<_> = messages
        .iter()
        .take(3)
        .map(|(text, times)| words("error", format!("{times} times: {text}")))
        .collect();
    let says = format!("{} ran for {} in all", count(all.len(), "failed attempt"), s(lost));
    evidence.push(super::view::interval("starts and ends of attempts", says));
    let (on_path, _) = view.steps(&[super::super::path::Is::Lost]);
    let found = Found {
        cause: NAME,
        logged: false,
        by: what.clone(),
        holder: what,
        gain: view.gain(&without),
        bound: on_path.max(view.on_path(&without)),
        certainty: "high",
        surer: "",
        tasks: all.iter().map(|a| a.task).collect(),
        evidence,
    };
    vec![Verdict { ended_it: ended, ..found.verdict(view) }]
}

fn times(task: &Task) -> usize {
    task.attempts.iter().filter(|a| failed(a)).count()
}

/// As much of a message as a sentence bears.
fn cut(text: &str) -> String {
    let short: String = text.chars().take(120).collect();
    if short.len() < text.len() { short + "…" } else { short }
}
