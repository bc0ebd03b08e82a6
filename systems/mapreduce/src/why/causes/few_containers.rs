//! Few tasks ran at once.
//!
//! # What it looks at
//! The maximum number of concurrent attempts, compared with the nodes that ran any: at most one per
//! node, with at least four times as many tasks. Tasks that wait for containers of the job's own
//! tasks are *waves*, if nodes run several tasks at once. They are a job's shape, not a cause.
//!
//! # The bound
//! The job with one container per task.
//!
//! # What to do
//! A larger share of the queue (`yarn.scheduler.capacity.<queue>.capacity`, `user-limit-factor`),
//! more memory for NodeManagers (`yarn.nodemanager.resource.memory-mb`), or smaller containers
//! (`mapreduce.map.memory.mb`).
//!
//! # What would confirm it
//! The queue's capacity and the user's limit (the ResourceManager's scheduler page). NodeManagers'
//! `yarn.nodemanager.resource.memory-mb` compared with `mapreduce.map.memory.mb`.
use super::rule::{Finding, Rule, TimePart, counter, timed};
use super::view::View;
use crate::plain::{count, duration, num};
use crate::why::replay::WhatIf;
use crate::why::stats::middle;
use crate::why::{Attempt, Task};

pub(super) const RULE: Rule = Rule {
    name: "few containers",
    takes: TimePart::Between,
    looks: &[find],
    certainty: "medium",
    confirm: "the scheduler's page: the queue's capacity and the user's limit",
    remedy: (
        "Raise the limit: the memory of NodeManagers compared with that of a task, the queue, or \
         the user's limit",
        "yarn.nodemanager.resource.memory-mb",
    ),
    source: include_str!("few_containers.rs"),
};

/// Minimum number of tasks per container.
const WAVES: usize = 4;

/// Minimum number of tasks.
const LEAST: usize = 8;

/// Minimum mean use of the containers while maps ran.
const BUSY: f64 = 0.6;

fn find(view: &View<'_>) -> Option<Finding> {
    let (shape, job, maps) = (&view.shape, view.job, view.successful("MAP"));
    let ran = |task: &&Task| task.attempts.iter().any(|a| a.run.is_some());
    let tasks = job.tasks_of("MAP").chain(job.tasks_of("REDUCE")).filter(ran).count();
    let at_once = shape.at_once;
    let few = at_once > 0 && at_once <= shape.nodes.max(2);
    let few = few && tasks >= (WAVES * at_once).max(LEAST);
    let busy = shape.mean_at_once(shape.first, shape.last_map.max(shape.first));
    if !few || busy < BUSY * shape.maps_at_once as f64 {
        return None;
    }
    let all = |_: &_, work| Some(work);
    let with =
        |containers: usize| view.replay.gain(&WhatIf { work: &all, containers: Some(containers) });
    let waits = count(tasks.saturating_sub(at_once), "task");
    let what = format!("{} ran at once, {waits} waited", count(at_once, "task"));
    let places = if job.in_slots { "slots" } else { "containers" };
    let (each, twice) = (duration(middle(maps, Attempt::duration_s)), duration(with(2 * at_once)));
    let found = Finding::new(format!("few {places}: {what}"), what).replayed(with(tasks)).with([
        timed(format!(
            "never more than {at_once} at once on {}, mean {} while maps ran",
            count(shape.nodes, "node"),
            num(busy, 1)
        )),
        timed(format!("{} of {each} each: each as fast as can be", count(maps.len(), "map"))),
        counter("replay", format!("with twice as many {places}: {twice} sooner")),
    ]);
    Some(found)
}
