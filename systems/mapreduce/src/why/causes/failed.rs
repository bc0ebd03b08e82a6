//! Attempts failed and ran again; a task that failed too often made the job fail.
//!
//! # What it looks at
//! Attempts with the status FAILED, and their messages. For a failed job: those of the task that
//! made it fail. Attempts killed with the job, with a lost node or because a twin was faster did
//! not fail. Maps with lost outputs had succeeded.
//!
//! # The bound
//! The job with only the last attempt of each task. For a failed job: its whole time.
//!
//! # What to do
//! Fix what the message names: a container over its memory limit (`mapreduce.map.memory.mb`,
//! `mapreduce.reduce.memory.mb`), a full heap (`mapreduce.map.java.opts`,
//! `mapreduce.reduce.java.opts`), a full disk (`yarn.nodemanager.local-dirs`), a task that does not
//! report progress (`mapreduce.task.timeout`). If all failed on one host, exclude that host
//! (`yarn.resourcemanager.nodes.exclude-path`) until its problem is fixed.
//!
//! # What would confirm it
//! The attempts' own logs. Only the first line of a message is shown.
use super::lost_node::is_node_lost;
use super::rule::{Finding, Rule, TimePart, steps, text, timed};
use super::view::View;
use super::{lost_outputs, message, shuffle};
use crate::plain::{count, duration, when};
use crate::why::stats::grouped;
use crate::why::{Attempt, Evidence, Job, Remedy, StepKind, Task};
use std::collections::BTreeSet;
use trace::Outcome;

pub(super) const RULE: Rule = Rule {
    name: "failed attempts",
    takes: TimePart::Between,
    looks: &[find],
    certainty: "high",
    confirm: "the attempts' own logs (yarn logs)",
    remedy: ("Repair what the message names", ""),
    source: include_str!("failed.rs"),
};

/// Words in messages, advice, and the property for maps and for reduces.
const NAMED: [(&[&str], &str, [&str; 2]); 5] = [
    (
        &["memory' limit", "beyond the", "memory limits"],
        "Ask for a larger container, or give the heap in it less",
        ["mapreduce.map.memory.mb", "mapreduce.reduce.memory.mb"],
    ),
    (
        &["heap space", "GC overhead", "OutOfMemory"],
        "Give tasks a larger heap (-Xmx), and a container that fits it",
        ["mapreduce.map.java.opts", "mapreduce.reduce.java.opts"],
    ),
    (
        &["No space left", "DiskErrorException", "could not find any valid local directory"],
        "Free space on the disks that tasks write to, or add some",
        ["yarn.nodemanager.local-dirs"; 2],
    ),
    (
        &["Timed out", "timed out after"],
        "Find what the task waits for (its log, a jstack); let slow records report progress",
        ["mapreduce.task.timeout"; 2],
    ),
    (
        &[", all on "],
        "Exclude that host for now, and repair what the message names",
        ["yarn.resourcemanager.nodes.exclude-path"; 2],
    ),
];

fn failed(a: &Attempt) -> bool {
    a.outcome == Outcome::Failed && !is_node_lost(a) && !lost_outputs::is_output_lost(a)
}

/// The task that made its job fail: the last one that the job names, else the one with the most
/// failed attempts.
pub(super) fn failing_task(job: &Job) -> Option<&Task> {
    if job.status != "FAILED" {
        return None;
    }
    let failing = |task: &&Task| task.outcome == Outcome::Failed && times(task) > 0;
    let all = || job.tasks.iter().filter(failing);
    let named = |task: &&Task| {
        let at = job.diagnostics.rfind(&format!("_{}", task.name));
        at.filter(|_| job.diagnostics.contains("Task failed "))
    };
    let last = all().filter(|task| named(task).is_some()).max_by_key(named);
    last.or_else(|| all().max_by_key(|task| times(task)))
}

