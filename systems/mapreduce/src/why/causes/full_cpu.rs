//! All cores of the nodes were busy, but not with this job.
//!
//! # What it looks at
//! Node curves: attempts with all cores busy during most of their run, while the job's own attempts
//! on that machine used less than half of a core (`CPU_MILLISECONDS`). Cores that the job fills are
//! its own work. Nodes with the same curve are one machine.
//!
//! # The bound
//! The job with those attempts shortened by the time during which all cores were busy. The estimate
//! is the gain from half of that.
//!
//! # What to do
//! Move the other programs, or give NodeManagers fewer cores
//! (`yarn.nodemanager.resource.cpu-vcores`), so that YARN leaves some for them.
//!
//! # What would confirm it
//! Other programs on the node: `top`, `pidstat`, the NodeManagers' other containers.
use super::rule::{Finding, Rule, TimePart, counter, curve};
use super::unexplained;
use super::view::View;
use crate::plain::{count, duration, num};
use crate::why::Attempt;
use analysis::Steps;
use std::collections::{BTreeMap, BTreeSet};
use trace::NodeId;
use units::Nanos;

pub(super) const RULE: Rule = Rule {
    name: "CPU",
    takes: TimePart::Runs,
    looks: &[find],
    certainty: "low",
    confirm: "other load there: top, pidstat, other containers",
    remedy: (
        "Move other load off these cores, or let YARN give out fewer",
        "yarn.nodemanager.resource.cpu-vcores",
    ),
    source: include_str!("full_cpu.rs"),
};

/// Cores used on average: a job with less does not fill a machine.
const OWN: f64 = 0.5;

/// Minimum fraction of an attempt's run; shorter bursts are normal, as at the start of a JVM.
const MOST: f64 = 0.6;

fn find(view: &View<'_>) -> Option<Finding> {
    let mut machines: BTreeMap<NodeId, Steps> = BTreeMap::new();
    let mut starved: BTreeMap<&str, f64> = BTreeMap::new();
    let (mut full, mut ran, mut used) = (0.0, 0.0, 0.0);
    for a in view.job.attempts() {
        let (Some(run), Some(node)) = (a.run, a.node) else { continue };
        let cpu = view.curves.split(a).cpu;
        if cpu < MOST * a.duration_s() || cpu <= 0.0 {
            continue;
        }
        let load = machines.entry(node).or_insert_with(|| load(view, node));
        let (from, to) = (Nanos::from_secs(run.0), Nanos::from_secs(run.1));
        let own = load.integral(from, to) / a.duration_s();
        if own < OWN {
            starved.insert(&a.name, cpu);
            (full, ran, used) = (full + cpu, ran + a.duration_s(), used + own * a.duration_s());
        }
    }
    if starved.is_empty() {
        return None;
    }
    let less = |part: f64| {
        let starved = &starved;
        move |a: &Attempt, work: f64| {
            let full = starved.get(a.name.as_str()).copied().unwrap_or(0.0);
            Some((work - part * full).max(a.cpu().min(work)))
        }
    };
    let used = num(used / f64::max(ran, 1e-9), 2);
    let covered = view.curves.coverage_note(view.job);
    let busy = format!(
        "all cores busy in {} of the {} that {} ran",
        duration(full),
        duration(ran),
        count(starved.len(), "attempt")
    );
    let own = format!("the job's own attempts on that machine used {used} of a core at that time");
    let clues = unexplained::clues(view.job);
    let found = Finding::new(
        format!("a full CPU, filled by other programs; the job used {used} of a core{covered}"),
        format!(
            "cores of the nodes, filled by other programs (the job used {used} of a core){covered}"
        ),
    )
    .logged(view.gain(&less(0.5)))
    .at_most(view.gain(&less(1.0)).max(view.on_path(&less(1.0))))
    .certainty(if clues.is_empty() { "low" } else { "medium" })
    .with([curve(busy), counter("CPU_MILLISECONDS", own)])
    .with(clues);
    Some(found)
}

/// Cores that the job's attempts used on a machine, over time.
fn load(view: &View<'_>, node: NodeId) -> Steps {
    let nodes: BTreeSet<NodeId> = view.curves.machine(node).into_iter().collect();
    let there = view.job.attempts().filter(|a| a.node.is_some_and(|n| nodes.contains(&n)));
    let rates = there
        .filter(|a| a.duration_s() > 0.0)
        .filter_map(|a| Some((a.run?, a.cpu() / a.duration_s())));
    let at = Nanos::from_secs;
    let changes = rates.flat_map(|((from, to), rate)| [(at(from), rate), (at(to), -rate)]);
    let mut changes: Vec<(Nanos, f64)> = changes.collect();
    changes.sort_by_key(|(at, _)| *at);
    let mut used = 0.0;
    Steps::new(changes.into_iter().map(|(at, change)| {
        used += change;
        (at, used)
    }))
}
