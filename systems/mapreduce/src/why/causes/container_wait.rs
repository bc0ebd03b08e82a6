//! Tasks waited for containers while few tasks of the job were running.
//!
//! # What it looks at
//! Waits for containers on the critical path, and how many attempts of the job ran meanwhile. If
//! the job ran as many as at its maximum, the wait is a wave of its own tasks and is not counted.
//! If it ran fewer than 70 % of that, others had the containers, or there were none. A reduce
//! counts as the ratio of its memory to a map's, if the configuration has both. Else it counts as
//! many maps as filled the containers that reduces filled. Tasks of a kind that is at its own
//! maximum wait for each other. Up to 3 s are the normal delay of a request.
//!
//! With the ResourceManager's log: for how much of that time a rule withheld such tasks from at
//! least half of the nodes. This is evidence, not a verdict: the wait may have other reasons, and a
//! job that waits too long is exempt from rules.
//!
//! # The bound
//! Those seconds.
//!
//! # What to do
//! Start the job when less is running, or give its queue more:
//! `yarn.scheduler.capacity.<queue>.capacity` (`minResources` of a fair scheduler). Smaller
//! containers (`mapreduce.map.memory.mb`) start sooner.
//!
//! # What would confirm it
//! Other jobs of that time: import their histories (`tenbin import mapreduce DIR`). For rules: the
//! ResourceManager's log (`--rm-log`).
use super::am_restart;
use super::rule::{Finding, Rule, TimePart, interval};
use super::view::View;
use crate::plain::{count, duration, percent};
use crate::why::shape::RunningTasks;
use crate::why::withheld::WideWithholds;
use crate::why::{Evidence, StepKind};
use std::collections::BTreeMap;

pub(super) const RULE: Rule = Rule {
    name: "container wait",
    takes: TimePart::Between,
    looks: &[find],
    certainty: "high",
    confirm: "the histories of all jobs of that time: which jobs had the containers",
    remedy: (
        "Give its queue more, or start the job when less runs",
        "yarn.scheduler.capacity.<queue>.capacity",
    ),
    source: include_str!("container_wait.rs"),
};

/// Normal delay from a request to the start in a container: some heartbeats \[s\].
const ASKING: f64 = 3.0;

/// Below this fraction of the job's maximum, others have the containers.
const OWN: f64 = 0.7;

/// Containers of a map that one of a reduce is worth.
fn weight(view: &View<'_>) -> f64 {
    let memory = |key: &str| view.set(key)?.trim().parse::<f64>().ok();
    let said = memory("mapreduce.reduce.memory.mb").zip(memory("mapreduce.map.memory.mb"));
    if let Some((reduce, map)) = said.filter(|(reduce, map)| *reduce > 0.0 && *map > 0.0) {
        return reduce / map;
    }
    let waved = |kind: &str, at_once: usize| view.successful(kind).len() > at_once;
    let (maps, reduces) = (view.shape.maps_at_once, view.shape.reduces_at_once);
    let both = maps > 0 && reduces > 0 && waved("MAP", maps) && waved("REDUCE", reduces);
    if both { maps as f64 / reduces as f64 } else { 1.0 }
}

fn find(view: &View<'_>) -> Option<Finding> {
    let (shape, weight) = (&view.shape, weight(view));
    let load = |running: RunningTasks| {
        (running.maps + running.others) as f64 + weight * running.reduces as f64
    };
    let most = shape.most_of(load);
    let lacks = |kind: &str, running: RunningTasks| {
        let (now, ever) = match kind {
            "REDUCE" => (running.reduces, shape.reduces_at_once),
            _ => (running.maps, shape.maps_at_once),
        };
        (now as f64) < OWN * ever as f64 && load(running) < OWN * most
    };
    let waits =
        view.path.iter().filter(|step| matches!(step.kind, StepKind::Container | StepKind::Gap));
    let (mut evidence, mut rules) = (Vec::new(), WithheldTimes::new());
    let mut gain = 0.0;
    for step in waits.filter(|step| step.seconds > ASKING) {
        let (from, to) = (step.from, step.from + step.seconds);
        let kind = step.of.map_or("", |(task, _)| view.job.tasks[task].kind.as_str());
        let lacking = |from: f64, to: f64| shape.seconds_while(from, to, |now| lacks(kind, now));
        // Without an AM no containers are requested.
        let gone = am_restart::gaps(view).into_iter();
        let gone: f64 = gone.map(|gap| (gap.1.min(to) - gap.0.max(from)).max(0.0)).sum();
        let seconds = (lacking(from, to) - gone).max(0.0);
        if seconds <= 0.0 {
            continue;
        }
        gain += seconds;
        withheld(&mut rules, view.job.rules.wide_withholds(kind), (from, to), lacking);
        let says = format!(
            "{}: {}, in {} of them the job ran fewer than {} of its maximum",
            step.what,
            duration(step.seconds),
            duration(seconds),
            percent(OWN)
        );
        evidence.push(interval("critical path", says))
    }
    let (what, who) = match view.job.in_slots {
        true => ("slots", "the JobTracker, or a cluster that other jobs fill"),
        false => ("containers", "YARN's scheduler, or a cluster that other jobs fill"),
    };
    let found = Finding::new(format!("waiting for {what} that other jobs held"), who);
    // First, since only the first of many waits are shown.
    let rules = rules.into_iter().map(|(rule, seen)| by_rule(view, rule, seen, gain));
    Some(found.logged(gain).with(rules).with(evidence))
}

/// By rule: seconds during which it withheld from at least half of the nodes, and the smallest and
/// largest number of these nodes.
type WithheldTimes<'j> = BTreeMap<&'j str, (f64, usize, usize)>;

/// Adds the part of a wait during which rules withheld widely and the job lacked containers.
fn withheld<'j>(
    seen: &mut WithheldTimes<'j>,
    rules: WideWithholds<'j>,
    (from, to): (f64, f64),
    lacks: impl Fn(f64, f64) -> f64,
) {
    for (rule, all) in rules {
        for most in all.iter().filter(|most| most.from < to && most.to > from) {
            let seconds = lacks(most.from.max(from), most.to.min(to));
            if seconds > 0.0 {
                let (sum, low, high) = seen.entry(rule).or_insert((0.0, most.low, most.high));
                *sum += seconds;
                (*low, *high) = (most.low.min(*low), most.high.max(*high))
            }
        }
    }
}

fn by_rule(
    view: &View<'_>,
    rule: &str,
    (sum, low, high): (f64, usize, usize),
    of: f64,
) -> Evidence {
    let many = if low == high { high.to_string() } else { format!("{low} to {high}") };
    let says = format!(
        "{} of {} of waiting for containers fell into times in which {rule} withheld from {many} \
         of {} known to the log",
        duration(sum.min(of)),
        duration(of),
        count(view.job.rules.nodes, "node")
    );
    interval("the ResourceManager's log", says)
}