fn find(view: &View<'_>) -> Option<Finding> {
    let culprit = failing_task(view.job);
    // Reduces that could not fetch belong to `shuffle`, unless they made the job fail.
    let counts = |a: &Attempt| failed(a) && (culprit.is_some() || !shuffle::is_fetch_failure(a));
    let all: Vec<&Attempt> = view.job.attempts().filter(|a| counts(a)).collect();
    let first = all.first()?;
    let what = match culprit {
        Some(task) => format!("{} failed {} times{}", task.name, times(task), last_words(task)),
        None => commonest(view, &all),
    };
    let without = |a: &Attempt, work: f64| if counts(a) { None } else { Some(work) };
    let bound = steps(view, StepKind::Lost).0.max(view.on_path(&without));
    let found = Finding::new(&what, &what)
        .tasks(all.iter().map(|a| a.task))
        .remedy(remedy(&what, &first.kind));
    // The gain of a failed job is unknown: its work was not done.
    let found = match culprit {
        Some(_) => found.ended().logged(bound),
        None => found.replayed(view.gain(&without)).at_most(bound),
    };
    Some(found.with(evidence(view, &all, culprit)))
}

/// Advice for the cause that the message names; the default if it names none.
fn remedy(message: &str, kind: &str) -> Remedy {
    let named = NAMED.iter().find(|(words, ..)| words.iter().any(|word| message.contains(word)));
    named.map_or_else(Remedy::default, |(_, what, keys)| {
        Remedy::new(*what, keys[usize::from(kind == "REDUCE")])
    })
}

/// Attempts by message, the most frequent message first.
fn messages<'a>(all: &[&'a Attempt]) -> Vec<(&'a str, Vec<&'a Attempt>)> {
    let messages = grouped(all.iter().copied(), |a| Some(a.error.as_str()));
    let mut messages: Vec<_> = messages.into_iter().collect();
    messages.sort_by_key(|(_, of)| std::cmp::Reverse(of.len()));
    messages
}

/// ": Java heap space", from the task's last failed attempt with a message.
fn last_words(task: &Task) -> String {
    let last = task.attempts.iter().rfind(|a| failed(a) && !a.error.is_empty());
    last.map_or_else(String::new, |a| format!(": {}", message::short(&a.error)))
}

/// The most frequent message, with its tasks, and its host if there is only one.
fn commonest(view: &View<'_>, all: &[&Attempt]) -> String {
    let messages = messages(all);
    let said = |(text, _): &&(&str, _)| !text.is_empty();
    let (text, of) = messages.iter().find(said).unwrap_or(&messages[0]);
    let tasks: BTreeSet<usize> = of.iter().map(|a| a.task).collect();
    let first = view.task(of[0]);
    let which = match tasks.len() {
        1 => first.to_string(),
        n => format!("{first} and {}", count(n - 1, "other task")),
    };
    let hosts: BTreeSet<&str> = of.iter().map(|a| a.host.as_str()).collect();
    let one = of.len() > 1 && hosts.len() == 1 && !of[0].host.is_empty();
    let place = when(one, || format!(", all on {}", of[0].host));
    let text = message::short(text);
    let said = when(!text.is_empty(), || format!(": {text}"));
    format!("{} of {which}{place}{said}", count(of.len(), "failed attempt"))
}

fn evidence(view: &View<'_>, all: &[&Attempt], culprit: Option<&Task>) -> Vec<Evidence> {
    let said = &view.job.diagnostics;
    let said = culprit.filter(|_| !said.is_empty()).map(|_| text("diagnostics", said.clone()));
    let error = |(says, of): (&str, Vec<_>)| text("error", format!("{} times: {says}", of.len()));
    let messages = messages(all).into_iter().filter(|(says, _)| !says.is_empty()).take(3);
    let lost: f64 = all.iter().map(|a| a.duration_s()).sum();
    let failed = count(all.len(), "failed attempt");
    let ran = timed(format!("{failed} ran for {} in total", duration(lost)));
    said.into_iter().chain(messages.map(error)).chain([ran]).collect()
}

fn times(task: &Task) -> usize {
    task.attempts.iter().filter(|a| failed(a)).count()
}
