//! A node: its tasks over its curves.
use super::parts::time;
use super::tasks;
use crate::why::{JobWhy, printable};
use page::words::{duration, percent};
use page::{Below, Body, Capacity, Curves, Kind, Line, Panel, Section, say};
use std::collections::BTreeSet;
use trace::{NodeId, ResourceId, ResourceRole, Trace};

/// A page has no more pages of nodes.
const MOST: usize = 100;

pub(super) fn pages(trace: &Trace, why: &JobWhy) -> Vec<Below> {
    let nodes: BTreeSet<NodeId> = why.job.attempts().filter_map(|a| a.node).collect();
    nodes.into_iter().take(MOST).map(|node| page_of(trace, why, node)).collect()
}

fn page_of(trace: &Trace, why: &JobWhy, node: NodeId) -> Below {
    let name = printable(&trace.nodes[node.at()].name);
    let ran: f64 = why.job.attempts().filter(|a| a.node == Some(node)).map(|a| a.took()).sum();
    let sentence = say(format!("{name} ran tasks for ")).number(duration(ran)).say(".");
    let path = format!("node/{}/{}", tasks::slug(&why.id), tasks::slug(&name));
    let mut below = Below::new(path, name.clone(), sentence);
    below.link = Some(name);
    if !super::is_simulated(trace) {
        let whose = if why.job.in_slots { "JobTracker’s" } else { "AM’s" };
        below.facts = vec![clock(trace, node, whose)];
    }
    below.with(tasks::gantt(trace, why, Some(node))).with(curves(trace, why, node))
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

pub(super) fn curves(trace: &Trace, why: &JobWhy, node: NodeId) -> Section {
    let of_node = |id: &ResourceId| trace.resources[id.at()].node == Some(node);
    let resources = (0..trace.resources.len()).map(ResourceId::of).filter(of_node);
    let panels: Vec<Panel> = resources.filter_map(|id| panel(trace, why, id)).collect();
    let name = printable(&trace.nodes[node.at()].name);
    let section = |panels| {
        let body = Body::Curves(Curves { x: time(why), panels, moments: vec![] });
        Section::new("resources", "Resources", format!("of {name}"), body)
    };
    match panels.is_empty() {
        true if super::is_simulated(trace) => {
            section(panels).empty("The simulation keeps no curves of a node.", "")
        }
        true => section(panels).empty(
            "No node curves given.",
            "Add them: tenbin import node-curves FILE --into run/.",
        ),
        false => section(panels),
    }
}

fn panel(trace: &Trace, why: &JobWhy, id: ResourceId) -> Option<Panel> {
    let (begun, end) = (why.job.begun, why.job.end);
    let samples = trace.series.iter().filter(|s| s.resource == id);
    let points: Vec<(f64, f64)> = samples
        .filter_map(|s| Some((s.at.as_secs() - begun, s.busy.get()?)))
        .filter(|(at, _)| (0.0..=end - begun).contains(at))
        .collect();
    let most = points.iter().map(|p| p.1).fold(0.0, f64::max);
    let kind = match trace.resource_kind(id).role {
        trace::KindRole::Resource(ResourceRole::Disk) => Kind::Disk,
        trace::KindRole::Resource(ResourceRole::Network) => Kind::Network,
        trace::KindRole::Resource(ResourceRole::Memory) => Kind::Wait,
        _ => Kind::Cpu,
    };
    (!points.is_empty()).then(|| Panel {
        name: printable(&trace.resources[id.at()].name),
        of: if kind == Kind::Wait { "used" } else { "busy" }.into(),
        unit: "%".into(),
        capacity: Some(Capacity { at: 1.0, name: String::new() }),
        reading: format!("never above {}", percent(most)),
        lines: vec![Line { steps: true, ..Line::of(kind, points) }],
        reason: String::new(),
    })
}
