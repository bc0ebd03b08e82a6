//! Two runs for a terminal: sentences, key figures, the nodes that differ most.
use super::page::{Carry, Diff, NodePair};
use crate::spans::plain;
use crate::words::num;
use ::page::terminal::{aligned, ascii, wrap};

/// Most nodes in the table; the page has all.
const NODES: usize = 12;

/// The sentences, the figures, the nodes.
pub fn text(diff: &Diff) -> String {
    let mut lines = Vec::new();
    for run in &diff.runs {
        let lost = match run.lost.as_slice() {
            [] => String::new(),
            [one] => format!(" | {one} lost"),
            many => format!(" | {} nodes lost", many.len()),
        };
        let seeds = match (run.origin.as_str(), run.seeds) {
            ("logged", _) => "as logged".into(),
            (_, 1) => "simulated, 1 seed".into(),
            (_, n) => format!("simulated, {n} seeds"),
        };
        let facts = format!("{} | {seeds} | {} nodes{lost}", run.scenario, run.nodes);
        wrap(&mut lines, "", &format!("{}: {facts}", run.name));
    }
    wrap(&mut lines, "", &plain(&diff.verdict));
    wrap(&mut lines, "", &plain(&diff.sub));
    diff.parting.iter().for_each(|sentence| wrap(&mut lines, "", &plain(sentence)));
    let mut label = "Held up";
    for run in &diff.runs {
        let shares = run.shares.iter().filter(|share| share.percent > 0).take(3);
        let held: Vec<String> = shares.map(|s| format!("{} {} %", s.name, s.percent)).collect();
        if !held.is_empty() {
            wrap(&mut lines, label, &format!("{}: {}", run.name, held.join(", ")));
            label = " ";
        }
    }
    diff.tags.iter().for_each(|tag| wrap(&mut lines, "Note", tag));
    lines.push(String::new());
    lines.extend(figures(diff));
    lines.push(String::new());
    lines.extend(nodes(diff));
    wrap(&mut lines, "", &plain(&diff.nodes_note));
    lines.join("\n") + "\n"
}

fn figures(diff: &Diff) -> Vec<String> {
    let names = diff.runs.each_ref().map(|run| ascii(&run.name));
    let [first, second] = names;
    let judged = diff.figures.iter().any(|figure| figure.inside.is_some());
    let head = if judged { "95 % of seeds" } else { "" };
    let mut cells = vec![vec![String::new(), first, second, "difference".into(), head.into()]];
    for figure in &diff.figures {
        let inside = match figure.inside {
            None => "",
            Some(true) => "inside",
            Some(false) => "OUTSIDE",
        };
        let [a, b] = figure.shown.each_ref().map(|shown| ascii(shown));
        cells.push(vec![ascii(&figure.name), a, b, ascii(&figure.difference), inside.into()])
    }
    aligned(&cells, &[0, 4])
}

/// Those that differ most, if they are too many.
fn nodes(diff: &Diff) -> Vec<String> {
    if diff.nodes.is_empty() {
        return Vec::new();
    }
    let apart = |node: &NodePair| {
        let by = |of: &[Carry; 2]| (of[1].copies - of[0].copies).abs();
        by(&node.sent) + by(&node.received)
    };
    let mut order: Vec<usize> = (0..diff.nodes.len()).collect();
    order.sort_by(|a, b| apart(&diff.nodes[*b]).total_cmp(&apart(&diff.nodes[*a])).then(a.cmp(b)));
    order.truncate(NODES);
    order.sort_unstable();
    let [first, second] = diff.runs.each_ref().map(|run| ascii(&run.name));
    let of = |way: &str, name: &str| format!("{way} {name}");
    let mut cells = vec![vec![
        "copies".to_string(),
        of("sent", &first),
        second.clone(),
        String::new(),
        of("received", &first),
        second,
        String::new(),
    ]];
    cells.extend(order.iter().map(|&place| row(&diff.nodes[place])));
    let mut lines = aligned(&cells, &[0, 3, 6]);
    let left = diff.nodes.len() - order.len();
    if left > 0 {
        lines.push(format!("... and {left} nodes that differ less"))
    }
    lines
}

fn row(node: &NodePair) -> Vec<String> {
    let shown = |carry: &Carry| match carry.range {
        None => num(carry.copies, 0),
        Some((low, high)) => {
            format!("{} ({}-{})", num(carry.copies, 1), num(low, 0), num(high, 0))
        }
    };
    let said = |inside: Option<bool>| if inside == Some(false) { "OUTSIDE" } else { "" };
    let alive = if node.alive == [true; 2] { "" } else { " (lost)" };
    vec![
        ascii(&format!("{}{alive}", node.name)),
        ascii(&shown(&node.sent[0])),
        ascii(&shown(&node.sent[1])),
        said(node.inside[0]).into(),
        ascii(&shown(&node.received[0])),
        ascii(&shown(&node.received[1])),
        said(node.inside[1]).into(),
    ]
}
