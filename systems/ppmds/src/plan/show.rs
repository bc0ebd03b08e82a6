//! A plan as text and as a page.
use super::bench::{Candidate, Counts};
use super::load;
use super::search::{ChangeResult, Plan};
use crate::model::Times;
use page::words::{count, num, percent, spaces};
use page::{
    Axis, Body, Cell, Certainty, Column, Curves, Do, Foot, Head, Line, Page, Panel, Role, Row,
    Section, Sentence, Table, Width, say,
};
use system::assumed::Assumptions;
use system::plan::Verdict;
use system::provenance::command_line;
use system::reporter::figure;

/// Margin below which the answer names a lack of headroom.
const HEADROOM: f64 = 0.1;

fn margin(bench: &Counts<'_>, candidate: &Candidate) -> String {
    match bench.goal.p99_ms {
        Some(most) => format!(
            "a p99 of {} ms is {} under {most} ms",
            num(candidate.p99_ms.mean, 2),
            percent(candidate.margin)
        ),
        None => {
            format!(
                "the busiest part ({}) is idle for {}",
                candidate.limiting,
                percent(candidate.margin)
            )
        }
    }
}

fn verdict(bench: &Counts<'_>, plan: &Plan) -> Sentence {
    let Some(servers) = plan.servers else {
        return say(format!("No number of servers is enough: {} is the limit.", plan.limiting));
    };
    let are = if servers == 1 { "is" } else { "are" };
    let (answer, rate) = (margin(bench, &plan.answer), figure(bench.goal.rate));
    let fewer = match (servers, plan.open()) {
        (1, _) => String::new(),
        (_, Some(open)) => format!(
            " One fewer meets the target in some seeds only ({} of {}): {}.",
            open.meeting, open.seeds, plan.limiting
        ),
        (_, None) => format!(" One fewer misses the target: {}.", plan.limiting),
    };
    let headroom = match plan.answer.margin < HEADROOM {
        true => " No headroom: plan one more for additional load.",
        false => "",
    };
    let lies = match plan.spread {
        Some(spread) => {
            format!(", a directory on {spread} of them (policy.servers_per_directory),")
        }
        None => String::new(),
    };
    say("")
        .number(count(servers.into(), "server"))
        .say(format!("{lies} {are} enough for {rate} operations/s: {answer}.{fewer}{headroom}"))
}

/// The best change and its price.
fn first(plan: &Plan) -> String {
    let tried: Vec<String> = plan.changes.iter().map(|result| result.change.words()).collect();
    let are = |servers| match servers {
        1 => "1 server is".into(),
        _ => format!("{servers} servers are"),
    };
    match (plan.first(), plan.servers) {
        (Some((change, servers)), _) if change.hardware => format!(
            "No setting saves a server. Other hardware would: {}: {} enough then (simulated). \
             Price: {}.",
            change.words(),
            are(servers),
            change.price
        ),
        (Some((change, servers)), _) => format!(
            "Change first: {}: {} enough then (simulated). Price: {}.",
            change.words(),
            are(servers),
            change.price
        ),
        (None, Some(1)) => "Nothing to change: no service has fewer servers.".into(),
        (None, Some(_)) => {
            format!(
                "Nothing to change: in simulation, none of these saves a server: {}.",
                tried.join(", ")
            )
        }
        (None, None) => {
            format!("No change alone is enough (simulated): {}.", tried.join(", "))
        }
    }
}

fn offered(bench: &Counts<'_>) -> String {
    let (sheet, goal) = (&bench.sheet, &bench.goal);
    let clients = sheet.count("cluster.clients");
    let waiting = load::waiting_clients(sheet, goal);
    let mut said = format!(
        "Offered: {} operations/s of {}, independently of answers, to a service that has run for \
         long.",
        figure(goal.rate),
        count(clients, "client")
    );
    if waiting > clients {
        said += &format!(
            " Clients that wait for each answer offer this rate from {waiting} on (a round trip of \
             {} ms): {} {} several operations at a time.",
            num(load::round_trip_s(sheet) * 1e3, 2),
            count(clients, "client"),
            if clients == 1 { "has" } else { "have" }
        )
    }
    said
}

pub fn text(bench: &Counts<'_>, plan: &Plan) -> String {
    let verdict = page::plain(&verdict(bench, plan).done());
    let mut out = format!("{verdict}\n{}\n{}\n\n", first(plan), offered(bench));
    out += &format!("{:>8} {:>16} {:>10}  busiest\n", "servers", "operations/s", "p99 ms");
    for Candidate { servers, rate, p99_ms, limiting, busy, verdict, .. } in &plan.rows {
        let (rate, p99) = (spaces(&num(rate.mean, 0)), spaces(&num(p99_ms.mean, 2)));
        let busiest = spaces(&format!("{limiting} {}", percent(*busy)));
        let meets = match verdict {
            Verdict::Meets => "meets",
            Verdict::Misses => "",
            Verdict::Open => "in some seeds",
        };
        let row = format!("{servers:>8} {rate:>16} {p99:>10}  {busiest:<18} {meets}");
        out += &format!("{}\n", row.trim_end())
    }
    out
}

