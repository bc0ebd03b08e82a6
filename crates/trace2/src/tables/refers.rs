//! Whether what rows refer to is there.
//!
//! Causes and parents of intervals, and what joins look at, may be missing: a part of a trace is
//! one, too, and the walk calls them unexplained.
use crate::schema::{Charged, Trace};

/// The first table with a row that refers to what is not there, and what.
pub(super) fn dangling(trace: &Trace) -> Option<(&'static str, String)> {
    let nodes = |at: usize| (at >= trace.nodes.len()).then(|| no("node", at));
    let racks = |at: usize| (at >= trace.racks.len()).then(|| no("rack", at));
    let entities = |at: usize| (at >= trace.entities.len()).then(|| no("entity", at));
    let resources = |at: usize| (at >= trace.resources.len()).then(|| no("resource", at));
    let settings = |at: usize| (at >= trace.settings.len()).then(|| no("setting", at));
    let lacks = |at: usize| (at >= trace.lacks.len()).then(|| no("lack", at));
    let in_nodes = trace.nodes.iter().filter_map(|n| racks(n.rack?.at()));
    let in_resources = trace.resources.iter().filter_map(|r| {
        let place = r.node.and_then(|n| nodes(n.at())).or(r.rack.and_then(|k| racks(k.at())));
        place.or_else(|| settings(r.setting?.at()))
    });
    let in_entities = trace
        .entities
        .iter()
        .filter_map(|e| e.parent.and_then(|p| entities(p.at())).or_else(|| nodes(e.node?.at())));
    let in_intervals = trace.intervals.iter().filter_map(|i| {
        let node = i.node.and_then(|n| nodes(n.at())).or(i.peer.and_then(|n| nodes(n.at())));
        let resource = i.resource.and_then(|r| resources(r.at()));
        let peer = i.peer_resource.and_then(|r| resources(r.at()));
        let subject = i.subject.and_then(|s| entities(s.at()));
        node.or(resource).or(peer).or(subject)
    });
    let in_names = trace
        .counter_names
        .iter()
        .filter_map(|c| c.entity.and_then(|e| entities(e.at())).or_else(|| nodes(c.node?.at())));
    let in_counters = trace.counters.iter().filter_map(|c| {
        (c.counter.at() >= trace.counter_names.len()).then(|| no("counter", c.counter.at()))
    });
    let in_sums = trace.sums.iter().filter_map(|s| match s.charged {
        Charged::Resource(id) => resources(id.at()),
        Charged::Setting(id) => settings(id.at()),
        Charged::Lack(id) => lacks(id.at()),
        _ => None,
    });
    let in_problems = trace.problems.iter().filter_map(|p| {
        (p.source.at() >= trace.sources.len()).then(|| no("source", p.source.at()))
    });
    let first = |table, mut found: Box<dyn Iterator<Item = String> + '_>| {
        found.next().map(|what| (table, what))
    };
    first("nodes", Box::new(in_nodes))
        .or_else(|| first("resources", Box::new(in_resources)))
        .or_else(|| first("entities", Box::new(in_entities)))
        .or_else(|| first("intervals", Box::new(in_intervals)))
        .or_else(|| first("counter_names", Box::new(in_names)))
        .or_else(|| first("counters", Box::new(in_counters)))
        .or_else(|| first("sums", Box::new(in_sums)))
        .or_else(|| first("problems", Box::new(in_problems)))
        .or_else(|| {
            let all = trace.series.iter().map(|s| s.resource);
            first("series", Box::new(all.filter_map(|r| resources(r.at()))))
        })
        .or_else(|| {
            let all = trace.capacities.iter().map(|c| c.resource);
            first("capacities", Box::new(all.filter_map(|r| resources(r.at()))))
        })
        .or_else(|| {
            let all = trace.facts.iter().map(|f| f.entity);
            first("facts", Box::new(all.filter_map(|e| entities(e.at()))))
        })
        .or_else(|| {
            let all = trace.histograms.iter().filter_map(|h| h.node);
            first("histograms", Box::new(all.filter_map(|n| nodes(n.at()))))
        })
        .or_else(|| {
            let all = trace.clocks.iter().map(|c| c.node);
            first("clocks", Box::new(all.filter_map(|n| nodes(n.at()))))
        })
        .or_else(|| {
            let all = trace.objectives.iter().filter_map(|o| o.subject);
            first("objectives", Box::new(all.filter_map(|e| entities(e.at()))))
        })
}

fn no(what: &str, at: usize) -> String {
    format!("refers to {what} {at}, which is not there")
}
