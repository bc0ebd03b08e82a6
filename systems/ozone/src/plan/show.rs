//! Output of a plan: text, JSON and page.
use super::runbook::runbook;
use super::search::{LimitResult, Plan};
use super::space::cap;
use crate::names::many;
use analysis::stat::SAME;
use page::{
    Axis, Body, Cell, Certainty, Column, Do, Foot, Head, Origin, Page, Point, Points, Row, Scatter,
    Section, Sentence, Table, Width, say,
};
use serde_json::{Value, json};
use std::path::Path;
use system::provenance::command_line;
use system::reporter::figure;
use trace::reading::Role;

const HELD: usize = 3;

fn setting(tried: &LimitResult) -> String {
    let [pipelines, disks] =
        [(tried.limit, "pipeline"), (tried.logs, "disk")].map(|(n, one)| many(n, one));
    format!("up to {pipelines} a node and RaftLogs on {disks}")
}

/// The verdict, with the cap on pipelines if there is one.
fn verdict(plan: &Plan) -> Sentence {
    match cap(&plan.sheet) {
        Some(cap) => recommended(plan).say(" SCM opens at most ").say(format!(
            "{} in total, for any limit of a node: ozone.scm.ratis.pipeline.limit.",
            many(cap, "pipeline")
        )),
        None => recommended(plan),
    }
}

fn recommended(plan: &Plan) -> Sentence {
    let (now, best) = (&plan.now, plan.recommended());
    let writes = figure(best.writes.mean);
    match plan.changes() {
        true => say("").number(format!("{writes} writes/s")).say(format!(
            " instead of {}, with {}.",
            figure(now.writes.mean),
            setting(best)
        )),
        false => say("Nothing to change: ").number(format!("{writes} writes/s")).say(format!(
            " with {}; no tried setting surely gains {:.0} %, or {:.0} % by a restart.",
            setting(now),
            SAME * 100.0,
            2.0 * SAME * 100.0
        )),
    }
}

fn price(plan: &Plan) -> String {
    let again = plan.again.filter(|_| plan.changes()).map(|change| {
        format!("With five other seeds: {:+.0} ± {:.0} writes/s.", change.by.mean, change.by.ci95)
    });
    let price = plan.changes().then(|| format!("Price: {}", plan.price.join(" ")));
    again.into_iter().chain(price).collect::<Vec<_>>().join(" ")
}

fn beyond(plan: &Plan) -> Option<String> {
    let (best, fastest) = (plan.best?, &plan.tried[plan.fastest]);
    let p99 = |tried: &LimitResult| format!("{:.0} ms", tried.p99);
    let now = format!(
        "99 of 100 writes end within {} instead of {}.",
        p99(&plan.tried[best]),
        p99(&plan.now)
    );
    Some(match best == plan.fastest {
        true => now,
        false => format!(
            "{now} More: {} give {} writes/s (--fastest).",
            setting(fastest),
            figure(fastest.writes.mean)
        ),
    })
}

fn held(tried: &LimitResult) -> String {
    let words =
        tried.held.iter().take(HELD).map(|(who, _, share)| format!("{:.0} % {who}", share * 100.0));
    words.collect::<Vec<_>>().join(", ")
}

fn tested(plan: &Plan) -> String {
    match (plan.changes(), plan.doubtful.as_slice()) {
        (false, _) => "Each assumption at half and at double.".into(),
        (true, []) => {
            "Each assumption at half and at double: the recommendation writes more in all cases."
                .into()
        }
        (true, keys) => format!(
            "Each assumption at half and at double: the recommendation does not write more with \
             other values of {}.",
            keys.join(", ")
        ),
    }
}

