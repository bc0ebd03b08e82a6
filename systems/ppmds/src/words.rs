//! PPMDS's part of a report.
use crate::model::Bound;
use crate::recorder::RunResults;
use crate::recorder::away::AWAY;
use crate::recorder::kinds::{Kind, Kinds};
use crate::recorder::phases::Summary;
use cluster::Sheet;
use page::words::count;
use page::{Axis, Body, Capacity, Curves, Line, Panel, Role, Section, Sentence, Width, say};
use ppmds_protocol::OperationKind;
use serde_json::{Map, Value, json};
use system::advice::{Price, Relief};
use system::lab::SeedRun;
use system::measured::MeasuredRates;
use system::reporter::{JsonScope, figure};
use system::without;
use system::{Case, Reporter};
use trace::reading::Hotspot;

/// Metrics that a higher rate may cost.
static PRICES: [Price; 2] = [
    Price::less("latency_ms_p99", "99 of 100 operations end in", "ms"),
    Price::less("operations_failed", "operations that failed", "").never(),
];

/// A service that answers less than this share of the offered load does not keep up.
const KEEPS_UP: f64 = 0.99;

pub struct Page;

impl Reporter for Page {
    fn verdict(&self, case: &Case<'_>) -> Sentence {
        if case.now().objective.metric == "latency_ms_mean" {
            let mean = figure(case.metric("latency_ms_mean"));
            let all = count(units::floored_u64(case.metric("operations")), "operation");
            let said = say("").number(format!("{mean} ms an operation"));
            return said
                .say(format!(" on average, of {all} at their own times, on {}.", servers(case)));
        }
        let rate = figure(case.metric("operations_per_s"));
        let servers = servers(case);
        let clients = count(case.sheet.count("cluster.clients"), "client");
        let said = say("").number(format!("{rate} operations/s"));
        let wanted = case.metric("operations_wanted_per_s");
        if wanted > 0.0 && case.metric("operations_per_s") < KEEPS_UP * wanted {
            let wanted = figure(wanted);
            return said
                .say(format!(" of the offered {wanted}, on {servers}: queues keep growing."));
        }
        said.say(format!(" on {servers}, for {clients}."))
    }

    fn facts(&self, case: &Case<'_>) -> Vec<Sentence> {
        let p99 = figure(case.metric("latency_ms_p99"));
        let crashes = case.metric("server_crashes");
        let mut facts = vec![say(case.sheet.text("policy.metadata")), say(format!("p99 {p99} ms"))];
        if crashes > 0.0 {
            facts.push(say(format!("server crashes: {crashes:.0}")))
        }
        facts
    }

    fn subtitle(&self, case: &Case<'_>) -> Sentence {
        if !is_plain(case.sheet) {
            return Sentence::default();
        }
        let bound = Bound::of(case.sheet);
        say(format!(
            "Closed form: knee at {} clients, ceiling {}/s ({}).",
            figure(bound.knee()),
            figure(bound.ceiling),
            bound.why
        ))
    }

    fn extra_json(&self, of: JsonScope<'_>) -> Map<String, Value> {
        let mut object = Map::new();
        if let JsonScope::Run(run) = of
            && let Some(results) = RunResults::of(&run.own)
        {
            object.insert("operations_by_kind".into(), by_kind(&results.kinds));
            if !results.summary.is_empty() {
                object.insert("mdtest".into(), summary(&results.summary));
            }
        }
        object
    }

    fn relief(&self, case: &Case<'_>, hot: &Hotspot) -> Option<Relief> {
        let sheet = case.sheet;
        let node = case.trace.resources[hot.resource.at()].node?;
        let is_server = case.trace.nodes[node.at()].role == "server";
        let is_cold = sheet.text("workload.start") == "cold"
            && sheet.text("workload.kind") == "create"
            && sheet.count("workload.directories") < sheet.count("cluster.servers");
        (is_server && is_cold).then(|| Relief {
            words: format!(
                "Each of {} fetches the directory's inode before its first create. Clients that \
                 start one by one, or know the directory, avoid this.",
                count(sheet.count("cluster.clients"), "client")
            ),
            vary: Some("workload.start=cold,warm".into()),
        })
    }

