//! A node was lost or became unusable.
//!
//! # What it looks at
//! The message of killed attempts ("Container released on a *lost* node", "ran on unusable node"),
//! including completed maps that ran again.
//!
//! # The bound
//! A replay of the job in which each affected task has only its first attempt, of typical length.
//! It has as many containers as the job had at most.
//!
//! # What to do
//! Exclude the node (`yarn.resourcemanager.nodes.exclude-path`) until its log shows the reason.
//! `yarn.nm.liveness-monitor.expiry-interval-ms` (10 min) sets how soon a silent node counts as
//! lost.
//!
//! # What would confirm it
//! The ResourceManager's log: "Node … Transitioned from RUNNING to LOST", and that node's own log.
use super::rule::{Finding, Rule, TimePart, errors, timed};
use super::view::View;
use crate::plain::{count, duration};
use crate::why::replay::WhatIf;
use crate::why::stats::{grouped, sum};
use crate::why::{Attempt, Remedy};
use trace::Outcome;

pub(super) const RULE: Rule = Rule {
    name: "lost node",
    takes: TimePart::Runs,
    looks: &[find],
    certainty: "high",
    confirm: "the ResourceManager's log of that node, and the node's own",
    remedy: ("", ""),
    source: include_str!("lost_node.rs"),
};

/// The attempt broke off because its node was lost.
pub(super) fn is_node_lost(a: &Attempt) -> bool {
    let says = ["lost* node", "lost node", "unusable node", "node is lost", "unhealthy node"];
    a.outcome != Outcome::Ok && a.error_says(&says)
}

fn find(view: &View<'_>) -> Option<Finding> {
    let all: Vec<&Attempt> = view.job.attempts().filter(|a| is_node_lost(a)).collect();
    let nodes = grouped(all.iter().copied(), |a| Some(a.host.as_str()));
    let (node, _) = nodes.iter().max_by_key(|(_, of)| of.len())?;
    let named = if node.is_empty() { "a node" } else { node };
    let work = |a: &Attempt, work: f64| {
        let task = &view.job.tasks[a.task];
        match (
            task.attempts.iter().any(is_node_lost),
            is_node_lost(a),
            a.name == task.attempts[0].name,
        ) {
            (false, ..) => Some(work),
            (true, true, true) => Some(view.median_work(&a.kind)),
            (true, ..) => None,
        }
    };
    let then = view.replay.end_s(&WhatIf { work: &work, containers: None });
    let many = count(all.len(), "attempt");
    let reran = count(all.iter().filter(|a| a.kind == "MAP").count(), "map");
    let ran = duration(sum(&all, Attempt::duration_s));
    let remedy = format!("Exclude {named} until its log shows why it was lost");
    let found = Finding::new(
        format!("the loss of {named}: {many} broke off there and ran again"),
        format!("{named} was lost, {many} with it"),
    )
    .replayed((view.duration - then).max(0.0))
    .remedy(Remedy::new(remedy, "yarn.resourcemanager.nodes.exclude-path"))
    .tasks(all.iter().map(|a| a.task))
    .with(errors(&all, 3))
    .with([timed(format!("{reran} ran again; {ran} were lost"))]);
    Some(found)
}
