//! `tenbin compare SCENARIO`
use super::run::default_place;
use crate::campaign::{self, Row};
use crate::failure::Failure;
use crate::job::{self, Sets};
use crate::output::{self, Output};
use crate::{about, assumed, console, files, interrupt, room, rows as table, vary};
use cluster::Variant;
use hdfs_reading::VariantRuns;
use hdfs_scenario::Scenario;
use serde_json::{Value, json};
use std::path::Path;
use system::args::Compare;
use system::{partial, result};

/// Runs variants × seeds, says what differs, writes the results.
pub(super) fn compare(args: Compare) -> Result<(), Failure> {
    let started = crate::clock::now();
    let sets = job::sets(&args.common.sets)?;
    let base = job::read(&args.common.scenario, &sets)?;
    let place = args.common.out.clone().unwrap_or_else(|| default_place(&base));
    output::check_place(&place)?;
    partial::check_place(&place)?;
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
    room::announce(rows.iter().map(|row| &row.scenario));
    let mut outcome = campaign::run(&rows, &seeds, "compare")?;
    let assumed = outcome.rows.split_off(count);
    if outcome.rows.iter().all(|row| row.runs.len() == seeds.len()) {
        interrupt::too_late()
    }
    let written = interrupt::check().and_then(|()| {
        let mut first = outcome.first.expect("nobody interrupted the first run");
        let assumptions = plan.assumptions(&rows[0].scenario, assumed);
        let context =
            about::context(&rows[0].scenario, first.blocks, first.trace_hash, assumptions);
        let rows = hdfs_reading::compare(&context.settings, &outcome.rows);
        let page = files::linked(hdfs_reading::page(&context, &outcome.rows, &rows, &first.trace));
        let table: Vec<Value> = outcome.rows.iter().map(table::row).collect();
        let object = json!({
            "block_map": about::block_map(&base),
            "rows": table,
            "wall_s": started.elapsed().as_secs_f64(),
        });
        let now = &outcome.rows[0];
        write(&place, (&base, &sets), &page, &mut first.trace, now, &object)?;
        Ok((object, hdfs_reading::text(&page, &rows)))
    });
    let (object, text) = written.map_err(|f| {
        let wall_s = started.elapsed().as_secs_f64();
        let head = json!({ "block_map": about::block_map(&base), "wall_s": wall_s });
        partial::keep(f, &place, table::rows(&outcome.rows), seeds.len(), head)
    })?;
    if args.common.json {
        return console::json(&object);
    }
    console::text(&format!("{text}\n{}\n", place.join("report.html").display()))
}

/// The result, whole.
fn write(
    place: &Path,
    (base, sets): (&Scenario, &Sets),
    page: &page::Page,
    trace: &mut hdfs_trace::Trace,
    now: &VariantRuns,
    object: &Value,
) -> Result<(), Failure> {
    let out = Output::at(place)?;
    files::scenario(&out, base, sets)?;
    result::report(&out, page)?;
    files::trace(&out, trace)?;
    files::band(&out, trace, now)?;
    out.write("compare.json", format!("{object}\n").as_bytes())?;
    interrupt::check()?;
    out.keep()
}

/// What the argument line varies, else what the scenario does.
fn variants(args: &Compare, sets: &Sets, base: &Scenario) -> Result<Vec<Variant>, Failure> {
    if args.vary.is_empty() {
        return Ok(base.variants.clone());
    }
    let axes = vary::axes(&args.vary)?;
    Scenario::vary(&args.common.scenario, sets, &axes).map_err(job::bad)
}
