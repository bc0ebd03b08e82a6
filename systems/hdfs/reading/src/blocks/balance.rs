//! How even what nodes sent and received lies.
use super::{drawable, small, tagged};
use crate::report::{self, Report, Variant};
use crate::words::num;
use page::{Balance, BalancePanel, BalanceRow, Body, Section, Width};

/// So many distributions find room beside each other.
const ROWS: usize = 6;
/// Of more nodes the picture is a histogram.
const DOTS: usize = 200;

/// A dot a node.
pub fn balance(report: &Report) -> Section {
    let variants = &report.variants;
    let shown = drawable(variants, ROWS);
    let (of, all) = (shown.len(), variants.len());
    let cut = (of < all).then(|| format!("{of} of {all} variants"));
    let now = shown.first().map(|row| &row.balance);
    let live = now.map_or(0, |now| now.receive.iter().flatten().count());
    let copied = shown.iter().any(|row| row.balance.receive_mean_bytes > 0.0);
    let panel = |title: &str, at: fn(&report::Balance) -> f64, of: Loads| BalancePanel {
        title: title.into(),
        centre: "mean".into(),
        at: now.map(at),
        unit: "B".into(),
        head: "max/mean".into(),
        limit: None,
        rows: shown.iter().map(|row| row_of(row, of)).collect(),
    };
    let body = Body::Balance(Balance {
        panels: vec![
            panel("Sent", |of| of.send_mean_bytes, |of| &of.send),
            panel("Received", |of| of.receive_mean_bytes, |of| &of.receive),
        ],
        names: report.drill.nodes.iter().map(|node| node.name.clone()).collect(),
        marked: report.marked_nodes.clone(),
        marked_note: String::new(),
        open: "node".into(),
    });
    let qualifier = match live > DOTS {
        true => "one seed; nodes by load; dots: the top 5",
        false => "a dot is a node; one seed",
    };
    let (width, wide) = match report.foreground.is_some() {
        true => (Width::Smaller, small(report)),
        false => (Width::Third, Width::Third),
    };
    let section = Section::new("balance", "Balance", qualifier, body).width(width).wide(wide);
    let mut section = tagged(section, report, "balance", cut);
    if live == 0 || !copied {
        return section.empty("No live node sent or received a block.", "");
    }
    section.note.clone_from(&report.balance_note);
    section
}

type Loads = fn(&report::Balance) -> &Vec<Option<f64>>;

fn row_of(variant: &Variant, of: Loads) -> BalanceRow {
    let loads = of(&variant.balance).clone();
    let most = loads.iter().flatten().copied().fold(0.0, f64::max);
    BalanceRow { name: variant.name.clone(), loads, value: num(most, 2), label: String::new() }
}
