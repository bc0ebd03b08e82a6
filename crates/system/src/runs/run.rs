//! `tenbin run SCENARIO`.
use super::loaded::name;
use crate::advice::{self, Advice, Search};
use crate::args::{AdviceFrom, Run};
use crate::assumed::{AssumptionVariants, Assumptions};
use crate::diff::Band;
use crate::failure::Failure;
use crate::figures::figures;
use crate::interface::{Observer, Progress, RunOptions, SimulatedRun};
use crate::lab::{Lab, Row, RowRuns, ScenarioText, SeedRun};
use crate::output::{self, Output};
use crate::provenance::{command_line, hash_text};
use crate::ranks::{self, Ranks};
use crate::reporter::{self, Case, JsonScope, Reporter};
use crate::run_estimate::RunEstimate;
use crate::sums::{Collector, Sums, Window};
use crate::thread_summary;
use crate::vary::{self, Set};
use crate::{clock, console, execution, footprint, interrupt, measured, memory, progress, result};
use cluster::{Sheet, SystemData};
use engine::{CommittedEvent, Execution, Scheduler};
use page::Page;
use serde::Serialize;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;
use trace::reading::{HolderShare, Objective, Role};

/// Seeds for assumed values.
const ASSUMED: usize = 3;
/// Most seeds for tried changes.
const MOST: usize = 100;

pub fn run(scenario: ScenarioText, mut args: Run) -> Result<(), Failure> {
    let lab = scenario.lab;
    let started = clock::now();
    let mut ranks = Ranks::join()?;
    let PreparedRun { sheet, sets, place, seeds, scheduler, loaded } =
        ranks.agree(prepare(&scenario, &mut args), |own| name(&own.sheet, own.seeds[0]))?;
    let mut spent = WallTimes::default();
    let mut since = clock::now();
    let mut collector = Collector::new(args.sums.within.unwrap_or(Window::WHOLE));
    let Some(mut done) =
        simulate(&lab, &sheet, &args, (&mut ranks, scheduler), &loaded, &mut collector)?
    else {
        return Ok(());
    };
    spent.run_s = lap(&mut since);
    let replays = lab.replays(&sheet, &loaded, &done);
    done.reading.metrics.extend(replays);
    let first = vec![SeedRun::of(args.seed, &done)];
    let runs = [first, more(&lab, &sheet, &seeds[1..])?].concat();
    spent.seeds_s = lap(&mut since);
    let rows = [RowRuns { name: "now".into(), set: sets.clone(), runs }];
    let figures = figures(&rows, done.reading.objective.better);
    let (assumed, advice) = side_runs(&lab, &sheet, &args, (&rows[0], done.events), &mut spent)?;
    let case = Case {
        sheet: &sheet,
        sets: &sets,
        rows: &rows,
        figures: &figures,
        trace: &done.trace,
        trace_hash: done.trace_hash,
        assumed,
        advice,
        parallel: execution::parallel(args.execution, &done.effort),
    };
    let mut page = reporter::page(lab.system().name, lab.reporter(), &case);
    page.foot = page.foot.from("Wall time", spent.text());
    let wall_s = started.elapsed().as_secs_f64();
    let mut object = object(&args, lab.reporter(), &case, &done, wall_s, &place);
    object["spent"] = json!(spent);
    object["headline"] = reporter::headline(&page);
    let out = Output::at(&place)?;
    result::report(&out, &page)?;
    write(&out, &case, &object)?;
    interrupt::check()?;
    if let Some(place) = &args.sums.sums {
        let of = name(&sheet, args.seed);
        collector.done(of, command_line(), done.trace_hash).write(place)?
    }
    args.history.iter().try_for_each(|file| history(&lab, &done, file))?;
    out.keep()?;
    match args.common.json {
        true => console::json(&object),
        false => show(&page, &place),
    }
}

/// The run of the first seed; `None` on every rank except the first.
fn simulate(
    lab: &Lab,
    sheet: &Sheet,
    args: &Run,
    (ranks, scheduler): (&mut Ranks, Scheduler),
    loaded: &SystemData,
    collector: &mut Collector,
) -> Result<Option<SimulatedRun>, Failure> {
    let line = progress::Progress::run();
    let mut expected = RunEstimate::of(lab.events(sheet));
    let mut last = None;
    let mut see = |seen: &CommittedEvent<'_>| collector.see(seen);
    let observer: Option<&mut Observer<'_>> = args.sums.sums.is_some().then_some(&mut see as _);
    let mut tell = |p: Progress| {
        line.at(&p);
        expected.at(&p);
        last = Some(p);
        ControlFlow::Continue(())
    };
    let how = RunOptions {
        execution: Execution::among(scheduler, ranks.peers()),
        keep_trace: ranks::is_first(),
        check: args.check,
        history: args.history.is_some(),
        observer,
        progress: Some(&mut tell),
        loaded: loaded.clone(),
    };
    let done = lab.run_once(sheet, args.seed, how)?;
    line.end();
    if !ranks::is_first() {
        return interrupt::check().map(|()| None);
    }
    let done = done.ok_or_else(|| progress::broken_off(last.as_ref()))?;
    thread_summary::print(args.execution, &done.effort);
    Ok(Some(done))
}

