//! Detects dangling references.
//!
//! Causes and parents of intervals, and dependencies of joins, may be missing: a part of a trace is
//! valid. The walk treats them as unexplained.
use crate::schema::{ChargeTarget, Trace};

/// A reference: the table in words, the row, and the table's length.
type Reference = (&'static str, Option<usize>, usize);

/// The first dangling reference: the table, and the reference in words.
pub(super) fn dangling(trace: &Trace) -> Option<(&'static str, String)> {
    let found = of_objects(trace).or_else(|| of_done(trace)).or_else(|| of_all(trace))?;
    let (table, (what, at, _)) = found;
    Some((table, format!("refers to {what} {}, which does not exist", at.unwrap_or_default())))
}

fn first<const N: usize>(
    table: &'static str,
    mut rows: impl Iterator<Item = [Reference; N]>,
) -> Option<(&'static str, Reference)> {
    let missing = |(_, at, rows): &&Reference| at.is_some_and(|at| at >= *rows);
    rows.find_map(|row| row.iter().find(missing).copied()).map(|refers| (table, refers))
}

macro_rules! refers {
    ($trace:ident.$table:ident, $what:literal, $id:expr) => {
        ($what, $id.map(|id| id.at()), $trace.$table.len())
    };
}

/// Tables of objects.
fn of_objects(t: &Trace) -> Option<(&'static str, Reference)> {
    let nodes = t.nodes.iter().map(|n| [refers!(t.racks, "rack", n.rack)]);
    let resources = t.resources.iter().map(|r| {
        [
            refers!(t.nodes, "node", r.node),
            refers!(t.racks, "rack", r.rack),
            refers!(t.settings, "setting", r.setting),
        ]
    });
    let entities = t
        .entities
        .iter()
        .map(|e| [refers!(t.entities, "entity", e.parent), refers!(t.nodes, "node", e.node)]);
    let names = t
        .counter_names
        .iter()
        .map(|c| [refers!(t.entities, "entity", c.entity), refers!(t.nodes, "node", c.node)]);
    let facts = t.facts.iter().map(|f| [refers!(t.entities, "entity", Some(f.entity))]);
    let clocks = t.clocks.iter().map(|c| [refers!(t.nodes, "node", Some(c.node))]);
    let problems = t.problems.iter().map(|p| [refers!(t.sources, "source", Some(p.source))]);
    first("nodes", nodes)
        .or_else(|| first("resources", resources))
        .or_else(|| first("entities", entities))
        .or_else(|| first("counter_names", names))
        .or_else(|| first("facts", facts))
        .or_else(|| first("clocks", clocks))
        .or_else(|| first("problems", problems))
}

/// Tables of events.
fn of_done(t: &Trace) -> Option<(&'static str, Reference)> {
    let intervals = t.intervals.iter().map(|i| {
        [
            refers!(t.entities, "entity", i.subject),
            refers!(t.nodes, "node", i.node),
            refers!(t.nodes, "node", i.peer),
            refers!(t.resources, "resource", i.resource),
            refers!(t.resources, "resource", i.peer_resource),
        ]
    });
    let series = t.series.iter().map(|s| [refers!(t.resources, "resource", Some(s.resource))]);
    let changes = t.capacities.iter().map(|c| [refers!(t.resources, "resource", Some(c.resource))]);
    let counters =
        t.counters.iter().map(|c| [refers!(t.counter_names, "counter", Some(c.counter))]);
    first("intervals", intervals)
        .or_else(|| first("series", series))
        .or_else(|| first("capacities", changes))
        .or_else(|| first("counters", counters))
}

/// Tables of the whole run.
fn of_all(t: &Trace) -> Option<(&'static str, Reference)> {
    let sums = t.sums.iter().map(|s| match s.charged {
        ChargeTarget::Resource(id) => [refers!(t.resources, "resource", Some(id))],
        ChargeTarget::Setting(id) => [refers!(t.settings, "setting", Some(id))],
        ChargeTarget::Shortage(id) => [refers!(t.lacks, "lack", Some(id))],
        _ => [("", None, 0)],
    });
    let histograms = t.histograms.iter().map(|h| [refers!(t.nodes, "node", h.node)]);
    let objectives = t.objectives.iter().map(|o| [refers!(t.entities, "entity", o.subject)]);
    first("sums", sums)
        .or_else(|| first("histograms", histograms))
        .or_else(|| first("objectives", objectives))
}
