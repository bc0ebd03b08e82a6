//! Chart of bytes sent and received by node.
use crate::context::Context;
use crate::load::NodeTraffic;
use crate::run::Run;
use crate::sentences::notes;
use hdfs_trace::Trace;
use page::{Balance, BalancePanel, Body, Section};

const ROWS: usize = 6;
/// With more nodes the chart is a histogram.
const DOTS: usize = 200;

/// `rows`: names with the first run of each.
pub fn balance(context: &Context, rows: &[(&str, &Run)], trace: &Trace) -> Section {
    let shown = &rows[..rows.len().min(ROWS)];
    let panel = |title: &str, bytes: fn(&NodeTraffic) -> u64| {
        let load = |node: &NodeTraffic| node.alive.then(|| bytes(node) as f64);
        let row = |(name, run): &(&str, &Run)| {
            (name.to_string(), run.carried.iter().map(load).collect::<Vec<_>>())
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
    let section = match shown.len() < rows.len() {
        true => section.tag(format!("{} of {} rows", shown.len(), rows.len())),
        false => section,
    };
    match live == 0 || !copied {
        true => section.empty("No live node sent or received a block.", ""),
        false => section.note(note),
    }
}
