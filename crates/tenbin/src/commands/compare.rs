//! `tenbin compare SCENARIO`
use super::run::default_place;
use crate::campaign::{self, Finished, Outcome, Row};
use crate::cli::Compare;
use crate::failure::Failure;
use crate::job::{self, Sets};
use crate::output::{self, Output};
use crate::{about, assumed, files, interrupt, say, vary};
use cluster::{Scenario, Variant};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

/// Runs variants × seeds, says what differs, writes the results.
pub fn compare(args: Compare) -> Result<(), Failure> {
    let started = Instant::now();
    let sets = job::sets(&args.common.sets)?;
    let base = job::read(&args.common.scenario, &sets)?;
    let place = args.common.out.clone().unwrap_or_else(|| default_place(&base));
    output::check_place(&place)?;
    let seeds: Vec<u64> = (1..=u64::from(args.seeds.unwrap_or(base.run.seeds))).collect();
    let read = |more: &[(String, String)]| {
        let all: Sets = sets.iter().chain(more).cloned().collect();
        job::read(&args.common.scenario, &all)
    };
    let variants = variants(&args, &sets, &base)?;
    let mut rows: Vec<Row> = Vec::new();
    for v in &variants {
        rows.push(Row { name: v.name.clone(), set: v.set.clone(), scenario: read(&v.set)? })
    }
    let named: Vec<(String, Sets)> = variants.into_iter().map(|v| (v.name, v.set)).collect();
    let (plan, more) = assumed::rows(&rows[0].scenario, &named[..1], &read)?;
    let count = rows.len();
    rows.extend(more);
    let mut outcome = campaign::run(&rows, &seeds, "compare")?;
    let assumed_rows = outcome.rows.split_off(count);
    let first = match outcome.first.take() {
        Some(first) if !interrupt::asked() => first,
        _ => return Err(interrupted(&place, &outcome, started)),
    };
    let assumptions = plan.assumptions(&rows[0].scenario, assumed_rows);
    let context = about::context(&rows[0].scenario, first.blocks, first.trace_hash, assumptions);
    let runs: Vec<analysis::VariantRuns> = outcome.rows.into_iter().map(|f| f.runs).collect();
    let page = analysis::page(&context, &runs, &first.trace);
    let report = analysis::Report { links: files::links(), ..page };
    let table: Vec<Value> = runs.iter().map(row).collect();
    let object = json!({ "rows": table, "wall_s": started.elapsed().as_secs_f64() });
    let out = Output::at(&place)?;
    files::scenario(&out, &base)?;
    files::report(&out, &report)?;
    files::trace(&out, &first.trace)?;
    out.write("compare.json", format!("{object}\n").as_bytes())?;
    interrupt::check()?;
    out.keep()?;
    if args.common.json {
        return say::json(&object);
    }
    let page = place.join("report.html");
    say::text(&format!("{}\n{}\n", analysis::text(&report), page.display()))
}

/// What the argument line varies, else what the scenario does.
fn variants(args: &Compare, sets: &Sets, base: &Scenario) -> Result<Vec<Variant>, Failure> {
    if args.vary.is_empty() {
        return Ok(base.variants.clone());
    }
    let axes: Vec<(String, Vec<String>)> =
        args.vary.iter().map(|text| vary::axis(text)).collect::<Result<_, _>>()?;
    Scenario::vary(&args.common.scenario, sets, &axes).map_err(job::bad)
}

/// A row of `--json`.
fn row(variant: &analysis::VariantRuns) -> Value {
    json!({
        "name": variant.name,
        "set": job::set_json(&variant.set),
        "seeds": variant.runs.len(),
        "metrics": analysis::compare::metrics(variant),
    })
}

/// Keeps the rows that are whole, and says so.
fn interrupted(place: &Path, outcome: &Outcome, started: Instant) -> Failure {
    let whole: Vec<&Finished> = outcome.rows.iter().filter(|row| row.whole).collect();
    if whole.is_empty() {
        return Failure::Interrupted("no row was finished; nothing was written".into());
    }
    let table: Vec<Value> = whole.iter().map(|f| row(&f.runs)).collect();
    let wall_s = started.elapsed().as_secs_f64();
    let object = json!({ "rows": table, "wall_s": wall_s, "interrupted": true });
    let written = Output::at(place).and_then(|out| {
        out.write("partial.json", format!("{object}\n").as_bytes())?;
        out.keep()
    });
    match written {
        Err(failure) => failure,
        Ok(()) => Failure::Interrupted(format!(
            "{} of {} rows were finished; they are kept in {}",
            whole.len(),
            outcome.rows.len(),
            place.join("partial.json").display()
        )),
    }
}
