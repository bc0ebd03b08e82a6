//! The page of a node: its tasks, and its curves.
use super::parts::slug;
use super::{resources, tasks};
use crate::plain::printable;
use crate::why::JobExplanation;
use page::words::duration;
use page::{Below, say};
use std::collections::BTreeSet;
use trace::{NodeId, Trace};

/// Maximum number of nodes with a page.
const MOST: usize = 100;

pub(super) fn pages(trace: &Trace, why: &JobExplanation) -> Vec<Below> {
    let nodes: BTreeSet<NodeId> = why.job.attempts().filter_map(|a| a.node).collect();
    nodes.into_iter().take(MOST).map(|node| page_of(trace, why, node)).collect()
}

fn page_of(trace: &Trace, why: &JobExplanation, node: NodeId) -> Below {
    let name = printable(&trace.nodes[node.at()].name);
    let ran: f64 =
        why.job.attempts().filter(|a| a.node == Some(node)).map(|a| a.duration_s()).sum();
    let sentence = say(format!("{name} ran tasks for ")).number(duration(ran)).say(".");
    let path = format!("node/{}/{}", slug(&why.id), slug(&name));
    let mut below = Below::new(path, name.clone(), sentence);
    below.link = Some(name);
    if !super::is_simulated(trace) {
        let whose = if why.job.in_slots { "JobTracker’s" } else { "AM’s" };
        below.facts = vec![clock(trace, node, whose)];
    }
    below.with(tasks::gantt(trace, why, Some(node))).with(resources::curves(trace, why, node))
}

fn clock(trace: &Trace, node: NodeId, whose: &str) -> Vec<page::Span> {
    let seconds = |ns: i64| duration(ns as f64 / 1e9);
    match trace.clocks.iter().find(|clock| clock.node == node) {
        Some(clock) => say(format!(
            "clock {} ahead of the {whose} ({} to {} are possible)",
            seconds(clock.offset),
            seconds(clock.low),
            seconds(clock.high)
        )),
        None => say("clock: not estimable"),
    }
    .done()
}