/// Prints the page and the path of the report.
pub(super) fn show(page: &Page, place: &Path) -> Result<(), Failure> {
    let report = place.join("report.html");
    console::text(&format!("{}\n{}\n", page::text(page), report.display()))
}

fn write(out: &Output, case: &Case<'_>, object: &Value) -> Result<(), Failure> {
    result::scenario(out, case.sheet)?;
    result::trace(out, case.trace)?;
    Band::write(out, case.trace, &case.rows[0].runs)?;
    out.write("run.json", format!("{object}\n").as_bytes())
}

fn history(lab: &Lab, done: &SimulatedRun, file: &Path) -> Result<(), Failure> {
    let lines = lab.history(done).unwrap_or_default();
    output::file(file, lines.as_bytes())
}

/// Input of a run, checked and loaded.
struct PreparedRun {
    sheet: Sheet,
    sets: Vec<Set>,
    place: PathBuf,
    seeds: Vec<u64>,
    scheduler: Scheduler,
    loaded: SystemData,
}

fn prepare(scenario: &ScenarioText, args: &mut Run) -> Result<PreparedRun, Failure> {
    let lab = scenario.lab;
    args.execution = args.execution.settled()?;
    args.sums.sums.as_deref().map_or(Ok(()), Sums::check_place)?;
    if args.history.is_some() && !lab.keeps_history() {
        let name = lab.system().name;
        return Err(Failure::BadInput(format!(
            "--history: {name} does not record clients' operations; leave --history out"
        )));
    }
    let sets = vary::sets(&args.common.sets)?;
    let sheet = scenario.sheet(&sets)?;
    let place = args.common.out.clone().unwrap_or_else(|| default_place(&sheet));
    output::check_place(&place)?;
    let seeds = args.seeds()?;
    lab.parallel_runs(&sheet)?;
    footprint::announce(lab.footprint(&sheet).into_iter());
    let loaded = lab.load(&sheet, args.seed)?;
    let scheduler = args.execution.engine(args.seed)?;
    Ok(PreparedRun { sheet, sets, place, seeds, scheduler, loaded })
}

pub(super) fn default_place(sheet: &Sheet) -> PathBuf {
    Path::new("out").join(&sheet.name)
}

/// Runs the further seeds and keeps only their readings.
fn more(lab: &Lab, sheet: &Sheet, seeds: &[u64]) -> Result<Vec<SeedRun>, Failure> {
    if seeds.is_empty() {
        return Ok(Vec::new());
    }
    let now = Row { name: "now".into(), set: Vec::new(), sheet: sheet.clone() };
    let mut outcome = lab.run(&[now], seeds, false, "seeds")?;
    interrupt::check()?;
    Ok(outcome.rows.remove(0).runs)
}

/// Wall-clock time of the parts of a command \[s\].
#[derive(Default, Serialize)]
struct WallTimes {
    /// The run of the first seed.
    run_s: f64,
    /// Replays of the trace, and runs of further seeds.
    seeds_s: f64,
    /// Candidate changes.
    advice_s: f64,
    /// Assumed values at half and double.
    assumed_s: f64,
}

impl WallTimes {
    fn text(&self) -> String {
        let [run, seeds, advice, assumed] =
            [self.run_s, self.seeds_s, self.advice_s, self.assumed_s].map(page::words::duration);
        format!("run {run}, other seeds {seeds}, advice {advice}, assumed values {assumed}")
    }
}

/// Seconds since `since`, which becomes now.
fn lap(since: &mut Instant) -> f64 {
    std::mem::replace(since, clock::now()).elapsed().as_secs_f64()
}

