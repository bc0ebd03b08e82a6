//! The scheduler took containers away from the job: attempts were killed and ran again.
//!
//! # What it looks at
//! Attempts killed with "Container preempted by scheduler". Reduces that the job's own AM preempts
//! for its maps are `early reduces`.
//!
//! # The bound
//! The job without those attempts, or their time on the critical path with the following waits for
//! other containers.
//!
//! # What to do
//! A queue whose containers are not preempted
//! (`yarn.scheduler.capacity.<queue>.disable_preemption`), or shorter tasks, which lose less work.
//!
//! # What would confirm it
//! The ResourceManager's log (`Preempting container …`), the capacities of the queues, and jobs in
//! other queues at that time.
use super::rule::{Finding, Rule, TimePart, text, timed};
use super::view::View;
use crate::plain::{count, duration, when};
use crate::why::stats::sum;
use crate::why::{Attempt, Step, StepKind};
use std::collections::BTreeSet;
use trace::Outcome;

pub(super) const RULE: Rule = Rule {
    name: "preemption",
    takes: TimePart::Between,
    looks: &[find],
    certainty: "high",
    confirm: "the ResourceManager's log of that time",
    remedy: (
        "Run the job in a queue with its own capacity, or make its tasks shorter",
        "yarn.scheduler.capacity.<queue>.disable_preemption",
    ),
    source: include_str!("preempted.rs"),
};

fn preempted(a: &Attempt) -> bool {
    a.outcome == Outcome::Killed && a.error_says(&["preempted by scheduler", "container preempted"])
}

fn find(view: &View<'_>) -> Option<Finding> {
    let (job, without) = (view.job, |a: &Attempt, work: f64| (!preempted(a)).then_some(work));
    let all: Vec<&Attempt> = job.attempts().filter(|a| preempted(a)).collect();
    let first = all.first()?;
    let tasks: BTreeSet<usize> = all.iter().map(|a| a.task).collect();
    let is_lost = |step: &&Step| match step.of {
        Some((task, None)) => {
            matches!(step.kind, StepKind::Gap | StepKind::Container) && tasks.contains(&task)
        }
        Some((task, Some(at))) => preempted(&job.tasks[task].attempts[at]),
        None => false,
    };
    let on_path = view.path.iter().filter(is_lost).map(|step| step.seconds).sum();
    let queue = when(!job.queue.is_empty(), || format!(" from queue {}", job.queue));
    let what = format!(
        "the scheduler took {} away{queue}: {} of work of {} was lost",
        count(all.len(), "container"),
        duration(sum(&all, Attempt::duration_s)),
        count(tasks.len(), "task")
    );
    let says = format!("{} times, as of {}: {}", all.len(), first.name, first.error);
    let found = Finding::new(format!("preemption: {what}"), &what)
        .replayed(view.gain(&without))
        .at_most(on_path)
        .tasks(tasks)
        .with([text("error", says), timed(what)]);
    Some(found)
}
