//! A node was lost, or became unusable.
//!
//! # What it looks at
//! The text with which attempts were killed ("Container released on a *lost* node", "ran on
//! unusable node"), completed maps that ran again included.
//!
//! # The bound
//! The job is gone through once more with each task's first attempt as long as its like, and no
//! second ones; containers as many as there were at best.
//!
//! # What to do
//! The log of that node says why; until then leave it out
//! (`yarn.resourcemanager.nodes.exclude-path`). How soon a silent node counts as lost:
//! `yarn.nm.liveness-monitor.expiry-interval-ms` (10 min).
//!
//! # What would confirm it
//! The ResourceManager's log: "Node … Transitioned from RUNNING to LOST", and that node's own log.
use super::super::job::Attempt;
use super::super::replay::Change;
use super::super::verdicts::{Cure, Verdict};
use super::Found;
use super::view::{View, count, middle, s, words};
use std::collections::BTreeMap;
use trace::Outcome;

/// The name of the cause.
const NAME: &str = "lost node";

/// Whether an attempt broke off since its node was lost.
pub(super) fn lost(a: &Attempt) -> bool {
    let text = a.error.to_lowercase();
    let says = ["lost* node", "lost node", "unusable node", "node is lost", "unhealthy node"];
    a.outcome != Outcome::Ok && says.iter().any(|words| text.contains(words))
}

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let all: Vec<&Attempt> = view.job.attempts().filter(|a| lost(a)).collect();
    let mut nodes: BTreeMap<&str, usize> = BTreeMap::new();
    for a in &all {
        *nodes.entry(&a.host).or_default() += 1
    }
    let Some((node, _)) = nodes.iter().max_by_key(|(_, times)| **times) else { return Vec::new() };
    let usual = [view.good("MAP"), view.good("REDUCE")];
    let typical = usual.each_ref().map(|all| middle(all, |a| view.work(a)));
    let work = |a: &Attempt, work: f64| {
        let first = &view.job.tasks[a.task].attempts[0];
        let again = view.job.tasks[a.task].attempts.iter().any(lost);
        match (again, lost(a), a.name == first.name) {
            (false, ..) => Some(work),
            (true, true, true) => Some(typical[usize::from(a.kind == "REDUCE")]),
            (true, ..) => None,
        }
    };
    let then = view.replay.end_s(&Change { work: &work, containers: None });
    let gain = (view.whole - then).max(0.0);
    let many = count(all.len(), "attempt");
    let named = if node.is_empty() { "a node" } else { node };
    let reran = all.iter().filter(|a| a.kind == "MAP").count();
    let what = format!("{named} was lost, {many} with it");
    let mut evidence: Vec<_> =
        all.iter().take(3).map(|a| words("error", format!("{}: {}", a.name, a.error))).collect();
    evidence.push(super::view::interval(
        "starts and ends of attempts",
        format!(
            "{} ran again; {} were lost",
            count(reran, "map"),
            s(all.iter().map(|a| a.took()).sum())
        ),
    ));
    let found = Found {
        cause: NAME,
        logged: false,
        by: format!("the loss of {named}: {many} broke off there and ran again"),
        holder: what,
        gain,
        bound: gain,
        certainty: "high",
        surer: "the ResourceManager's log of that node, and the node's own",
        cure: Cure::new(
            format!("Leave {named} out until its log says why it was lost"),
            "yarn.resourcemanager.nodes.exclude-path",
        ),
        tasks: all.iter().map(|a| a.task).collect(),
        evidence,
    };
    vec![found.verdict(view)]
}