/// Runs candidate changes, and assumed values at half and double, with the seeds of `now`. Adds
/// seeds to `now` if it has too few for an interval. `events` is the number of one run.
fn side_runs(
    lab: &Lab,
    sheet: &Sheet,
    args: &Run,
    (now, events): (&RowRuns, u64),
    spent: &mut WallTimes,
) -> Result<(Assumptions, Advice), Failure> {
    let assumed =
        if args.quick { AssumptionVariants::default() } else { AssumptionVariants::of(lab, sheet) };
    let is_wanted = !args.quick && args.advice == AdviceFrom::Runs;
    // Candidates that are not wanted are named, as those of a run that is too long to repeat.
    let search = Search::of((lab, sheet), now, &[], if is_wanted { events } else { u64::MAX });
    let seeds = match (search.is_empty(), assumed.rows.is_empty()) {
        (false, _) => search.seeds(),
        (true, false) => ASSUMED,
        (true, true) => 1,
    };
    let mut since = clock::now();
    let now = enough(lab, sheet, now, seeds)?;
    spent.seeds_s += lap(&mut since);
    let prices = lab.reporter().prices();
    let tested = search.run(&now, &[], prices)?;
    let advice = match lab.is_far(sheet, &now.runs) {
        true => Advice::default(),
        false => Advice::of(sheet, &now, (&[], &tested.rows), prices).leaving(tested),
    };
    spent.advice_s = lap(&mut since);
    let mut few = now.clone();
    few.runs.truncate(ASSUMED);
    let of_assumed = from(lab, &assumed.rows, &few, "assumed values")?;
    spent.assumed_s = lap(&mut since);
    Ok((assumed.report(sheet, &few, &of_assumed), advice))
}

/// Runs variants with the seeds of `seeds_of`.
fn from(
    lab: &Lab,
    rows: &[Row],
    seeds_of: &RowRuns,
    what: &'static str,
) -> Result<Vec<RowRuns>, Failure> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let seeds: Vec<u64> = seeds_of.runs.iter().map(|run| run.seed).collect();
    let done = lab.run(rows, &seeds, false, what)?;
    interrupt::check()?;
    Ok(done.rows)
}

/// `now` with at least `seeds` seeds and at most `MOST`.
fn enough(lab: &Lab, sheet: &Sheet, now: &RowRuns, seeds: usize) -> Result<RowRuns, Failure> {
    let mut now = now.clone();
    now.runs.truncate(MOST);
    let last = now.runs.last().map_or(0, |run| run.seed);
    let lacking = seeds.saturating_sub(now.runs.len()) as u64;
    let seeds: Vec<u64> = (1..=lacking).filter_map(|more| last.checked_add(more)).collect();
    now.runs.extend(more(lab, sheet, &seeds)?);
    Ok(now)
}

/// Figures are those of the first seed; with several seeds, `over_seeds` has the figures of all.
fn object(
    args: &Run,
    words: &dyn Reporter,
    case: &Case<'_>,
    done: &SimulatedRun,
    wall_s: f64,
    out: &Path,
) -> Value {
    let (sheet, all) = (case.sheet, &case.figures[0]);
    let metrics = reporter::extra_json(metrics(done), words, JsonScope::Run(&case.rows[0].runs[0]));
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
        "metrics": metrics,
        "out": out,
    });
    object["objective"] = objective(&done.reading.objective);
    object["value"] = json!(all.value);
    object["per_seed"] = json!(all.per_seed);
    object["advice"] = advice::json(&case.advice);
    if let Some(measured) = words.measured(sheet, &case.rows[0].runs) {
        object["measured"] = measured::json(&measured)
    }
    if all.seeds > 1 {
        object["seeds"] = json!(all.seeds);
        object["over_seeds"] = json!(all.metrics);
    }
    if let Some(parallel) = &case.parallel {
        object["parallel"] = json!(parallel)
    }
    reporter::extra_json(object, words, JsonScope::Scenario(sheet))
}

pub(super) fn objective(of: &Objective) -> Value {
    json!({ "metric": of.metric, "unit": of.unit, "better": of.better.name() })
}

/// Metrics by name, and the shares of bottlenecks.
fn metrics(done: &SimulatedRun) -> Value {
    let metrics = done.reading.metrics.iter();
    let mut all: serde_json::Map<String, Value> =
        metrics.map(|(name, value)| (name.clone(), json!(value))).collect();
    all.insert("attribution".into(), attribution(&done.reading.held));
    Value::Object(all)
}

/// Shares of bottlenecks for `--json`.
pub fn attribution(held: &[HolderShare]) -> Value {
    let share = |held: &HolderShare| {
        let kind = match held.role {
            Role::Setting => "setting",
            Role::Wait => "interval",
            Role::Unexplained => "unexplained",
            _ => "resource",
        };
        let mut share = json!({
            "holder": held.holder, "kind": kind, "share": held.share, "waited_s": held.waited_s
        });
        if let Some(hottest) = &held.hottest {
            share["hottest"] = hottest.as_str().into()
        }
        share
    };
    held.iter().map(share).collect()
}
