//! `tenbin compare SCENARIO`.
use super::run::{self, default_place, show};
use crate::advice::{self, Advice, Search, TestedVariants};
use crate::args::Compare;
use crate::assumed::AssumptionVariants;
use crate::diff::Band;
use crate::failure::Failure;
use crate::figures::{figures, row_json};
use crate::lab::{Lab, Row, RowRuns, ScenarioText, bad};
use crate::output::{self, Output};
use crate::reporter::{self, Case, JsonScope, Reporter};
use crate::{clock, console, footprint, interrupt, measured, partial, result, vary};
use cluster::{Sheet, Variant};
use page::Page;
use serde_json::{Value, json};
use std::path::Path;
use trace::reading::Objective;

/// Runs variants × seeds, compares them, writes the results.
pub fn compare(scenario: ScenarioText, args: Compare) -> Result<(), Failure> {
    let started = clock::now();
    let sets = vary::sets(&args.common.sets)?;
    let (lab, base) = (scenario.lab, scenario.sheet(&sets)?);
    let place = args.common.out.clone().unwrap_or_else(|| default_place(&base));
    output::check_place(&place)?;
    partial::check_place(&place)?;
    let seeds = args.seeds.map_or(base.count("run.seeds"), u64::from);
    let seeds: Vec<u64> = (1..=seeds).collect();
    let mut rows: Vec<Row> = Vec::new();
    for Variant { name, set } in variants(&args, &base)? {
        let sheet = lab.with(&base, &set)?;
        rows.push(Row { name, set, sheet })
    }
    let plan = AssumptionVariants::of(&lab, &rows[0].sheet);
    let count = rows.len();
    rows.extend(plan.rows.iter().cloned());
    footprint::announce(rows.iter().filter_map(|row| lab.footprint(&row.sheet)));
    let done = lab.run(&rows, &seeds, true, "compare")?;
    let (asked, of_assumed) = done.rows.split_at(count);
    if asked.iter().all(|row| row.runs.len() == seeds.len()) {
        interrupt::ignore_first_signal()
    }
    let written = interrupt::check().and_then(|()| {
        let first = done.first.as_ref().expect("the first run was not interrupted");
        let sheet = &rows[0].sheet;
        // A variant must not try the scenario's variants again.
        let whole = if sheet.hash == base.hash { &base } else { sheet };
        let search = Search::of((&lab, whole), &asked[0], &rows[..count], first.events);
        let prices = lab.reporter().prices();
        let tested = search.run(&asked[0], &asked[1..], prices)?;
        let figures = figures(asked, first.reading.objective.better);
        let advice = advice(&lab, sheet, asked, tested);
        let case = Case {
            sheet,
            sets: &sets,
            rows: asked,
            figures: &figures,
            trace: &first.trace,
            trace_hash: first.trace_hash,
            assumed: plan.report(sheet, &asked[0], of_assumed),
            advice,
            parallel: None,
        };
        let page = reporter::page(lab.system().name, lab.reporter(), &case);
        let wall_s = started.elapsed().as_secs_f64();
        let mut object = object(lab.reporter(), &case, &first.reading.objective, wall_s);
        object["headline"] = reporter::headline(&page);
        write(&place, &base, &case, &page, &object)?;
        Ok((object, page))
    });
    let (object, page) = written.map_err(|why| {
        let head = json!({ "wall_s": started.elapsed().as_secs_f64() });
        let head = reporter::extra_json(head, lab.reporter(), JsonScope::Scenario(&base));
        let mut rows = partial::of_lab(asked);
        for (kept, row) in rows.iter_mut().zip(asked) {
            kept.json = reporter::extra_json(kept.json.take(), lab.reporter(), JsonScope::Row(row))
        }
        partial::keep(why, &place, rows, seeds.len(), head)
    })?;
    match args.common.json {
        true => console::json(&object),
        false => show(&page, &place),
    }
}

fn advice(lab: &Lab, sheet: &Sheet, asked: &[RowRuns], tested: TestedVariants) -> Advice {
    let all = (&asked[1..], &tested.rows[..]);
    let mut advice = Advice::of(sheet, &asked[0], all, lab.reporter().prices()).leaving(tested);
    if lab.is_far(sheet, &asked[0].runs) {
        advice.follow = None
    }
    advice
}

fn object(words: &dyn Reporter, case: &Case<'_>, objective: &Objective, wall_s: f64) -> Value {
    let row = |(row, figures)| reporter::extra_json(row_json(figures), words, JsonScope::Row(row));
    let mut object = json!({
        "system": case.sheet.vocabulary().system,
        "objective": run::objective(objective),
        "rows": case.rows.iter().zip(case.figures).map(row).collect::<Vec<_>>(),
        "wall_s": wall_s,
    });
    object["advice"] = advice::json(&case.advice);
    if let Some(measured) = words.measured(case.sheet, &case.rows[0].runs) {
        object["measured"] = measured::json(&measured)
    }
    reporter::extra_json(object, words, JsonScope::Scenario(case.sheet))
}

fn write(
    place: &Path,
    base: &Sheet,
    case: &Case<'_>,
    page: &Page,
    object: &Value,
) -> Result<(), Failure> {
    let out = Output::at(place)?;
    result::scenario(&out, base)?;
    result::report(&out, page)?;
    result::trace(&out, case.trace)?;
    Band::write(&out, case.trace, &case.rows[0].runs)?;
    out.write("compare.json", format!("{object}\n").as_bytes())?;
    interrupt::check()?;
    out.keep()
}

/// Variants from `--variant` or `--vary`, else from the scenario.
fn variants(args: &Compare, base: &Sheet) -> Result<Vec<Variant>, Failure> {
    if !args.variant.is_empty() {
        let now = Variant { name: "now".into(), set: Vec::new() };
        let given = args.variant.iter().map(|keys| {
            let set = keys.split(',').map(vary::set).collect::<Result<Vec<_>, Failure>>()?;
            let name = set.iter().map(|(key, value)| format!("{key} = {value}"));
            Ok(Variant { name: name.collect::<Vec<String>>().join(", "), set })
        });
        return std::iter::once(Ok(now)).chain(given).collect();
    }
    if args.vary.is_empty() {
        return Ok(base.variants.clone());
    }
    base.vary(&vary::axes(&args.vary)?).map_err(bad)
}
