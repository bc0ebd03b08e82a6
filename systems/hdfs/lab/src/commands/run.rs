//! `tenbin run SCENARIO`
use crate::campaign::{self, Maps, Row};
use crate::failure::Failure;
use crate::job::{self, Done, Sets};
use crate::output::{self, Output};
use crate::progress::{self, Progress};
use crate::{about, assumed, console, files, interrupt, memory, pool, room};
use engine::{Committed, Execution, Scheduler};
use hdfs_model::hdfs::{Observer, Options};
use hdfs_reading::{Assumption, VariantRuns};
use hdfs_scenario::{BlockMap, Scenario};
use page::Page;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use system::args::Run;
use system::ranks::{self, Ranks};
use system::sums::{Collector, Sums, Window};
use system::{execution, result, thread_summary};

/// Simulates, explains, writes the results.
pub(super) fn run(mut args: Run) -> Result<(), Failure> {
    let started = crate::clock::now();
    let mut ranks = Ranks::join()?;
    let Prepared { scenario, sets, place, seeds, blocks, scheduler } =
        ranks.agree(prepare(&mut args), |own| sums_of(&own.scenario, own.seeds[0]))?;
    let progress = Progress::run();
    let execution = Execution::among(scheduler, ranks.peers());
    let mut collector = Collector::new(args.sums.within.unwrap_or(Window::WHOLE));
    let mut see = |seen: &Committed<'_>| collector.see(seen);
    let observer: Option<&mut Observer<'_>> = args.sums.sums.is_some().then_some(&mut see as _);
    let options = Options { execution, check: args.check, observer };
    let mut last = None;
    let done = job::run(&scenario, Arc::clone(&blocks), args.seed, options, &mut |p| {
        last = Some(p);
        progress::show(&progress, &p)
    })?;
    progress.end();
    if !ranks::is_first() {
        return interrupt::check();
    }
    done.iter().for_each(|done| thread_summary::print(args.execution, &done.effort));
    let stood = || progress::broken_off(last, scenario.hdfs.pending_timeout);
    let mut done = done.ok_or_else(|| Failure::Interrupted(stood()))?;
    // Only here, of the first seed: each of them costs as much as part of a run.
    let without = without(&scenario, &blocks, &done.trace);
    done.read.metrics.extend(without);
    let mut runs = vec![done.read.clone()];
    runs.extend(more(&scenario, &seeds[1..])?);
    let assumptions = assumptions(&scenario, &args, &seeds, &sets)?;
    let variants = [VariantRuns { name: "now".into(), set: sets.clone(), runs }];
    let context = about::context(&scenario, done.blocks, done.trace_hash, assumptions);
    let rows = hdfs_reading::compare(&context.settings, &variants);
    let page = files::linked(hdfs_reading::page(&context, &variants, &rows, &done.trace));
    let own = execution::parallel(args.execution, &done.effort);
    let page = own.iter().map(execution::section).fold(page, Page::with);
    let wall_s = started.elapsed().as_secs_f64();
    let object = object(&args, &scenario, &done, &variants[0], wall_s, &place);
    let out = Output::at(&place)?;
    files::scenario(&out, &scenario, &sets)?;
    result::report(&out, &page)?;
    files::trace(&out, &mut done.trace)?;
    files::band(&out, &done.trace, &variants[0])?;
    out.write("run.json", format!("{object}\n").as_bytes())?;
    interrupt::check()?;
    if let Some(place) = &args.sums.sums {
        let of = sums_of(&scenario, args.seed);
        collector.done(of, job::command_line(), done.trace_hash).write(place)?
    }
    out.keep()?;
    if args.common.json {
        return console::json(&object);
    }
    let text = hdfs_reading::text(&page, &rows);
    console::text(&format!("{text}\n{}\n", place.join("report.html").display()))
}

/// What runs of are to come out the same.
pub(super) fn sums_of(scenario: &Scenario, seed: u64) -> String {
    format!("scenario {} ({}), seed {seed}", scenario.name, &scenario.hash)
}

/// What has to be there before a run begins.
struct Prepared {
    scenario: Scenario,
    sets: Sets,
    place: PathBuf,
    seeds: Vec<u64>,
    blocks: Arc<BlockMap>,
    scheduler: Scheduler,
}

