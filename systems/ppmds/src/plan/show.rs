//! A plan in words and pictures.
use super::search::{Bench, Plan, Tried};
use crate::model::Times;
use page::words::{count, num, percent};
use page::{
    Axis, Body, Cell, Certainty, Column, Curves, Foot, Head, Line, Page, Panel, Role, Row, Section,
    Sentence, Table, say,
};
use system::provenance::command_line;
use system::words::figure;

/// What to change where this limits.
fn first(limiting: &str) -> &'static str {
    match limiting {
        "server NIC" => "network.startup at the servers, then more servers",
        "store" => "store.threads or store.group, then store.latency",
        "switch" => "network.switch: a NIC for each port",
        "client NIC" => "more clients: each has a NIC of its own",
        _ => "more clients, or a shorter round trip: store.latency, then network.startup",
    }
}

fn verdict(plan: &Plan) -> Sentence {
    match plan.servers {
        Some(servers) => say("").number(count(servers.into(), "server")).say(format!(
            " {} enough, {} to spare; {} limits.",
            if servers == 1 { "is" } else { "are" },
            percent(plan.margin),
            plan.limiting
        )),
        None => say(format!("No number of servers is enough: {} is the limit.", plan.limiting)),
    }
}

/// The plan on a terminal.
pub fn text(plan: &Plan) -> String {
    let mut out = format!(
        "{}\nChange first: {}.\n\n",
        page::plain(&verdict(plan).done()),
        first(plan.limiting)
    );
    out += &format!("{:>8} {:>16} {:>10}  limiting\n", "servers", "operations/s", "p99 ms");
    for Tried { servers, rate, p99_ms, limiting, meets } in &plan.rows {
        let (rate, p99) = (num(rate.mean, 0), num(p99_ms.mean, 2));
        let meets = if *meets { "meets" } else { "" };
        out += &format!("{servers:>8} {rate:>16} {p99:>10}  {limiting:<12} {meets}\n")
    }
    out
}

/// Why no number is enough.
pub fn forbidden(bench: &Bench, plan: &Plan) -> String {
    let best = plan.rows.iter().max_by(|a, b| a.rate.mean.total_cmp(&b.rate.mean));
    let best = best.expect("one was tried");
    let p99 = bench.wish.p99_ms.map_or(String::new(), |most| format!(" and --p99 {most} ms"));
    format!(
        "--target {}/s{p99}: no number of servers reaches it: {} limits at {} servers with {}/s \
         and a p99 of {} ms; expected a lower target, or first {}",
        figure(bench.wish.rate),
        plan.limiting,
        best.servers,
        figure(best.rate.mean),
        num(best.p99_ms.mean, 2),
        first(plan.limiting)
    )
}

/// The plan as a page.
pub fn page(bench: &Bench, plan: &Plan) -> Page {
    let times = Times::of(&bench.sheet);
    let most = 1.0 / times.at_server().as_secs();
    let needed = libm::ceil(bench.wish.rate / most);
    let certainty = Certainty::low("a model; tenbin check lists its parameters.");
    let closed = format!(
        "A server answers at most 1 / (start-up + transmission) = {}/s, so {} at least.",
        num(most, 0),
        num(needed, 0)
    );
    let head = Head::new([bench.sheet.name.clone(), "plan".to_string()], verdict(plan), certainty)
        .fact(format!("{} clients", bench.sheet.count("cluster.clients")).as_str())
        .subline(closed.as_str());
    Page::new("ppmds", head, Foot::new(command_line()))
        .with(curves(bench, plan, most))
        .with(table(plan))
}

fn curves(bench: &Bench, plan: &Plan, most: f64) -> Section {
    let points = |of: &dyn Fn(&Tried) -> f64| -> Vec<(f64, f64)> {
        plan.rows.iter().map(|row| (f64::from(row.servers), of(row))).collect()
    };
    let last = plan.rows.last().map_or(1.0, |row| f64::from(row.servers));
    let flat = |y: f64| [(1.0, y), (last, y)];
    let form = [(1.0, most), (last, most * last)];
    let rate = Panel {
        name: "operations".into(),
        unit: "1/s".into(),
        lines: vec![
            Line::new("simulated", Role::Now, points(&|row| row.rate.mean)).dots(),
            Line::new("target", Role::Recommended, flat(bench.wish.rate)),
            Line::new("servers / (start-up + transmission)", Role::Other, form),
        ],
        ..Panel::default()
    };
    let mut lines = vec![Line::new("p99", Role::Now, points(&|row| row.p99_ms.mean)).dots()];
    lines.extend(bench.wish.p99_ms.map(|y| Line::new("limit", Role::Recommended, flat(y))));
    let latency = Panel { name: "p99".into(), unit: "ms".into(), lines, ..Panel::default() };
    let x = Axis::log("servers", "", 1.0, last.max(2.0));
    let panels = vec![rate, latency];
    let body = Body::Curves(Curves { x, panels, moments: Vec::new() });
    Section::new("plan", "By the number of servers", "means over seeds", body)
}

fn table(plan: &Plan) -> Section {
    let columns = vec![
        Column::numbers("servers", "", 0),
        Column::numbers("operations", "1/s ± 95 %", 0),
        Column::numbers("p99", "ms ± 95 %", 2),
        Column::words("limiting"),
        Column::words("meets"),
    ];
    let row = |row: &Tried| {
        let role = if plan.servers == Some(row.servers) { Role::Recommended } else { Role::Other };
        Row::of(
            role,
            vec![
                Cell::number(row.servers.into()),
                Cell::mean(row.rate.mean, row.rate.ci95),
                Cell::mean(row.p99_ms.mean, row.p99_ms.ci95),
                Cell::text(row.limiting),
                Cell::text(if row.meets { "yes" } else { "no" }),
            ],
        )
    };
    let rows = plan.rows.iter().map(row).collect();
    Section::new("counts", "Counts that were tried", "", Body::Table(Table { columns, rows }))
}
