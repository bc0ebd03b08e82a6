//! `tenbin compare SCENARIO`, of any system.
use super::run::default_place;
use crate::advice::{self, Advice, Tries};
use crate::args::Compare;
use crate::assumed::Assumed;
use crate::failure::Failure;
use crate::figures::{figures, row_json};
use crate::lab::{Lab, Row, RowRuns, bad};
use crate::output::{self, Output};
use crate::vary::{self, Set};
use crate::words::{self, Case};
use crate::{clock, console, footprint, interrupt, partial, result};
use cluster::{Sheet, Variant};
use page::Page;
use serde_json::{Value, json};
use std::path::Path;
use trace::Trace;
use trace::reading::Objective;

/// Runs variants × seeds, says what differs, writes the results.
pub(super) fn compare(lab: Lab, args: Compare) -> Result<(), Failure> {
    let started = clock::now();
    let sets = vary::sets(&args.common.sets)?;
    let base = lab.read(&args.common.scenario, &sets)?;
    let place = args.common.out.clone().unwrap_or_else(|| default_place(&base));
    output::check_place(&place)?;
    partial::check_place(&place)?;
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
    footprint::announce(rows.iter().filter_map(|row| lab.footprint(&row.sheet)));
    let done = lab.run(&rows, &seeds, true, "compare")?;
    let (asked, of_assumed) = done.rows.split_at(count);
    if asked.iter().all(|row| row.runs.len() == seeds.len()) {
        interrupt::too_late()
    }
    let written = interrupt::check().and_then(|()| {
        let first = done.first.as_ref().expect("nobody interrupted the first run");
        let tried = tries(&lab, &rows[..count], &sets, &asked[0], &seeds)?;
        let figures = figures(asked, first.reading.objective.better);
        let sheet = &rows[0].sheet;
        let others = (&asked[1..], &tried[..]);
        let case = Case {
            sheet,
            sets: &sets,
            rows: asked,
            figures: &figures,
            trace: &first.trace,
            trace_hash: first.trace_hash,
            assumed: plan.tell(sheet, &asked[0], of_assumed),
            advice: Advice::of(sheet, &asked[0], others, lab.words().prices()),
        };
        let page = words::page(lab.system().name, lab.words(), &case);
        let object = object(&case, &first.reading.objective, started.elapsed().as_secs_f64());
        write(&place, (&base, &sets), &page, &first.trace, &object)?;
        Ok((object, page))
    });
    let (object, page) = written.map_err(|why| {
        let head = json!({ "wall_s": started.elapsed().as_secs_f64() });
        partial::keep(why, &place, partial::of_lab(asked), seeds.len(), head)
    })?;
    if args.common.json {
        return console::json(&object);
    }
    console::text(&format!("{}\n{}\n", page::text(&page), place.join("report.html").display()))
}

/// What holds the first row up, at other values; one seed tells nothing of them.
fn tries(
    lab: &Lab,
    asked: &[Row],
    sets: &[Set],
    now: &RowRuns,
    seeds: &[u64],
) -> Result<Vec<RowRuns>, Failure> {
    let tries = Tries::of(lab, &asked[0].sheet, sets, &now.runs, asked);
    if tries.rows.is_empty() || seeds.len() < 2 {
        return Ok(Vec::new());
    }
    let done = lab.run(&tries.rows, seeds, false, "what holds it up")?;
    interrupt::check()?;
    Ok(done.rows)
}

/// What `--json` prints.
fn object(case: &Case<'_>, objective: &Objective, wall_s: f64) -> Value {
    json!({
        "system": case.sheet.vocabulary().system,
        "objective": { "metric": objective.metric, "unit": objective.unit,
                       "better": objective.better.name() },
        "rows": case.figures.iter().map(row_json).collect::<Vec<_>>(),
        "advice": advice::json(&case.advice),
        "wall_s": wall_s,
    })
}

/// The result, whole.
fn write(
    place: &Path,
    (base, sets): (&Sheet, &[Set]),
    page: &Page,
    trace: &Trace,
    object: &Value,
) -> Result<(), Failure> {
    let out = Output::at(place)?;
    result::scenario(&out, base, sets)?;
    result::report(&out, page)?;
    result::trace(&out, trace)?;
    out.write("compare.json", format!("{object}\n").as_bytes())?;
    interrupt::check()?;
    out.keep()
}

/// What the argument line varies, else what the scenario does.
fn variants(args: &Compare, sets: &[Set], base: &Sheet) -> Result<Vec<Variant>, Failure> {
    if args.vary.is_empty() {
        return Ok(base.variants.clone());
    }
    let axes = vary::axes(&args.vary)?;
    Sheet::vary(&args.common.scenario, sets, &axes, base.vocabulary()).map_err(bad)
}
