//! Reduces held containers while maps waited for them.
//!
//! # What it looks at
//! Reduces that ran before the last map was done, while maps had asked for their first containers
//! (those of maps that broke off wait for what broke them); the text "preempted to make room for
//! pending map attempts" of reduces that were killed for that.
//!
//! # The bound
//! The last map, had maps got all containers that the job ever had at once.
//!
//! # What to do
//! A larger `mapreduce.job.reduce.slowstart.completedmaps`: 0.8 where maps need the containers, 1
//! where their outputs are small.
//!
//! # What would confirm it
//! The same job with a larger `mapreduce.job.reduce.slowstart.completedmaps`.
use super::super::job::{Attempt, Phase};
use super::super::replay::Change;
use super::super::verdicts::{Cure, Verdict};
use super::Found;
use super::view::{View, count, interval, s, words};
use crate::import::conf::SLOW_START;
use crate::log::kinds;

/// The name of the cause.
const NAME: &str = "early reduces";

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let (job, last) = (view.job, view.shape.last_map);
    let early = |a: &&Attempt| a.kind == "REDUCE" && a.run.is_some_and(|(from, _)| from < last);
    let reduces: Vec<&Attempt> = job.attempts().filter(early).collect();
    let waits: Vec<&Phase> = (job.tasks.iter().filter(|task| task.kind == "MAP"))
        .filter_map(|task| task.waits.iter().find(|w| w.kind == kinds::interval::CONTAINER))
        .collect();
    let Some(begun) = reduces.iter().filter_map(|a| a.run).map(|run| run.0).reduce(f64::min) else {
        return Vec::new();
    };
    let starved: Vec<&&Phase> = waits.iter().filter(|w| w.to > begun).collect();
    let waited = starved.iter().map(|w| w.to).fold(begun, f64::max) - begun;
    let preempted = |a: &&Attempt| a.error.contains("preempted to make room");
    let killed: Vec<&Attempt> = job.attempts().filter(preempted).collect();
    if starved.is_empty() || waited < 1.0 {
        return Vec::new();
    }
    let work = |a: &Attempt, work: f64| if preempted(&a) { None } else { Some(work) };
    let change = Change { work: &work, containers: Some(view.shape.at_once) };
    let sooner = last - job.begun - view.replay.last_map_s(&change);
    // Reduces that copy early copy beside maps; without them they begin to when those are done.
    let gain = sooner.min(waited).max(0.0);
    let held = reduces.iter().filter(|a| a.took() > 0.0).count();
    let set = job.conf.get(SLOW_START).map_or("0.05, its default, assumed", String::as_str);
    let what = format!(
        "{} held containers for up to {} while {} waited",
        count(held, "reduce"),
        s(waited),
        count(starved.len(), "map")
    );
    let mut evidence = vec![
        interval("starts and ends of attempts, requests", what.clone()),
        words("job conf", format!("{SLOW_START} = {set}")),
    ];
    for a in killed.iter().take(2) {
        evidence.push(words("error", format!("{}: {}", a.name, a.error)))
    }
    let found = Found {
        cause: NAME,
        by: format!("reduces that started too early: {what}"),
        holder: format!("{what}; {SLOW_START} = {set}"),
        gain,
        bound: if killed.is_empty() { gain } else { sooner.max(gain) },
        certainty: if killed.is_empty() { "medium" } else { "high" },
        surer: "a run with a later start of the reduces",
        cure: Cure::new(
            "Let reduces start later: 0.8, or 1 where map outputs are small",
            SLOW_START,
        ),
        evidence,
        ..Found::default()
    };
    vec![found.verdict(view)]
}
