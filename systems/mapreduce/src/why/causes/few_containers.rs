//! Few tasks ran at once.
//!
//! # What it looks at
//! How many attempts ran at once, against the nodes that ran any: no more than one a node, for
//! four times as many tasks and more. Tasks that wait because containers are busy with the job's
//! own tasks are *waves*, a job's shape, as long as nodes run several of them at once.
//!
//! # The bound
//! The job with a container for each task.
//!
//! # What to do
//! More of the queue (`yarn.scheduler.capacity.<queue>.capacity`, `user-limit-factor`), more memory
//! for NodeManagers (`yarn.nodemanager.resource.memory-mb`), or smaller containers
//! (`mapreduce.map.memory.mb`).
//!
//! # What would confirm it
//! The queue's capacity and the user's limit (the ResourceManager's scheduler page), NodeManagers'
//! `yarn.nodemanager.resource.memory-mb` against `mapreduce.map.memory.mb`.
use super::rule::{Found, Rule, Takes, counter, timed};
use super::view::View;
use crate::plain::{count, duration, num};
use crate::why::replay::Change;
use crate::why::stats::middle;
use crate::why::{Attempt, Task};

pub(super) const RULE: Rule = Rule {
    name: "few containers",
    takes: Takes::Between,
    looks: &[find],
    certainty: "medium",
    confirm: "the scheduler's page: the queue's capacity and the user's limit",
    cure: (
        "Raise what limits it: the memory of NodeManagers against that of a task, the queue, or \
         the user's limit",
        "yarn.nodemanager.resource.memory-mb",
    ),
    source: include_str!("few_containers.rs"),
};

/// So many tasks for each container make waves that somebody notices.
const WAVES: usize = 4;

/// A job of fewer tasks has no waves worth the name.
const LEAST: usize = 8;

/// So full the containers were, in the mean, while tasks waited.
const BUSY: f64 = 0.6;

fn find(view: &View<'_>) -> Option<Found> {
    let (shape, job, maps) = (&view.shape, view.job, view.good("MAP"));
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
        |containers: usize| view.replay.gain(&Change { work: &all, containers: Some(containers) });
    let waits = count(tasks.saturating_sub(at_once), "task");
    let what = format!("{} ran at once, {waits} waited", count(at_once, "task"));
    let places = if job.in_slots { "slots" } else { "containers" };
    let (each, twice) = (duration(middle(maps, Attempt::took)), duration(with(2 * at_once)));
    let found = Found::new(format!("few {places}: {what}"), what).replayed(with(tasks)).with([
        timed(format!(
            "never more than {at_once} at once on {}, {} in the mean while maps ran",
            count(shape.nodes, "node"),
            num(busy, 1)
        )),
        timed(format!("{} of {each} each: each as fast as can be", count(maps.len(), "map"))),
        counter("replay", format!("with twice as many {places} it ends {twice} sooner")),
    ]);
    Some(found)
}
