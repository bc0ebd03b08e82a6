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
use super::super::replay::Change;
use super::super::verdicts::{Cure, Verdict};
use super::Found;
use super::view::{View, count, counter, interval, middle, s};
use page::words::num;

/// The name of the cause.
const NAME: &str = "few containers";

/// So many tasks for each container make waves that somebody notices.
const WAVES: usize = 4;

/// A job of fewer tasks has no waves worth the name.
const LEAST: usize = 8;

/// So full the containers were, in the mean, while tasks waited.
const BUSY: f64 = 0.6;

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let (shape, job) = (&view.shape, view.job);
    let ran = |kind: &str| {
        let of = job.tasks.iter().filter(|task| task.kind == kind);
        of.filter(|task| task.attempts.iter().any(|a| a.run.is_some())).count()
    };
    let tasks = ran("MAP") + ran("REDUCE");
    let at_once = shape.at_once;
    let few = at_once > 0 && at_once <= shape.nodes.max(2);
    let few = few && tasks >= (WAVES * at_once).max(LEAST);
    let busy = shape.mean_at_once(shape.first, shape.last_map.max(shape.first));
    if !few || busy < BUSY * shape.maps_at_once as f64 {
        return Vec::new();
    }
    let all = |_: &_, work| Some(work);
    let with =
        |containers: usize| view.replay.gain(&Change { work: &all, containers: Some(containers) });
    let maps = view.good("MAP");
    let waits = count(tasks.saturating_sub(at_once), "task");
    let what = format!("{} ran at once, {waits} waited", count(at_once, "task"));
    let places = if job.in_slots { "slots" } else { "containers" };
    let each = middle(&maps, super::super::job::Attempt::took);
    let evidence = vec![
        interval(
            "starts and ends of attempts",
            format!(
                "never more than {at_once} at once on {}, {} in the mean while maps ran",
                count(shape.nodes, "node"),
                super::super::verdicts::plain(num(busy, 1))
            ),
        ),
        interval(
            "starts and ends of attempts",
            format!("{} of {} each: each as fast as can be", count(maps.len(), "map"), s(each)),
        ),
        counter(
            "replay",
            format!("with twice as many {places} it ends {} sooner", s(with(2 * at_once))),
        ),
    ];
    let gain = with(tasks);
    let found = Found {
        cause: NAME,
        by: format!("few {places}: {what}"),
        holder: what,
        gain,
        bound: gain,
        certainty: "medium",
        surer: "the scheduler's page: the queue's capacity and the user's limit",
        cure: Cure::new(
            "Raise what limits it: the memory of NodeManagers against that of a task, the queue, \
             or the user's limit",
            "yarn.nodemanager.resource.memory-mb",
        ),
        evidence,
        ..Found::default()
    };
    vec![found.verdict(view)]
}
