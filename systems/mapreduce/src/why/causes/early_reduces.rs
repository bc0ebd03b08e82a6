//! Reduces held containers while maps waited for them.
//!
//! # What it looks at
//! Reduces that ran before the last map ended, while maps waited for their first containers. Maps
//! that broke off do not count: they wait for what ended them. Also reduces killed with the text
//! "preempted to make room for pending map attempts".
//!
//! # The bound
//! The end of the last map if maps had all containers that the job ever had at once.
//!
//! # What to do
//! A larger `mapreduce.job.reduce.slowstart.completedmaps`: 0.8 if maps need the containers, 1 if
//! their outputs are small.
//!
//! # What would confirm it
//! The same job with a larger `mapreduce.job.reduce.slowstart.completedmaps`.
use super::rule::{Finding, Rule, TimePart, errors, interval, text};
use super::view::View;
use crate::import::conf::SLOW_START;
use crate::log::kinds::interval::CONTAINER;
use crate::plain::{count, duration};
use crate::why::replay::WhatIf;
use crate::why::{Attempt, Phase};

pub(super) const RULE: Rule = Rule {
    name: "early reduces",
    takes: TimePart::Between,
    looks: &[find],
    certainty: "medium",
    confirm: "a run with a later start of the reduces",
    remedy: ("Let reduces start later: 0.8, or 1 if map outputs are small", SLOW_START),
    source: include_str!("early_reduces.rs"),
};

fn find(view: &View<'_>) -> Option<Finding> {
    let (job, last) = (view.job, view.shape.last_map);
    let early = |a: &&Attempt| a.kind == "REDUCE" && a.run.is_some_and(|(from, _)| from < last);
    let reduces: Vec<&Attempt> = job.attempts().filter(early).collect();
    let begun = reduces.iter().filter_map(|a| a.run).map(|run| run.0).reduce(f64::min)?;
    let starved: Vec<&Phase> = (job.tasks_of("MAP"))
        .filter_map(|task| task.waits.iter().find(|wait| wait.kind == CONTAINER))
        .filter(|wait| wait.to > begun)
        .collect();
    let waited = starved.iter().map(|wait| wait.to).fold(begun, f64::max) - begun;
    if starved.is_empty() || waited < 1.0 {
        return None;
    }
    let preempted = |a: &&Attempt| a.error.contains("preempted to make room");
    let killed: Vec<&Attempt> = job.attempts().filter(preempted).collect();
    let work = |a: &Attempt, work: f64| if preempted(&a) { None } else { Some(work) };
    let change = WhatIf { work: &work, containers: Some(view.shape.at_once) };
    let sooner = last - job.begun - view.replay.last_map_s(&change);
    // Early reduces copy while maps run; late ones start to copy only after the maps.
    let gain = sooner.min(waited).max(0.0);
    let held = reduces.iter().filter(|a| a.duration_s() > 0.0).count();
    let set = view.set(SLOW_START).unwrap_or("0.05, its default, assumed");
    let what = format!(
        "{} held containers for up to {} while {} waited",
        count(held, "reduce"),
        duration(waited),
        count(starved.len(), "map")
    );
    let found = Finding::new(
        format!("reduces that started too early: {what}"),
        format!("{what}; {SLOW_START} = {set}"),
    )
    .replayed(gain)
    .with([
        interval("starts and ends of attempts, requests", what),
        text("job conf", format!("{SLOW_START} = {set}")),
    ])
    .with(errors(&killed, 2));
    Some(if killed.is_empty() { found } else { found.at_most(sooner).certainty("high") })
}
