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
use super::super::job::{Attempt, Job, Task};
use super::super::verdicts::{Cure, Verdict};
use super::lost_node::lost;
use super::view::{View, count, interval, s, words};
use super::{Found, lost_outputs, message, shuffle};
use std::collections::{BTreeMap, BTreeSet};
use trace::Outcome;

/// The name of the cause.
const NAME: &str = "failed attempts";

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

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let culprit = culprit(view.job);
    // Reduces that could not fetch are the shuffle's, unless they failed the job.
    let counts = |a: &Attempt| failed(a) && (culprit.is_some() || !shuffle::broke_off(a));
    let all: Vec<&Attempt> = view.job.attempts().filter(|a| counts(a)).collect();
    if all.is_empty() {
        return Vec::new();
    }
    let ended = culprit.is_some();
    let what = match culprit {
        Some(task) => format!("{} failed {} times{}", task.name, times(task), last_words(task)),
        None => commonest(view, &all),
    };
    let without = |a: &Attempt, work: f64| if counts(a) { None } else { Some(work) };
    let (on_path, _) = view.steps(&[super::super::path::Is::Lost]);
    let bound = on_path.max(view.on_path(&without));
    // What a job that failed would have gained nobody knows: it had not done its work.
    let gain = if ended { bound } else { view.gain(&without) };
    let kind = all.first().map_or("", |a| &a.kind);
    let found = Found {
        cause: NAME,
        logged: ended,
        by: what.clone(),
        holder: what.clone(),
        gain,
        bound,
        certainty: "high",
        surer: "the attempts' own logs (yarn logs)",
        cure: cure(&what, kind),
        tasks: all.iter().map(|a| a.task).collect(),
        evidence: evidence(view, &all, culprit),
    };
    vec![Verdict { ended_it: ended, ..found.verdict(view) }]
}

/// What the message names: memory, a full disk, a timeout, a host; else nothing is known.
fn cure(message: &str, kind: &str) -> Cure {
    let reduce = kind == "REDUCE";
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if says(&["memory' limit", "beyond the", "memory limits"]) {
        let what = "Ask for a larger container, or give the heap in it less";
        let key = ["mapreduce.map.memory.mb", "mapreduce.reduce.memory.mb"][usize::from(reduce)];
        return Cure::new(what, key);
    }
    if says(&["heap space", "GC overhead", "OutOfMemory"]) {
        let what = "Give tasks a larger heap (-Xmx), and a container that holds it";
        let key = ["mapreduce.map.java.opts", "mapreduce.reduce.java.opts"][usize::from(reduce)];
        return Cure::new(what, key);
    }
    if says(&["No space left", "DiskErrorException", "could not find any valid local directory"]) {
        let what = "Make room on the disks that tasks write to, or add some";
        return Cure::new(what, "yarn.nodemanager.local-dirs");
    }
    if says(&["Timed out", "timed out after"]) {
        let what =
            "Find what the task waits for (its log, a jstack); let slow records report progress";
        return Cure::new(what, "mapreduce.task.timeout");
    }
    if says(&[", all on "]) {
        let what = "Leave that host out until it is looked at, and mend what the message names";
        return Cure::new(what, "yarn.resourcemanager.nodes.exclude-path");
    }
    Cure::new("Mend what the message names", "")
}

/// How often each message came, and of whom.
fn messages<'a>(all: &[&'a Attempt]) -> Vec<(&'a str, Vec<&'a Attempt>)> {
    let mut messages: BTreeMap<&str, Vec<&Attempt>> = BTreeMap::new();
    for a in all {
        messages.entry(&a.error).or_default().push(a)
    }
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
    let place = match hosts.first() {
        Some(host) if of.len() > 1 && hosts.len() == 1 && !host.is_empty() => {
            format!(", all on {host}")
        }
        _ => String::new(),
    };
    let text = message::short(text);
    let said = if text.is_empty() { String::new() } else { format!(": {text}") };
    format!("{} of {which}{place}{said}", count(of.len(), "failed attempt"))
}

fn evidence(
    view: &View<'_>,
    all: &[&Attempt],
    culprit: Option<&Task>,
) -> Vec<super::super::Evidence> {
    let mut evidence = Vec::new();
    if !view.job.diagnostics.is_empty() && culprit.is_some() {
        evidence.push(words("diagnostics", view.job.diagnostics.clone()))
    }
    for (text, of) in messages(all).iter().filter(|(text, _)| !text.is_empty()).take(3) {
        evidence.push(words("error", format!("{} times: {text}", of.len())))
    }
    let lost: f64 = all.iter().map(|a| a.took()).sum();
    let says = format!("{} ran for {} in all", count(all.len(), "failed attempt"), s(lost));
    evidence.push(interval("starts and ends of attempts", says));
    evidence
}

fn times(task: &Task) -> usize {
    task.attempts.iter().filter(|a| failed(a)).count()
}