pub fn text(plan: &Plan, place: &Path) -> String {
    let mut out = format!("{}\n", page::plain(&verdict(plan).done()));
    out += &beyond(plan).map(|text| format!("{text}\n{}\n", price(plan))).unwrap_or_default();
    out +=
        &format!("Then writes are held up by {}.\n{}\n\n", held(plan.recommended()), tested(plan));
    if plan.changes() {
        let runbook = runbook(plan);
        out += &format!("{}\n{}\n", runbook.text(place), runbook.fragment())
    }
    out += &grid(plan);
    if let Some(Do { point, more, .. }) = &plan.advice.0 {
        out += &format!(
            "\nAdvice of `tenbin run` on all settings: {} {}\n",
            page::plain(point),
            page::plain(more)
        )
    }
    out + &format!("\n{}\n", place.join("report.html").display())
}

/// Writes per second: rows are limits, columns are log disks.
fn grid(plan: &Plan) -> String {
    let mut logs: Vec<u64> = plan.tried.iter().map(|t| t.logs).collect();
    let mut limits: Vec<u64> = plan.tried.iter().map(|t| t.limit).collect();
    for all in [&mut logs, &mut limits] {
        all.sort_unstable();
        all.dedup()
    }
    let head: String = logs.iter().map(|n| format!("{n:>8}")).collect();
    let mut out =
        format!("writes/s by limit, and by log disks, with pipelines opened again\n      {head}\n");
    for &limit in &limits {
        out += &format!("{limit:>6}");
        for &n in &logs {
            let is_here = |t: &&LimitResult| t.reopened && (t.limit, t.logs) == (limit, n);
            let tried = plan.tried.iter().find(is_here);
            out += &tried.map_or(format!("{:>8}", ""), |t| format!("{:>8.0}", t.writes.mean))
        }
        out.push('\n')
    }
    out
}

pub fn json(plan: &Plan) -> Value {
    let row = |t: &LimitResult| {
        json!({ "limit": t.limit, "log_disks": t.logs, "writes_per_s": t.writes.mean,
                "ci95": t.writes.ci95, "gain": t.gain.mean, "gain_ci95": t.gain.ci95,
                "latency_ms_p99": t.p99, "seeds": t.seeds })
    };
    let held: Vec<Value> = plan
        .recommended()
        .held
        .iter()
        .take(HELD)
        .map(|(who, _, share)| json!({ "holder": who, "share": share }))
        .collect();
    let runbook = runbook(plan);
    json!({
        "system": "ozone",
        "now": row(&plan.now),
        "best": row(plan.recommended()),
        "changes": plan.changes(),
        "margin": plan.margin(),
        "fastest": row(&plan.tried[plan.fastest]),
        "held": held,
        "no_more_where": plan.doubtful,
        "price": plan.price,
        "other_seeds": plan.again.map(|c| json!({ "gain": c.by.mean, "gain_ci95": c.by.ci95 })),
        "curve": plan.tried.iter().map(row).collect::<Vec<_>>(),
        "fragment": runbook.fragment(),
        "undo": runbook.undo(),
    })
}

pub fn page(plan: &Plan, place: &Path) -> Page {
    let certainty = Certainty::low("a model; tenbin check lists its parameters.");
    let crumbs = [plan.sheet.name.clone(), "plan".to_string()];
    let assumed = say(tested(plan)).then(plan.tested.note.clone());
    let mut head = Head::new(crumbs, verdict(plan), certainty)
        .fact(format!("{} nodes", plan.sheet.count("cluster.nodes")).as_str())
        .fact(format!("{} disks each", plan.sheet.count("hardware.disks_per_node")).as_str())
        .subline(beyond(plan).unwrap_or_default().as_str())
        .assumed("1/s", assumed, plan.tested.rows.clone());
    for (role, text) in held_up(plan) {
        head = head.held_up(system::reporter::hue(role), text)
    }
    head.r#do = plan.changes().then(|| Do {
        point: say("").strong(setting(plan.recommended())).say(", by the steps below.").done(),
        more: say(price(plan)).done(),
        command: None,
    });
    let mut page = Page::new("ozone", head, Foot::new(command_line()));
    if plan.changes() {
        page = page.with(runbook(plan).section(place))
    }
    page.with(curve(plan)).with(table(plan))
}

