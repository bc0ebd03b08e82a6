//! Layouts and schedules as text and as a picture.
mod svg;

pub use svg::svg;

use crate::check::{Flaw, mean_price};
use crate::layout::{Cell, Layout};
use crate::schedule::{Party, Schedule, Source, Step, chain, naive, pivot};

/// A letter if the layout has at most 26 data blocks, else a number from 1.
pub fn name(layout: &Layout, data: usize) -> String {
    match layout.data() <= 26 {
        true => char::from(b'A' + u8::try_from(data).expect("fewer than 26")).to_string(),
        false => (data + 1).to_string(),
    }
}

pub fn label(layout: &Layout, cell: Cell) -> String {
    sum(layout, layout.contents(cell))
}

fn sum(layout: &Layout, data: &[usize]) -> String {
    let names: Vec<String> = data.iter().map(|&d| name(layout, d)).collect();
    names.join("+")
}

pub fn table(layout: &Layout) -> String {
    let labels: Vec<Vec<String>> = (0..layout.nodes())
        .map(|node| layout.cells_of(node).map(|cell| label(layout, cell)).collect())
        .collect();
    let heads: Vec<String> = (0..layout.nodes()).map(|node| format!("node {node}")).collect();
    let widths: Vec<usize> = (0..layout.nodes())
        .map(|node| labels[node].iter().chain([&heads[node]]).map(String::len).max().unwrap_or(0))
        .collect();
    let line = |cells: Vec<&String>| {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        padded.collect::<Vec<String>>().join(" | ").trim_end().to_string() + "\n"
    };
    let rules = widths.iter().map(|w| "-".repeat(*w)).collect::<Vec<String>>().join("-|-") + "\n";
    let rows = (0..layout.rows()).map(|row| line(labels.iter().map(|l| &l[row]).collect()));
    line(heads.iter().collect()) + &rules + &rows.collect::<String>()
}

/// One line a step, with the contents of its block. The client's steps come first.
pub fn steps(layout: &Layout, schedule: &Schedule) -> String {
    let mut seen: Vec<Vec<Vec<usize>>> = vec![Vec::new(); layout.nodes()];
    let mut lines = String::new();
    for step in &schedule.steps {
        let parts: Vec<Vec<usize>> = step.xor.iter().map(|s| contents(&seen, step, s)).collect();
        let whole = symmetric_difference(&parts);
        let from = match step.from {
            Party::Client => "client".to_string(),
            Party::Node(node) => format!("node {node}"),
        };
        let label = sum(layout, &whole);
        let made = match parts.len() {
            1 => String::new(),
            _ => {
                let parts: Vec<String> = parts.iter().map(|part| sum(layout, part)).collect();
                format!("   = {}", parts.join(" + "))
            }
        };
        let made = if made == format!("   = {}", label.replace('+', " + ")) { "" } else { &made };
        lines += &format!("{from} -> node {}: {label}{made}\n", step.to);
        seen[step.to].push(whole);
    }
    lines
}

fn contents(seen: &[Vec<Vec<usize>>], step: &Step, source: &Source) -> Vec<usize> {
    match (step.from, source) {
        (_, Source::Data(data)) => vec![*data],
        (Party::Node(node), Source::Block(block)) => seen[node][*block].clone(),
        (Party::Client, Source::Block(_)) => Vec::new(),
    }
}

fn symmetric_difference(parts: &[Vec<usize>]) -> Vec<usize> {
    let mut all: Vec<usize> = parts.concat();
    all.sort();
    let odd = |data: &usize| all.iter().filter(|d| *d == data).count() % 2 == 1;
    let mut kept: Vec<usize> = all.iter().copied().filter(odd).collect();
    kept.dedup();
    kept
}

/// One line a schedule with its cost \[blocks a stripe\].
///
/// # Errors
/// The first flaw of a schedule.
pub fn prices(layout: &Layout) -> Result<String, Flaw> {
    let pivots: Vec<Schedule> = (0..layout.nodes()).map(|v| pivot(layout, v)).collect();
    let rows = [("naive", vec![naive(layout)]), ("chain", vec![chain(layout)]), ("pivot", pivots)];
    let mut text = format!(
        "{:<9}{:>12}{:>16}{:>14}{:>15}\n",
        "schedule", "client out", "between nodes", "node in most", "node out most"
    );
    for (name, schedules) in rows {
        let price = mean_price(layout, &schedules)?;
        text += &format!(
            "{name:<9}{:>12.2}{:>16.2}{:>14.2}{:>15.2}\n",
            price.client_out.value(),
            price.between.value(),
            price.node_in.value(),
            price.node_out.value()
        );
    }
    Ok(text)
}
