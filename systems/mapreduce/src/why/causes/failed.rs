//! Attempts failed and were made again; a task that failed too often failed the job.
//!
//! # What it looks at
//! Attempts with the status FAILED, and their messages; of a job that failed, those of the task
//! that failed it. Those that were killed with the job, with a lost node or beside a faster twin
//! did not fail; maps whose outputs were lost had succeeded.
//!
//! # The bound
//! The job with only the last attempt of each task. A job that failed was ended by it.
//!
//! # What to do
//! Mend what the message names: a container beyond its memory (`mapreduce.map.memory.mb`,
//! `mapreduce.reduce.memory.mb`), a full heap (`mapreduce.map.java.opts`,
//! `mapreduce.reduce.java.opts`), a full disk (`yarn.nodemanager.local-dirs`), a task that reports
//! nothing (`mapreduce.task.timeout`). Where all failed on one host, leave that host out
//! (`yarn.resourcemanager.nodes.exclude-path`) until it is looked at.
//!
//! # What would confirm it
//! The attempts' own logs; the message's first line is shown.
use super::lost_node::lost;
use super::rule::{Found, Rule, Takes, steps, text, timed};
use super::view::View;
use super::{lost_outputs, message, shuffle};
use crate::plain::{count, duration, when};
use crate::why::stats::grouped;
use crate::why::{Attempt, Cure, Evidence, Is, Job, Task};
use std::collections::BTreeSet;
use trace::Outcome;

pub(super) const RULE: Rule = Rule {
    name: "failed attempts",
    takes: Takes::Between,
    looks: &[find],
    certainty: "high",
    confirm: "the attempts' own logs (yarn logs)",
    cure: ("Mend what the message names", ""),
    source: include_str!("failed.rs"),
};

/// What messages name beside a host, and what to do then: by the property of maps, and of reduces.
const NAMED: [(&[&str], &str, [&str; 2]); 5] = [
    (
        &["memory' limit", "beyond the", "memory limits"],
        "Ask for a larger container, or give the heap in it less",
        ["mapreduce.map.memory.mb", "mapreduce.reduce.memory.mb"],
    ),
    (
        &["heap space", "GC overhead", "OutOfMemory"],
        "Give tasks a larger heap (-Xmx), and a container that holds it",
        ["mapreduce.map.java.opts", "mapreduce.reduce.java.opts"],
    ),
    (
        &["No space left", "DiskErrorException", "could not find any valid local directory"],
        "Make room on the disks that tasks write to, or add some",
        ["yarn.nodemanager.local-dirs"; 2],
    ),
    (
        &["Timed out", "timed out after"],
        "Find what the task waits for (its log, a jstack); let slow records report progress",
        ["mapreduce.task.timeout"; 2],
    ),
    (
        &[", all on "],
        "Leave that host out until it is looked at, and mend what the message names",
        ["yarn.resourcemanager.nodes.exclude-path"; 2],
    ),
];

fn failed(a: &Attempt) -> bool {
    a.outcome == Outcome::Failed && !lost(a) && !lost_outputs::lost(a)
}

/// The task that failed its job: the one that the job names last, else the one whose attempts
/// failed most.
pub(super) fn culprit(job: &Job) -> Option<&Task> {
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

fn find(view: &View<'_>) -> Option<Found> {
    let culprit = culprit(view.job);
    // Reduces that could not fetch are the shuffle's, unless they failed the job.
    let counts = |a: &Attempt| failed(a) && (culprit.is_some() || !shuffle::broke_off(a));
    let all: Vec<&Attempt> = view.job.attempts().filter(|a| counts(a)).collect();
    let first = all.first()?;
    let what = match culprit {
        Some(task) => format!("{} failed {} times{}", task.name, times(task), last_words(task)),
        None => commonest(view, &all),
    };
    let without = |a: &Attempt, work: f64| if counts(a) { None } else { Some(work) };
    let bound = steps(view, Is::Lost).0.max(view.on_path(&without));
    let found =
        Found::new(&what, &what).tasks(all.iter().map(|a| a.task)).cure(cure(&what, &first.kind));
    // What a job that failed would have gained nobody knows: it had not done its work.
    let found = match culprit {
        Some(_) => found.ended().logged(bound),
        None => found.replayed(view.gain(&without)).at_most(bound),
    };
    Some(found.with(evidence(view, &all, culprit)))
}

/// What the message names: memory, a full disk, a timeout, a host; else nothing is known.
fn cure(message: &str, kind: &str) -> Cure {
    let named = NAMED.iter().find(|(words, ..)| words.iter().any(|word| message.contains(word)));
    named.map_or_else(Cure::default, |(_, what, keys)| {
        Cure::new(*what, keys[usize::from(kind == "REDUCE")])
    })
}

/// How often each message came, and of whom.
fn messages<'a>(all: &[&'a Attempt]) -> Vec<(&'a str, Vec<&'a Attempt>)> {
    let messages = grouped(all.iter().copied(), |a| Some(a.error.as_str()));
    let mut messages: Vec<_> = messages.into_iter().collect();
    messages.sort_by_key(|(_, of)| std::cmp::Reverse(of.len()));
    messages
}

/// ": Java heap space" of its last attempt that failed with a message.
fn last_words(task: &Task) -> String {
    let last = task.attempts.iter().rfind(|a| failed(a) && !a.error.is_empty());
    last.map_or_else(String::new, |a| format!(": {}", message::short(&a.error)))
}

/// What most of them say, where they ran, and of which tasks they are.
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
    let lost: f64 = all.iter().map(|a| a.took()).sum();
    let failed = count(all.len(), "failed attempt");
    let ran = timed(format!("{failed} ran for {} in all", duration(lost)));
    said.into_iter().chain(messages.map(error)).chain([ran]).collect()
}

fn times(task: &Task) -> usize {
    task.attempts.iter().filter(|a| failed(a)).count()
}