fn prepare(args: &mut Run) -> Result<Prepared, Failure> {
    args.execution = args.execution.settled()?;
    args.sums.sums.as_deref().map_or(Ok(()), Sums::check_place)?;
    let sets = job::sets(&args.common.sets)?;
    let scenario = job::read(&args.common.scenario, &sets)?;
    let place = args.common.out.clone().unwrap_or_else(|| default_place(&scenario));
    output::check_place(&place)?;
    let seeds = args.seeds()?;
    room::check(&scenario)?;
    room::announce(std::iter::once(&scenario));
    let blocks = Maps::of(std::iter::once(&scenario))?.get(&scenario, args.seed)?;
    let scheduler = args.execution.engine(args.seed)?;
    Ok(Prepared { scenario, sets, place, seeds, blocks, scheduler })
}

/// The repair's end without each thing, by its metric's name.
fn without(
    scenario: &Scenario,
    blocks: &BlockMap,
    trace: &hdfs_trace::Trace,
) -> Vec<(String, f64)> {
    let Some(repair) = hdfs_without::Repair::of(scenario, blocks, trace) else { return Vec::new() };
    let all: Vec<hdfs_without::Away> = repair.all().collect();
    let end = |away: &hdfs_without::Away| Some((away.metric().to_string(), repair.without(*away)));
    pool::run(&all, end, |_| ()).into_iter().flatten().collect()
}

/// `out/NAME`
pub(super) fn default_place(scenario: &Scenario) -> PathBuf {
    Path::new("out").join(&scenario.name)
}

/// The other seeds; of them only what is read is kept.
fn more(scenario: &Scenario, seeds: &[u64]) -> Result<Vec<hdfs_reading::Run>, Failure> {
    if seeds.is_empty() {
        return Ok(Vec::new());
    }
    let now = Row { name: "now".into(), set: Vec::new(), scenario: scenario.clone() };
    let mut outcome = campaign::run(&[now], seeds, "seeds")?;
    interrupt::check()?;
    Ok(outcome.rows.remove(0).runs)
}

/// The same seeds at half and double of what is assumed.
fn assumptions(
    base: &Scenario,
    args: &Run,
    seeds: &[u64],
    sets: &Sets,
) -> Result<Vec<Assumption>, Failure> {
    let read = |more: &[(String, String)]| {
        let all: Sets = sets.iter().chain(more).cloned().collect();
        job::read(&args.common.scenario, &all)
    };
    let (plan, rows): (assumed::Plan, Vec<Row>) =
        assumed::rows(base, &[("now".into(), Vec::new())], &read)?;
    let outcome = campaign::run(&rows, seeds, "assumed values")?;
    interrupt::check()?;
    Ok(plan.assumptions(base, outcome.rows))
}

/// Figures are of the first seed; those of all, where there are several, stand under `over_seeds`.
fn object(
    args: &Run,
    scenario: &Scenario,
    done: &Done,
    all: &VariantRuns,
    wall_s: f64,
    out: &Path,
) -> Value {
    let mut object = json!({
        "scenario": scenario.name,
        "scenario_hash": scenario.hash,
        "block_map": about::block_map(scenario),
        "seed": args.seed,
        "scheduler": args.execution.name(),
        "threads": args.execution.threads_used(&done.effort),
        "ranks": ranks::count(),
        "trace_hash": job::hash_text(done.trace_hash),
        "events": done.events,
        "simulated_s": done.simulated_s,
        "wall_s": wall_s,
        "peak_rss_bytes": memory::peak_rss_bytes(),
        "metrics": metrics(done),
        "out": out,
    });
    if all.runs.len() > 1 {
        object["seeds"] = json!(all.runs.len());
        object["over_seeds"] = json!(hdfs_reading::compare::metrics(all));
    }
    if let Some(parallel) = execution::parallel(args.execution, &done.effort) {
        object["parallel"] = json!(parallel)
    }
    object
}

/// Numbers by name, and what held the run up.
fn metrics(done: &Done) -> Value {
    let mut all: serde_json::Map<String, Value> =
        done.read.metrics.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
    all.insert("attribution".into(), json!(done.read.attribution.shares));
    Value::Object(all)
}
