//! `tenbin reproduce s0`
use crate::cli::Reproduce;
use crate::failure::Failure;
use crate::output::{self, Output};
use crate::reproduce::cell::{Cell, Data};
use crate::reproduce::claims::{self, Claim, Judged};
use crate::reproduce::page::Provenance;
use crate::reproduce::runs::Asked;
use crate::reproduce::{cell, figures, page, reading, runs, table};
use crate::{interrupt, job, partial, say};
use scenario::Scenario;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Runs what the claims need, judges them, and writes page, table and numbers.
pub fn reproduce(args: Reproduce) -> Result<(), Failure> {
    let started = crate::clock::now();
    let place = args.out.unwrap_or_else(|| PathBuf::from("out/reproduce-s0"));
    output::check_place(&place)?;
    output::check_place(&partial::place(&place))?;
    let base = runs::base()?;
    let all = claims::all();
    let cells = cell::distinct(all.iter().flat_map(|c| (c.needs)()));
    let asked: Vec<Asked> = cells.iter().map(|&cell| Asked { cell, besides: None }).collect();
    let rows = runs::run(&asked, args.seeds, "reproduce s0")?;
    let written = runs::data(&rows).and_then(|measured| {
        let data: Data = cells.iter().copied().zip(measured).collect();
        let readings = reading::run(&all, &base, &data, reading::SEEDS)?;
        let count = count(&all, &base, &cells, args.seeds);
        let judge = |c: Claim| {
            let judged = reading::judge(&c, &data, &readings);
            (c, judged)
        };
        let judged: Vec<(Claim, Judged)> = all.into_iter().map(judge).collect();
        let object = object(&judged, &base, args.seeds, started.elapsed().as_secs_f64());
        let html = page::html(&judged, &figures::all(&data), &provenance(&base, args.seeds, count));
        write(&place, &html, &table::markdown(&judged), &object)?;
        Ok((object, table::text(&judged)))
    });
    let (object, table) = written
        .map_err(|f| partial::keep(f, &place, &rows, args.seeds as usize, started, json!({})))?;
    if args.json {
        return say::json(&object);
    }
    say::text(&format!("{table}\n{}\n", place.join("reproduce.html").display()))
}

/// How many runs that was, in words.
fn count(all: &[Claim], base: &Scenario, cells: &[Cell], seeds: u32) -> String {
    let others = reading::asked(all, base).len();
    format!(
        "{} ({} settings), and {} with a key that the document does not give otherwise ({} seeds)",
        cells.len() * seeds as usize,
        cells.len(),
        others * reading::SEEDS as usize,
        reading::SEEDS
    )
}

/// The result, whole.
fn write(place: &Path, html: &str, markdown: &str, object: &Value) -> Result<(), Failure> {
    let out = Output::at(place)?;
    out.write("reproduce.html", html.as_bytes())?;
    out.write("reproduce.md", markdown.as_bytes())?;
    out.write("reproduce.json", format!("{object}\n").as_bytes())?;
    out.write("scenario.toml", runs::BASE.as_bytes())?;
    interrupt::check()?;
    out.keep()
}

/// What `--json` prints.
fn object(judged: &[(Claim, Judged)], base: &Scenario, seeds: u32, wall_s: f64) -> Value {
    let claim = |(c, j): &(Claim, Judged)| {
        json!({
            "id": c.id,
            "claim": c.claim,
            "document": c.document,
            "ours": j.ours.mean,
            "spread": j.ours.ci95,
            "unit": c.unit,
            "verdict": j.verdict,
            "reason": j.reason,
            "rule": c.rule,
            "places": j.places,
            "sensitivity": j.sensitivity,
        })
    };
    json!({
        "system": "s0",
        "claims": judged.iter().map(claim).collect::<Vec<_>>(),
        "parameters": parameters(base, seeds),
        "wall_s": wall_s,
    })
}

/// The one set of modelling choices: every key of the base scenario, and what the cells vary.
fn parameters(base: &Scenario, seeds: u32) -> Value {
    let keys: serde_json::Map<String, Value> =
        base.settings.iter().map(|s| (s.key.clone(), Value::from(s.value.as_str()))).collect();
    json!({
        "seeds": seeds,
        "sensitivity_seeds": reading::SEEDS,
        "base": keys,
        "varied": {
            "one_rack.nodes": cell::ONE_RACK,
            "two_racks.nodes_per_rack": cell::TWO_RACKS,
            "hardware.disk": ["65MB/s", "105MB/s"],
            "two_racks.hardware.inter_rack": ["125MB/s, 0.1ms", "1.25GB/s, 1ms"],
            "policy.rereplication": ["default", "ring", "ring-priority", "optimised"],
            "workload.blocks_on_lost_node": "80 * (N - 1), N all nodes",
        },
    })
}

fn provenance(base: &Scenario, seeds: u32, runs: String) -> Provenance {
    let pair = |k: &str, v: String| (k.to_string(), v);
    let mut all = vec![
        pair("command", job::command_line()),
        pair("version", format!("tenbin {}", env!("CARGO_PKG_VERSION"))),
        pair("seeds", format!("1–{seeds}, the same for every run")),
        pair("runs", runs),
        pair("base scenario", base.hash.clone()),
    ];
    let tables = ["hardware.", "policy.", "model.", "workload."];
    let chosen = base.settings.iter().filter(|s| tables.iter().any(|t| s.key.starts_with(t)));
    all.extend(chosen.map(|s| pair(&s.key, s.value.clone())));
    all
}