/// Bottlenecks of the present setting, and what is left of them with the recommendation.
fn held_up(plan: &Plan) -> Vec<(Role, Sentence)> {
    let (now, then) = (&plan.now.held, &plan.recommended().held);
    let part = |held: &[(String, Role, f64)], who: &str| {
        let known = held.iter().find(|(one, ..)| one == who);
        known.map_or(0.0, |(.., share)| *share)
    };
    let new = then.iter().filter(|(who, ..)| part(now, who) == 0.0).filter(|_| plan.changes());
    let one = |(who, role, _): &(String, Role, f64)| {
        let percent = |held| page::words::percent(part(held, who));
        let text = say("").strong(percent(now)).say(" ");
        let text = match role {
            Role::Setting => text.key(who.as_str()),
            _ => text.say(who.as_str()),
        };
        let after = match plan.changes() {
            true => format!(" now, {} as recommended", percent(then)),
            false => " now".into(),
        };
        (*role, text.say(after))
    };
    now.iter().take(HELD).chain(new.take(HELD)).map(one).collect()
}

/// Writes per second by limit, one line per number of log disks.
fn curve(plan: &Plan) -> Section {
    let mut logs: Vec<u64> = plan.tried.iter().map(|t| t.logs).collect();
    logs.sort_unstable();
    logs.dedup();
    let top = plan.tried.iter().map(|t| t.writes.mean + t.writes.ci95).fold(1.0, f64::max);
    let point = |t: &LimitResult| Point {
        x: t.limit as f64,
        y: t.writes.mean,
        low: (t.seeds > 1).then_some(t.writes.mean - t.writes.ci95),
        high: (t.seeds > 1).then_some(t.writes.mean + t.writes.ci95),
        name: String::new(),
    };
    let line = |n: &u64| Points {
        name: format!("{n} log disk{}", if *n == 1 { "" } else { "s" }),
        origin: Origin::Ours,
        kind: None,
        joined: true,
        points: plan.tried.iter().filter(|t| t.logs == *n).map(point).collect(),
    };
    let series = logs.iter().map(line).collect();
    let x = Axis::linear("pipelines a node", "", 0.0, 10.5);
    let y = Axis::linear("writes", "1/s", 0.0, top * 1.05);
    let body = Body::Scatter(Scatter { x, y, series, diagonal: false });
    let how = "95 % intervals, if several seeds";
    Section::new("curve", "Writes by the limit", how, body).width(Width::Half)
}

fn table(plan: &Plan) -> Section {
    let columns = vec![
        Column::numbers("limit", "", 0),
        Column::numbers("log disks", "", 0),
        Column::numbers("writes", "1/s", 0),
        Column::numbers("against now", "1/s", 0),
        Column::numbers("99 of 100 within", "ms", 0),
        Column::numbers("seeds", "", 0),
    ];
    let row = |role, t: &LimitResult| {
        let number = |n: u64| Cell::number(n as f64);
        let several = t.seeds > 1;
        let gain = match several {
            true => Cell::difference(t.gain.mean, t.gain.ci95),
            false => Cell::number(t.gain.mean),
        };
        let writes = match several {
            true => Cell::mean(t.writes.mean, t.writes.ci95),
            false => Cell::number(t.writes.mean),
        };
        let cells = vec![
            number(t.limit),
            number(t.logs),
            writes,
            gain,
            Cell::number(t.p99),
            number(t.seeds as u64),
        ];
        Row { role, ..Row::new(cells) }
    };
    let role = |at| (plan.best == Some(at)).then_some(page::Role::Recommended);
    let mut rows = vec![row(Some(page::Role::Now), &plan.now)];
    rows.extend(plan.tried.iter().enumerate().map(|(at, t)| row(role(at), t)));
    Section::new("tried", "Tried settings", "", Body::Table(Table { columns, rows }))
}
