//! `tenbin compare SCENARIO`, of any system.
use super::run::default_place;
use crate::args::Compare;
use crate::assumed::Assumed;
use crate::failure::Failure;
use crate::figures::{figures, row_json};
use crate::lab::{Lab, Row, bad};
use crate::output::{self, Output};
use crate::vary::{self, Set};
use crate::words::{self, Case};
use crate::{clock, interrupt, result, say};
use cluster::{Sheet, Variant};
use serde_json::{Value, json};

/// Runs variants × seeds, says what differs, writes the results.
pub(super) fn compare(lab: Lab, args: Compare) -> Result<(), Failure> {
    let started = clock::now();
    let sets = vary::sets(&args.common.sets)?;
    let base = lab.read(&args.common.scenario, &sets)?;
    let place = args.common.out.clone().unwrap_or_else(|| default_place(&base));
    output::check_place(&place)?;
    let seeds = args.seeds.map_or(base.count("run.seeds"), u64::from);
    let seeds: Vec<u64> = (1..=seeds).collect();
    let mut rows: Vec<Row> = Vec::new();
    for Variant { name, set } in variants(&args, &sets, &base)? {
        let all: Vec<Set> = sets.iter().chain(&set).cloned().collect();
        rows.push(Row { name, set, sheet: lab.read(&args.common.scenario, &all)? })
    }
    let first_sets: Vec<Set> = sets.iter().chain(&rows[0].set).cloned().collect();
    let plan = Assumed::of(&lab, &rows[0].sheet, &first_sets);
    let count = rows.len();
    rows.extend(plan.rows.iter().cloned());
    let mut outcome = lab.run(&rows, &seeds, true, "compare")?;
    interrupt::check()?;
    let of_assumed = outcome.rows.split_off(count);
    let first = outcome.first.expect("nobody interrupted the first run");
    let figures = figures(&outcome.rows, first.reading.objective.better);
    let now = figures[0].value.map_or(0.0, |value| value.mean);
    let case = Case {
        sheet: &rows[0].sheet,
        rows: &outcome.rows,
        figures: &figures,
        trace: &first.trace,
        trace_hash: first.trace_hash,
        assumed: plan.finish(now, &of_assumed),
    };
    let page = words::page(lab.system().name, lab.words(), &case);
    let table: Vec<Value> = figures.iter().map(row_json).collect();
    let objective = &first.reading.objective;
    let object = json!({
        "system": base.vocabulary().system,
        "objective": { "metric": objective.metric, "unit": objective.unit,
                       "better": objective.better.name() },
        "rows": table,
        "wall_s": started.elapsed().as_secs_f64(),
    });
    let out = Output::at(&place)?;
    result::scenario(&out, &base, &sets)?;
    result::report(&out, &page)?;
    result::trace(&out, &first.trace)?;
    out.write("compare.json", format!("{object}\n").as_bytes())?;
    interrupt::check()?;
    out.keep()?;
    if args.common.json {
        return say::json(&object);
    }
    say::text(&format!("{}\n{}\n", page::text(&page), place.join("report.html").display()))
}

/// What the argument line varies, else what the scenario does.
fn variants(args: &Compare, sets: &[Set], base: &Sheet) -> Result<Vec<Variant>, Failure> {
    if args.vary.is_empty() {
        return Ok(base.variants.clone());
    }
    let axes = vary::axes(&args.vary)?;
    Sheet::vary(&args.common.scenario, sets, &axes, base.vocabulary()).map_err(bad)
}
