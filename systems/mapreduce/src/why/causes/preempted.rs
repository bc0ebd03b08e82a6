//! The scheduler took containers away from the job: attempts were killed and made again.
//!
//! # What it looks at
//! Attempts that were killed with "Container preempted by scheduler". What the job's own master
//! took from its reduces to make room for its maps is `early reduces`.
//!
//! # The bound
//! The job without those attempts, and all their time on the critical path with the waits for
//! other containers that followed.
//!
//! # What to do
//! A queue with room of its own, whose containers are not taken away
//! (`yarn.scheduler.capacity.<queue>.disable_preemption`), or shorter tasks, which lose less.
//!
//! # What would confirm it
//! The ResourceManager's log (`Preempting container …`), the capacities of the queues, and what ran
//! in the others at that time.
use super::super::job::Attempt;
use super::super::path::Is;
use super::super::verdicts::{Cure, Verdict};
use super::Found;
use super::view::{View, count, interval, s, words};
use std::collections::BTreeSet;
use trace::Outcome;

/// The name of the cause.
const NAME: &str = "preemption";

/// Whether the scheduler took its container away.
pub(super) fn preempted(a: &Attempt) -> bool {
    let text = a.error.to_lowercase();
    a.outcome == Outcome::Killed
        && (text.contains("preempted by scheduler") || text.contains("container preempted"))
}

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let all: Vec<&Attempt> = view.job.attempts().filter(|a| preempted(a)).collect();
    let Some(first) = all.first() else { return Vec::new() };
    let without = |a: &Attempt, work: f64| if preempted(a) { None } else { Some(work) };
    let tasks: BTreeSet<usize> = all.iter().map(|a| a.task).collect();
    let of_these = |task: usize| tasks.contains(&task);
    let steps = view.path.iter().filter(|step| match step.of {
        Some((task, None)) => matches!(step.is, Is::Gap | Is::Container) && of_these(task),
        Some((task, Some(at))) => preempted(&view.job.tasks[task].attempts[at]),
        None => false,
    });
    let on_path: f64 = steps.map(|step| step.seconds).sum();
    let lost: f64 = all.iter().map(|a| a.took()).sum();
    let queue = match view.job.queue.as_str() {
        "" => String::new(),
        queue => format!(" from queue {queue}"),
    };
    let what = format!(
        "the scheduler took {} away{queue}: {} of work of {} was lost",
        count(all.len(), "container"),
        s(lost),
        count(tasks.len(), "task")
    );
    let says = format!("{} times, as of {}: {}", all.len(), first.name, first.error);
    let found = Found {
        cause: NAME,
        logged: false,
        by: format!("preemption: {what}"),
        holder: what.clone(),
        gain: view.gain(&without),
        bound: on_path,
        certainty: "high",
        surer: "the ResourceManager's log of that time",
        cure: Cure::new(
            "Run it in a queue with room of its own, or make its tasks shorter",
            "yarn.scheduler.capacity.<queue>.disable_preemption",
        ),
        tasks: tasks.into_iter().collect(),
        evidence: vec![words("error", says), interval("starts and ends of attempts", what)],
    };
    vec![found.verdict(view)]
}
