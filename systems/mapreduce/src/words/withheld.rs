//! Tables and rows of what rules withheld from nodes.
use super::parts::slug;
use crate::import::RM_LOG;
use crate::log::withheld::SETTINGS;
use crate::plain::printable;
use crate::why::{Explanation, JobExplanation, WithheldTime};
use page::words::{NONE, count, num};
use page::{Bar, BarStyle, Body, Cell, Column, GanttRow, Row, Section, Table, Width};
use std::collections::{BTreeMap, BTreeSet};
use trace::{NodeId, Trace};

/// Maximum number of rows.
const MOST: usize = 1000;

/// Maximum number of bars in a row; the longest are shown.
const MOST_BARS: usize = 2000;

const NOTE: &str = "Waited: tasks of the rule's kind waited for containers at that time. YARN \
                    reads a figure only while a task waits: between readings a node keeps its last \
                    state. A job without a task for too long is exempt.";

fn is_given(trace: &Trace) -> bool {
    trace.sources.iter().any(|source| source.format == RM_LOG)
}

/// One row per rule and node; `None`: no ResourceManager log was given.
pub(super) fn section(trace: &Trace, why: &JobExplanation) -> Option<Section> {
    is_given(trace).then(|| {
        let ran: BTreeSet<NodeId> = why.job.attempts().filter_map(|a| a.node).collect();
        let row = |one: &WithheldTime| {
            let mut row = Row::new(vec![
                Cell::text(printable(&one.node).as_str()),
                Cell::text(one.rule.as_str()),
                Cell::text(printable(&one.setting.1).as_str()),
                Cell::number(one.times as f64),
                Cell::number(one.seconds),
                Cell::number(one.waiting_s),
            ]);
            let page = || format!("node/{}/{}", slug(&why.id), slug(&printable(&one.node)));
            row.open = ran.contains(&one.at).then(page);
            row
        };
        let rows: Vec<Row> = why.withheld.iter().take(MOST).map(row).collect();
        let columns = vec![
            Column::words("node"),
            Column::words("rule"),
            Column::words("over"),
            Column::numbers("times", "", 0),
            Column::numbers("above", "s", 1),
            Column::numbers("waited", "s", 1),
        ];
        table(trace, columns, rows, why.withheld.len())
    })
}

/// One row per job and rule; `None`: no ResourceManager log was given.
pub(super) fn of_jobs(trace: &Trace, why: &Explanation) -> Option<Section> {
    is_given(trace).then(|| {
        let mut rows = Vec::new();
        for one in &why.jobs {
            let mut rules: BTreeMap<&str, Vec<&WithheldTime>> = BTreeMap::new();
            for withheld in &one.withheld {
                rules.entry(&withheld.rule).or_default().push(withheld)
            }
            rows.extend(rules.into_iter().map(|(rule, all)| {
                let sum = |of: fn(&WithheldTime) -> f64| all.iter().map(|one| of(one)).sum();
                let nodes: BTreeSet<NodeId> = all.iter().map(|one| one.at).collect();
                Row::new(vec![
                    Cell::text(printable(&one.id).as_str()),
                    Cell::text(rule),
                    Cell::number(nodes.len() as f64),
                    Cell::number(sum(|one| one.times as f64)),
                    Cell::number(sum(|one| one.seconds)),
                    Cell::number(sum(|one| one.waiting_s)),
                ])
            }))
        }
        let all = rows.len();
        rows.truncate(MOST);
        let columns = vec![
            Column::words("job"),
            Column::words("rule"),
            Column::numbers("nodes", "", 0),
            Column::numbers("times", "", 0),
            Column::numbers("above", "node-s", 1),
            Column::numbers("waited", "node-s", 1),
        ];
        table(trace, columns, rows, all)
    })
}

fn table(trace: &Trace, columns: Vec<Column>, rows: Vec<Row>, all: usize) -> Section {
    let (none, shown) = (rows.is_empty(), rows.len());
    let qualifier = trace.about(SETTINGS).map_or(String::new(), printable);
    let body = Body::Table(Table { columns, rows });
    let section = Section::new("withheld", "Withheld by rules", qualifier, body);
    let section = section.width(Width::Full);
    match none {
        true => section.empty("No figure was above its threshold: no rule withheld tasks.", ""),
        false if shown < all => section.note(NOTE).tag(format!("{shown} of {all} shown")),
        false => section.note(NOTE),
    }
}

/// Rows of rules that withheld from nodes, shown above the nodes' tasks.
pub(super) fn lines(why: &JobExplanation) -> BTreeMap<NodeId, Vec<GanttRow>> {
    let mut nodes: BTreeMap<NodeId, Vec<GanttRow>> = BTreeMap::new();
    for one in &why.withheld {
        nodes.entry(one.at).or_default().push(line(why, one))
    }
    nodes
}

fn line(why: &JobExplanation, one: &WithheldTime) -> GanttRow {
    let mut spans = one.spans.clone();
    spans.sort_by(|a, b| (b.1 - b.0).total_cmp(&(a.1 - a.0)));
    spans.truncate(MOST_BARS);
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let begun = why.job.begun;
    let bar = |(from, to): &(f64, f64)| {
        Bar::new(BarStyle::Held, from - begun, to - begun).label(one.setting.0.clone())
    };
    let values = [num(one.seconds, 1)].into_iter().chain([(); 3].map(|()| NONE.to_string()));
    let mut row =
        GanttRow::new(one.rule.clone(), spans.iter().map(bar).collect(), values.collect());
    row.note = format!("withheld {}", count(one.times, "time"));
    row
}
