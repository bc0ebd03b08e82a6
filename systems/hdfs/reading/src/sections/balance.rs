//! How even what nodes sent and received lies.
use super::{cut, drawable};
use crate::compare::Variant;
use crate::context::Context;
use crate::load::Carried;
use crate::run::VariantRuns;
use crate::sentences::notes;
use hdfs_trace::Trace;
use page::{Balance, BalancePanel, Body, Section};

/// So many distributions find room beside each other.
const ROWS: usize = 6;
/// Of more nodes the picture is a histogram.
const DOTS: usize = 200;

pub fn balance(
    context: &Context,
    variants: &[VariantRuns],
    rows: &[Variant],
    trace: &Trace,
) -> Section {
    let shown = drawable(rows, ROWS);
    let of = |place: usize| variants[place].runs.first().map_or(&[][..], |run| &run.carried);
    let panel = |title: &str, bytes: fn(&Carried) -> u64| {
        let load = |node: &Carried| node.alive.then(|| bytes(node) as f64);
        let row = |&place: &usize| {
            (rows[place].name.clone(), of(place).iter().map(load).collect::<Vec<_>>())
        };
        let rows: Vec<(String, Vec<Option<f64>>)> = shown.iter().map(row).collect();
        BalancePanel::of_loads(title, "B", &rows)
    };
    let panels =
        vec![panel("Sent", |node| node.sent_bytes), panel("Received", |node| node.received_bytes)];
    let received = || panels[1].rows.iter();
    let live = received().next().map_or(0, |now| now.loads.iter().flatten().count());
    let copied = received().any(|row| row.loads.iter().flatten().any(|load| *load > 0.0));
    let (note, marked) = notes::balance(context, trace);
    let body = Body::Balance(Balance {
        panels,
        names: trace.nodes.iter().map(|node| node.name.clone()).collect(),
        marked,
        marked_note: String::new(),
        open: "node".into(),
    });
    let qualifier = match live > DOTS {
        true => "one seed; nodes by load; dots: the top 5",
        false => "a dot is a node; one seed",
    };
    let section = Section::new("balance", "Balance", qualifier, body);
    let section = cut(shown.len(), rows.len(), "").into_iter().fold(section, Section::tag);
    match live == 0 || !copied {
        true => section.empty("No live node sent or received a block.", ""),
        false => section.note(note),
    }
}
