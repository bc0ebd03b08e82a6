//! `tenbin run SCENARIO`, of any system.
use super::ready::name;
use crate::args::Run;
use crate::assumed::Assumed;
use crate::failure::Failure;
use crate::figures::{Figures, figures};
use crate::lab::{Lab, Row, RowRuns, SeedRun};
use crate::output::{self, Output};
use crate::progress::Progress as Line;
use crate::provenance::{command_line, hash_text};
use crate::ranks::{self, Ranks};
use crate::seam::{How, Progress, Simulated, Witness};
use crate::sums::{Collector, Sums, Window};
use crate::vary::{self, Set};
use crate::words::{self, Case};
use crate::{clock, execution, footprint, interrupt, memory, result, say, told};
use cluster::Sheet;
use engine::{Committed, Execution, Scheduler};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Simulates, explains, writes the results.
pub(super) fn run(lab: Lab, mut args: Run) -> Result<(), Failure> {
    let started = clock::now();
    let mut ranks = Ranks::join()?;
    let Prepared { sheet, sets, place, seeds, scheduler } =
        ranks.agree(prepare(lab, &mut args), |own| name(&own.sheet, own.seeds[0]))?;
    let line = Line::run();
    let mut collector = Collector::new(args.sums.within.unwrap_or(Window::WHOLE));
    let mut see = |seen: &Committed<'_>| collector.see(seen);
    let witness: Option<&mut Witness<'_>> = args.sums.sums.is_some().then_some(&mut see as _);
    let mut tell = |p: Progress| {
        line.at(p.now, p.events, String::new);
        ControlFlow::Continue(())
    };
    let how = How {
        execution: Execution::among(scheduler, ranks.peers()),
        keep_trace: ranks::is_first(),
        check: args.check,
        witness,
        tell: Some(&mut tell),
    };
    let done = lab.one(&sheet, args.seed, how)?;
    line.end();
    if !ranks::is_first() {
        return interrupt::check();
    }
    let done = done.ok_or_else(interrupt::nothing_written)?;
    told::tell(args.execution, &done.effort);
    let mut runs = vec![SeedRun { seed: args.seed, reading: done.reading.clone() }];
    runs.extend(more(&lab, &sheet, &seeds[1..])?);
    let rows = [RowRuns { name: "now".into(), set: sets.clone(), runs }];
    let figures = figures(&rows, done.reading.objective.better);
    let assumed = assumed(&lab, &sheet, &sets, &seeds, &figures[0])?;
    let case = Case {
        sheet: &sheet,
        rows: &rows,
        figures: &figures,
        trace: &done.trace,
        trace_hash: done.trace_hash,
        assumed,
    };
    let page = words::page(lab.system().name, lab.words(), &case);
    let object = object(&args, &sheet, &done, &figures[0], started.elapsed().as_secs_f64(), &place);
    let out = Output::at(&place)?;
    result::scenario(&out, &sheet, &sets)?;
    result::report(&out, &page)?;
    result::trace(&out, &done.trace)?;
    out.write("run.json", format!("{object}\n").as_bytes())?;
    interrupt::check()?;
    if let Some(place) = &args.sums.sums {
        let of = name(&sheet, args.seed);
        collector.done(of, command_line(), done.trace_hash).write(place)?
    }
    out.keep()?;
    if args.common.json {
        return say::json(&object);
    }
    say::text(&format!("{}\n{}\n", page::text(&page), place.join("report.html").display()))
}

/// What has to be there before a run begins.
struct Prepared {
    sheet: Sheet,
    sets: Vec<Set>,
    place: PathBuf,
    seeds: Vec<u64>,
    scheduler: Scheduler,
}

fn prepare(lab: Lab, args: &mut Run) -> Result<Prepared, Failure> {
    args.execution = args.execution.settled()?;
    args.sums.sums.as_deref().map_or(Ok(()), Sums::check_place)?;
    let sets = vary::sets(&args.common.sets)?;
    let sheet = lab.read(&args.common.scenario, &sets)?;
    let place = args.common.out.clone().unwrap_or_else(|| default_place(&sheet));
    output::check_place(&place)?;
    let seeds = args.seeds()?;
    lab.fits(&sheet)?;
    footprint::announce(lab.footprint(&sheet).into_iter());
    let scheduler = args.execution.engine(args.seed)?;
    Ok(Prepared { sheet, sets, place, seeds, scheduler })
}

/// `out/NAME`
pub(super) fn default_place(sheet: &Sheet) -> PathBuf {
    Path::new("out").join(&sheet.name)
}

/// The other seeds; of them only what is read is kept.
fn more(lab: &Lab, sheet: &Sheet, seeds: &[u64]) -> Result<Vec<SeedRun>, Failure> {
    if seeds.is_empty() {
        return Ok(Vec::new());
    }
    let now = Row { name: "now".into(), set: Vec::new(), sheet: sheet.clone() };
    let mut outcome = lab.run(&[now], seeds, false, "seeds")?;
    interrupt::check()?;
    Ok(outcome.rows.remove(0).runs)
}

/// The same seeds at half and double of what is assumed.
fn assumed(
    lab: &Lab,
    sheet: &Sheet,
    sets: &[Set],
    seeds: &[u64],
    now: &Figures,
) -> Result<Vec<page::AssumedRow>, Failure> {
    let plan = Assumed::of(lab, sheet, sets);
    if plan.rows.is_empty() {
        return Ok(Vec::new());
    }
    let outcome = lab.run(&plan.rows, seeds, false, "assumed values")?;
    interrupt::check()?;
    Ok(plan.finish(now.value.map_or(0.0, |value| value.mean), &outcome.rows))
}

/// Figures are of the first seed; those of all, where there are several, stand under `over_seeds`.
fn object(
    args: &Run,
    sheet: &Sheet,
    done: &Simulated,
    all: &Figures,
    wall_s: f64,
    out: &Path,
) -> Value {
    let mut object = json!({
        "system": sheet.vocabulary().system,
        "scenario": sheet.name,
        "scenario_hash": sheet.hash,
        "seed": args.seed,
        "scheduler": args.execution.name(),
        "threads": args.execution.threads_used(&done.effort),
        "ranks": ranks::count(),
        "trace_hash": hash_text(done.trace_hash),
        "events": done.events,
        "simulated_s": done.simulated.as_secs(),
        "wall_s": wall_s,
        "peak_rss_bytes": memory::peak_rss_bytes(),
        "metrics": metrics(done),
        "out": out,
    });
    if all.seeds > 1 {
        object["seeds"] = json!(all.seeds);
        object["over_seeds"] = json!(all.metrics);
    }
    if let Some(parallel) = execution::parallel(args.execution, &done.effort) {
        object["parallel"] = json!(parallel)
    }
    object
}

/// Numbers by name, and what held the run up.
fn metrics(done: &Simulated) -> Value {
    let metrics = done.reading.metrics.iter();
    let mut all: serde_json::Map<String, Value> =
        metrics.map(|(name, value)| (name.clone(), json!(value))).collect();
    let share = |held: &trace::reading::Held| {
        let (holder, share, waited_s) = (&held.holder, held.share, held.waited_s);
        json!({ "holder": holder, "share": share, "waited_s": waited_s })
    };
    let shares: Vec<Value> = done.reading.held.iter().map(share).collect();
    all.insert("attribution".into(), json!(shares));
    Value::Object(all)
}
