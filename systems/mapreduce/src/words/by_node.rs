//! A table of nodes that compares the tasks of each with those of the others.
use super::parts::slug;
use crate::plain::printable;
use crate::why::{Attempt, JobExplanation, grouped, median};
use page::{Body, Cell, Column, Row, Section, Table, Width};
use std::collections::BTreeMap;
use trace::{NodeId, Outcome, Trace};

/// Maximum number of rows.
const MOST: usize = 1000;

/// Minimum number of tasks on each side of a comparison.
const FEW: usize = 2;

/// A measure to compare; `None`: the attempt has none.
type Measure = fn(&Attempt) -> Option<f64>;

fn duration_s(attempt: &Attempt) -> Option<f64> {
    Some(attempt.duration_s())
}

/// Seconds per MB of input; `None` below 0.1 MB.
fn each_mb(attempt: &Attempt) -> Option<f64> {
    let read = attempt.number("HDFS_BYTES_READ");
    (read >= 1e5).then(|| attempt.duration_s() / (read / 1e6))
}

/// Median over a node's attempts, and its ratio to that of all other nodes.
struct Comparison {
    median: Option<f64>,
    times: Option<f64>,
}

/// Successful attempts of a kind.
type ByNode<'w> = BTreeMap<NodeId, Vec<&'w Attempt>>;

fn by_node<'w>(why: &'w JobExplanation, kind: &str) -> ByNode<'w> {
    grouped(why.job.successful(kind).filter(|a| a.run.is_some()), |a| a.node)
}

fn against(nodes: &ByNode<'_>, node: NodeId, of: Measure) -> Comparison {
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for (other, attempts) in nodes {
        let values = attempts.iter().filter_map(|a| of(a));
        if *other == node { own.extend(values) } else { others.extend(values) }
    }
    let enough = own.len() >= FEW && others.len() >= FEW;
    let (median, rest) = (median(own), median(others));
    let times = median.zip(rest).filter(|(_, rest)| enough && *rest > 0.0);
    Comparison { median, times: times.map(|(own, rest)| own / rest) }
}

/// `None` for fewer than two nodes.
pub(super) fn section(trace: &Trace, why: &JobExplanation) -> Option<Section> {
    let mut nodes: BTreeMap<NodeId, [u64; 3]> = BTreeMap::new();
    for attempt in why.job.attempts() {
        if let Some(node) = attempt.node {
            let count = nodes.entry(node).or_default();
            count[0] += 1;
            count[1] += u64::from(attempt.outcome == Outcome::Failed);
            count[2] += u64::from(attempt.outcome == Outcome::Killed)
        }
    }
    let (maps, reduces) = (by_node(why, "MAP"), by_node(why, "REDUCE"));
    // Each node is compared with all others, which takes long for many nodes.
    let mut rows: Vec<(f64, Row)> = nodes
        .iter()
        .take(MOST)
        .map(|(node, count)| {
            let all = [
                against(&maps, *node, duration_s),
                against(&maps, *node, each_mb),
                against(&reduces, *node, duration_s),
            ];
            let worst = all.iter().filter_map(|one| one.times).fold(0.0, f64::max);
            (worst, row(trace, why, *node, *count, &all))
        })
        .collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let many = rows.len() > 1;
    let body = Body::Table(Table {
        columns: columns(),
        rows: rows.into_iter().map(|(_, row)| row).collect(),
    });
    let qualifier = "medians of tasks that succeeded, each compared with those of all other nodes";
    many.then(|| Section::new("by-node", "Nodes", qualifier, body).width(Width::Full))
}

fn columns() -> Vec<Column> {
    vec![
        Column::words("node"),
        Column::numbers("attempts", "", 0),
        Column::numbers("failed", "", 0),
        Column::numbers("killed", "", 0),
        Column::numbers("a map", "s", 1),
        Column::numbers("others", "×", 2),
        Column::numbers("a map’s MB", "s/MB", 2),
        Column::numbers("others", "×", 2),
        Column::numbers("a reduce", "s", 1),
        Column::numbers("others", "×", 2),
    ]
}

fn row(
    trace: &Trace,
    why: &JobExplanation,
    node: NodeId,
    count: [u64; 3],
    all: &[Comparison],
) -> Row {
    let name = printable(&trace.nodes[node.at()].name);
    let mut cells = vec![Cell::text(name.as_str())];
    cells.extend(count.map(|count| Cell::number(count as f64)));
    let cell = |value: Option<f64>| value.map_or(Cell::None, Cell::number);
    cells.extend(all.iter().flat_map(|one| [cell(one.median), cell(one.times)]));
    let mut row = Row::new(cells);
    row.open = Some(format!("node/{}/{}", slug(&why.id), slug(&name)));
    row
}