pub fn forbidden(bench: &Counts<'_>, plan: &Plan) -> String {
    let best = &plan.answer;
    let p99 = bench.goal.p99_ms.map_or(String::new(), |most| format!(" and --p99 {most} ms"));
    format!(
        "--target {}/s{p99}: no number of servers reaches the target: {} limits at {} servers with \
         {}/s and a p99 of {} ms; expected a lower target. {}",
        figure(bench.goal.rate),
        plan.limiting,
        best.servers,
        figure(best.rate.mean),
        num(best.p99_ms.mean, 2),
        first(plan)
    )
}

pub fn page(bench: &Counts<'_>, plan: &Plan, assumed: Assumptions) -> Page {
    let most = 1.0 / Times::of(&bench.sheet).at_server().as_secs();
    let certainty = Certainty::low("a model; tenbin check lists its parameters.");
    let names = [bench.sheet.name.clone(), "plan".to_string()];
    let head = Head::new(names, verdict(bench, plan), certainty).fact(offered(bench).as_str());
    let head = head.assumed("ms", assumed.note, assumed.rows);
    let head = Head { r#do: Some(doing(plan)), ..head };
    let mut page = Page::new("ppmds", head, Foot::new(command_line()));
    // One number gives no curve.
    if plan.rows.len() > 1 {
        page = page.with(curves(bench, plan, most))
    }
    page = page.with(table(plan));
    match plan.changes.is_empty() {
        true => page,
        false => page.with(changes(plan)),
    }
}

fn doing(plan: &Plan) -> Do {
    let said = first(plan);
    let (what, rest) = said.split_once(": ").unwrap_or((&said, ""));
    let point = say("").strong(format!("{what}:")).say(format!(" {rest}"));
    Do { point: point.done(), more: Vec::new(), command: None }
}

fn changes(plan: &Plan) -> Section {
    let columns = vec![
        Column::words("change"),
        Column::words("servers that are enough"),
        Column::words("price"),
    ];
    let row = |ChangeResult { change, servers }: &ChangeResult| {
        let servers = servers.map_or("as many as without".into(), |servers| servers.to_string());
        let cells = [change.words(), servers, change.price.to_string()];
        Row::new(cells.iter().map(|cell| Cell::text(cell.as_str())).collect())
    };
    let rows = plan.changes.iter().map(row).collect();
    let what = "each on its own, simulated with one server fewer";
    Section::new("changes", "Other changes", what, Body::Table(Table { columns, rows }))
}

fn curves(bench: &Counts<'_>, plan: &Plan, most: f64) -> Section {
    let points = |of: &dyn Fn(&Candidate) -> f64| -> Vec<(f64, f64)> {
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
            Line::new("target", Role::Recommended, flat(bench.goal.rate)),
            Line::new("servers / (start-up + transmission)", Role::Other, form),
        ],
        ..Panel::default()
    };
    let mut lines = vec![Line::new("p99", Role::Now, points(&|row| row.p99_ms.mean)).dots()];
    lines.extend(bench.goal.p99_ms.map(|y| Line::new("limit", Role::Recommended, flat(y))));
    let latency = Panel { name: "p99".into(), unit: "ms".into(), lines, ..Panel::default() };
    let x = Axis::log("servers", "", 1.0, last.max(2.0));
    let panels = vec![rate, latency];
    let body = Body::Curves(Curves { x, panels, moments: Vec::new() });
    Section::new("plan", "By the number of servers", "means over seeds", body).width(Width::Half)
}

fn table(plan: &Plan) -> Section {
    let columns = vec![
        Column::numbers("servers", "", 0),
        Column::numbers("operations", "1/s ± 95 %", 0),
        Column::numbers("p99", "ms ± 95 %", 2),
        Column::words("busiest"),
        Column::words("meets"),
    ];
    let row = |row: &Candidate| {
        let role = if plan.servers == Some(row.servers) { Role::Recommended } else { Role::Other };
        Row::of(
            role,
            vec![
                Cell::number(row.servers.into()),
                Cell::mean(row.rate.mean, row.rate.ci95),
                Cell::mean(row.p99_ms.mean, row.p99_ms.ci95),
                Cell::text(row.limiting),
                Cell::text(match row.verdict {
                    Verdict::Meets => "yes",
                    Verdict::Misses => "no",
                    Verdict::Open => "in some seeds",
                }),
            ],
        )
    };
    let rows = plan.rows.iter().map(row).collect();
    Section::new("counts", "Tried numbers of servers", "", Body::Table(Table { columns, rows }))
}