    fn prices(&self) -> &'static [Price] {
        &PRICES
    }

    fn measured(&self, sheet: &Sheet, runs: &[SeedRun]) -> Option<MeasuredRates> {
        crate::measured::measured(sheet, runs)
    }

    fn sections(&self, case: &Case<'_>) -> Vec<Section> {
        let knee = is_plain(case.sheet).then(|| knee(case));
        let measured = self.measured(case.sheet, &case.rows[0].runs);
        let far = measured.is_some_and(|measured| measured.far().is_some());
        // If the model is far from the measured system, its gains are of no use to that system.
        let without = without::section(case, &AWAY).filter(|_| !far).map(|table| match knee {
            Some(_) => table.width(Width::Smaller),
            None => table,
        });
        let tables = crate::tables::sections(case);
        without.into_iter().chain(knee).chain(tables).collect()
    }
}

fn servers(case: &Case<'_>) -> String {
    count(case.sheet.count("cluster.servers"), "server")
}

fn by_kind(kinds: &Kinds) -> Value {
    let of = |(op, kind): (OperationKind, &Kind)| {
        let each = |sum: u64| sum as f64 / kind.transactions.max(1) as f64;
        let value = json!({
            "operations": kind.operations,
            "failed": kind.failed,
            "transactions": kind.transactions,
            "messages_each": each(kind.messages),
            "aborts": kind.aborts,
            "retries": kind.retries,
            "latency_ms_p50": kind.p50_ms,
            "latency_ms_p99": kind.p99_ms,
        });
        (op.name().to_string(), value)
    };
    Value::Object(kinds.all().map(of).collect())
}

fn summary(all: &[Summary]) -> Value {
    let of = |one: &Summary| {
        let Summary { name, max, min, mean, std_dev } = one;
        (name.clone(), json!({ "max": max, "min": min, "mean": mean, "std_dev": std_dev }))
    };
    Value::Object(all.iter().map(of).collect())
}

/// Whether the closed form holds: creates in one directory, closed loop, `hash`, no loss.
fn is_plain(sheet: &Sheet) -> bool {
    sheet.text("workload.kind") == "create"
        && sheet.text("workload.loop") == "closed"
        && sheet.count("workload.directories") == 1
        && sheet.text("policy.metadata") == "hash"
        && sheet.number("network.loss") == 0.0
}

/// Rate over clients: the closed form and the simulated variants.
fn knee(case: &Case<'_>) -> Section {
    let bound = Bound::of(case.sheet);
    let clients_of = |set: &[(String, String)]| {
        let named = set.iter().rev().find(|(key, _)| key == "cluster.clients");
        named.and_then(|(_, value)| value.parse::<f64>().ok())
    };
    let other = |(key, _): &(String, String)| key != "cluster.clients";
    // Variants that also change another key have another closed form.
    let now = case.sheet.count("cluster.clients") as f64;
    let mut points: Vec<(f64, f64)> = case
        .figures
        .iter()
        .enumerate()
        .filter(|(place, row)| *place == 0 || !row.set.iter().any(other))
        .filter_map(|(_, row)| Some((clients_of(&row.set).unwrap_or(now), row.value?.mean)))
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let to = points.iter().map(|p| p.0).fold(2.0 * bound.knee(), f64::max);
    let form = [(0.0, 0.0), (bound.knee(), bound.ceiling), (to, bound.ceiling)];
    let panel = Panel {
        name: "creates".into(),
        unit: "1/s".into(),
        capacity: Some(Capacity { at: bound.ceiling, name: bound.why.into() }),
        lines: vec![
            Line::new("closed form", Role::Other, form),
            Line::new("simulated", Role::Now, points).dots(),
        ],
        ..Panel::default()
    };
    let x = Axis::linear("clients", "", 0.0, to);
    let body = Body::Curves(Curves { x, panels: vec![panel], moments: Vec::new() });
    let how = "means over seeds; formula: tenbin explain ppmds";
    Section::new("knee", "Knee and ceiling", how, body).width(Width::Larger)
}
