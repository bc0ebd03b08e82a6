//! Tasks are slow on one node.
//!
//! # What it looks at
//! Time a byte of maps, and the work of reduces a record, by the node they ran on: the quick
//! quarter of the node is slower than the slow quarter of all others. CPU tells whether the node
//! computes slowly.
//!
//! # The bound
//! The job with the node's tasks as fast as the others'.
//!
//! # What to do
//! Look at the disks, cores and NIC of the node, and leave it out until then
//! (`yarn.resourcemanager.nodes.exclude-path`). Speculation (`mapreduce.map.speculative`,
//! `mapreduce.reduce.speculative`) starts its tasks elsewhere, too.
//!
//! # What would confirm it
//! The node's curves: a full disk, stolen or busy cores, a NIC that fell back to a lower rate.
use super::super::job::Attempt;
use super::super::verdicts::Verdict;
use super::slow_source::{comparable, pace};
use super::view::{View, count, counter, interval, middle, quantile, s};
use super::{Found, straggler};
use std::collections::BTreeMap;

/// The name of the cause.
pub(super) const NAME: &str = "slow node";

/// So many times the others' time is slow.
const TIMES: f64 = 1.5;

/// Work of a reduce a record \[s\].
fn pace_of_reduce(view: &View<'_>, a: &Attempt) -> f64 {
    view.work(a) / a.number("REDUCE_INPUT_RECORDS").max(1.0)
}

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let maps = slowest(view, "map", &comparable(view), &pace);
    let by_record = |a: &Attempt| pace_of_reduce(view, a);
    let reduces = || slowest(view, "reduce", &view.good("REDUCE"), &by_record);
    maps.or_else(reduces).into_iter().collect()
}

fn slowest(
    view: &View<'_>,
    kind: &str,
    all: &[&Attempt],
    pace: &dyn Fn(&Attempt) -> f64,
) -> Option<Verdict> {
    let mut by: BTreeMap<(&str, trace::NodeId), Vec<&Attempt>> = BTreeMap::new();
    for a in all {
        if let Some(node) = a.node {
            by.entry((&a.host, node)).or_default().push(a)
        }
    }
    let of = |((host, _), own): (&(&str, trace::NodeId), &Vec<&Attempt>)| {
        of_node(view, (kind, host), all, own, pace)
    };
    by.iter().filter_map(of).max_by(|a, b| a.share.total_cmp(&b.share))
}

fn of_node(
    view: &View<'_>,
    (kind, host): (&str, &str),
    all: &[&Attempt],
    own: &[&Attempt],
    pace: &dyn Fn(&Attempt) -> f64,
) -> Option<Verdict> {
    let others: Vec<&Attempt> = all.iter().filter(|a| !own.contains(a)).copied().collect();
    if own.len() < 2 || others.len() < 3 {
        return None;
    }
    let paces = |of: &[&Attempt]| of.iter().map(|a| pace(a)).collect::<Vec<f64>>();
    let (slow, usual) = (middle(own, pace), middle(&others, pace));
    let apart = quantile(paces(own), 0.25) > quantile(paces(&others), 0.75);
    if slow < TIMES * usual || !apart {
        return None;
    }
    let times = slow / usual;
    let node = own[0].node;
    let fast = |a: &Attempt, work: f64| {
        // A node whose reduces alone are slow does not make its maps quicker.
        let here = a.node == node && a.outcome == trace::Outcome::Ok;
        let here = here && (kind == "map" || a.kind == "REDUCE");
        Some(if here { work / times } else { work })
    };
    let cpu = (middle(own, Attempt::cpu), middle(&others, Attempt::cpu));
    let why = match cpu.0 >= TIMES * cpu.1 {
        true => "its cores are slow or shared",
        false => "they wait, they do not compute more",
    };
    let what = format!(
        "{} there take {}, the others {}",
        count(own.len(), kind),
        s(middle(own, |a| view.work(a))),
        s(middle(&others, |a| view.work(a)))
    );
    let found = Found {
        cause: NAME,
        logged: false,
        holder: format!("{host}: {what}"),
        by: format!("node {host}: {what}"),
        gain: view.gain(&fast),
        bound: view.on_path(&fast),
        certainty: "medium",
        surer: "node curves of that node (sadf -j, or tenbin monitor)",
        cure: straggler::speculate(view, if kind == "map" { "MAP" } else { "REDUCE" }, host),
        tasks: own.iter().map(|a| a.task).collect(),
        evidence: vec![
            interval("starts and ends of attempts", what.clone()),
            counter(
                "CPU_MILLISECONDS",
                format!("CPU of a {kind} {} there, {} elsewhere: {why}", s(cpu.0), s(cpu.1)),
            ),
        ],
    };
    Some(found.verdict(view))
}
