//! `tenbin plan rebuild`
use super::PlanRebuild;
use crate::failure::Failure;
use crate::job;
use crate::output::{self, Output};
use crate::plan::answer::{Answer, PointResult};
use crate::plan::answer_text::{self as words, AnswerContext};
use crate::plan::goals::Goals;
use crate::plan::loss::{BEFORE, Losses};
use crate::plan::point::Point;
use crate::plan::risk::Detection;
use crate::plan::space::{LAST_COPY, RECOVERY, RepairBench, Settings};
use crate::plan::{fragment, runbook, search, tested_assumptions, trade};
use crate::progress::Progress;
use crate::repair_run::RepairRun;
use crate::{about, console};
use cluster::{Admin, Cluster, Sheet};
use hdfs_reading::sections;
use hdfs_reading::{AffectedPart, Context, EventType, Run};
use hdfs_scenario::{ForegroundLine, Scenario};
use page::{Do, Page, Sentence};
use std::path::{Path, PathBuf};
use std::time::Duration;
use system::SimulatedRun;
use system::assumed::Assumptions;
use system::lab::RowRuns;
use system::plan::Bench;
use system::plan::runbook::Runbook;
use system::result;
use units::Nanos;

pub(super) fn rebuild(args: PlanRebuild) -> Result<(), Failure> {
    let args = &args;
    let goals = Goals {
        fastest: args.fastest,
        ..Goals::parse(args.within.as_deref(), args.foreground_slowdown.as_deref())?
    };
    let source = Source::of(args)?;
    let clients = Clients::of(args)?;
    let sets = sets(args, &source, &clients)?;
    let sheet = |more: &[(String, String)]| {
        let all: job::Sets = sets.iter().chain(more).cloned().collect();
        source.read(&all).map_err(|failure| clients.locate_error(failure))
    };
    let base_sheet = sheet(&[])?;
    let base = Scenario::of(&base_sheet);
    if goals.slowdown.is_some() && base.foreground.is_none() {
        return Err(job::bad(
            "--foreground-slowdown: no client load; expected --foreground FILE, or \
             [workload.foreground] in the scenario",
        ));
    }
    let place = args.out.clone().unwrap_or_else(|| Path::new("out").join(plan_name(args)));
    output::check_place(&place)?;
    job::lab().parallel_runs(&base_sheet)?;
    let settings = Settings::new(&sheet)?;
    let mut budget = settings.budget();
    if let Some(limit) = &args.time_limit {
        let limit: Nanos = limit.parse().map_err(|e| job::bad(format!("--time-limit: {e}")))?;
        budget = budget.within(Duration::from_nanos(limit.0))
    }
    let objective = if args.objective == "last-copy" { LAST_COPY } else { RECOVERY };
    let mut bench = Bench::new(job::lab(), &settings, &goals.of(objective), budget);
    let progress = Progress::run();
    let tell = |bench: &RepairBench<'_, '_>, best: Option<&Point>| {
        let so_far = best.and_then(|p| Some((p.name(bench.now()), bench.value(p)?.mean)));
        let best = so_far.map_or(String::new(), |(n, s)| format!(", best so far {s:.1} s: {n}"));
        progress.note(&format!("{} points tried{best}", bench.tried()))
    };
    let seeds: Vec<u64> = (1..=u64::from(args.seeds)).collect();
    let answer = search::search(&mut bench, &goals, objective, &seeds, &tell)?;
    progress.end();
    let nothing = "the run of the present settings did not finish; nothing was written";
    let answer = answer.ok_or_else(|| Failure::Interrupted(nothing.into()))?;
    let run_s = bench.budget.first_run().as_secs_f64();
    let assumed = tested_assumptions::assumptions(&base_sheet, &answer, run_s)?;
    write(args, (&base_sheet, assumed), &mut bench, &answer, &source.notes(), &place)?;
    if answer.interrupted {
        let goal = match answer.meets_goals() {
            true => "",
            false if answer.open => "; unknown so far whether it meets the goals",
            false => ", which does not meet the goals: no tried setting does so far",
        };
        let kept = format!("the best answer so far is kept in {}{goal}", place.display());
        return Err(Failure::Interrupted(kept));
    }
    Ok(())
}

/// Writes the folder and prints the answer.
fn write(
    args: &PlanRebuild,
    (sheet, tested): (&Sheet, tested_assumptions::TestedAssumptions),
    bench: &mut RepairBench<'_, '_>,
    answer: &Answer,
    notes: &[String],
    place: &Path,
) -> Result<(), Failure> {
    let fresh = bench.first_fresh.take().filter(|_| answer.fresh);
    let first = fresh.or(bench.first.take()).expect("the present settings were run");
    let before = lost_before(answer);
    let notes: Vec<String> = gone_note(before, answer.resting)
        .or_else(|| resting_note(answer))
        .into_iter()
        .chain(notes.iter().cloned())
        .collect();
    let blocks = kept_blocks(bench);
    let base = Scenario::of(sheet);
    let context = about::context(base, blocks);
    let page = page_of(sheet, answer, &first, tested.now.clone());
    let (namenode, hadoop) = (context.namenode.as_deref(), context.hadoop.as_deref());
    let at = fragment::Place { namenode, hadoop };
    let runbook = runbook::runbook(answer, at, &fragment::Site::of(base));
    let page = with_the_answer(page, answer, &runbook, &notes);
    let mut object = answer.json();
    object["block_map"] = about::block_map(base).into();
    object["blocks_lost_before"] = before.into();
    object["notes"] = notes.clone().into();
    let out = Output::at(place)?;
    result::report(&out, &page)?;
    if !answer.interrupted {
        result::trace(&out, &first.trace)?
    }
    runbook.write(&out)?;
    out.write("plan.json", format!("{object}\n").as_bytes())?;
    out.keep()?;
    if args.json {
        return console::json(&object);
    }
    let what = happened(&context, answer, &base.cluster);
    let case = AnswerContext {
        event: &what,
        place: at,
        folder: Some(place),
        detection: detection(base, &context),
        assumed: Some(&tested),
        leaves: !context.lost.is_empty()
            && context.lost.iter().all(|lost| lost.event_type.leaves()),
    };
    let text = words::text(answer, case);
    let notes = about::caveats(base).into_iter().chain(notes);
    let notes: String = notes.map(|note| format!("Note: {note}.\n")).collect();
    console::text(&format!("{text}{notes}{}\n", place.join("report.html").display()))
}

fn kept_blocks(bench: &RepairBench<'_, '_>) -> u64 {
    bench.runs(bench.now()).first().map_or(0, |run| RepairRun::of(run).blocks)
}

/// Variants: the present settings, the steps to the fastest, and the research policy.
fn page_of(sheet: &Sheet, answer: &Answer, first: &SimulatedRun, assumed: Assumptions) -> Page {
    let others = answer.ladder().into_iter().chain(&answer.plugin);
    let changed = others.filter(|tried| tried.point != answer.now.point);
    let all: Vec<&PointResult> = std::iter::once(&answer.now).chain(changed).collect();
    // After Ctrl-C some have fewer seeds; a page compares the same seeds.
    let common = all.iter().map(|tried| tried.seeds()).min().unwrap_or(0);
    let row = |tried: &&PointResult| {
        let runs = tried.row.runs[..common].to_vec();
        RowRuns { runs, ..tried.row.clone() }
    };
    let rows: Vec<RowRuns> = all.iter().map(row).collect();
    let best = &answer.recommended().point;
    let recommended = all.iter().position(|tried| tried.point == *best).filter(|place| *place > 0);
    let mut page = system::plan::page(
        &job::lab(),
        system::plan::Answer { sheet, rows: &rows, recommended, first, assumed },
    );
    // The cost for clients comes first.
    let trade = trade::chart(answer).map(|trade| sections::trade(trade, common));
    page.sections.splice(0..0, trade);
    page
}

/// Adds the plan's answer to a comparison's page.
fn with_the_answer(mut page: Page, answer: &Answer, runbook: &Runbook, notes: &[String]) -> Page {
    let head = &mut page.head;
    head.r#do = match head.r#do.take().filter(|_| !runbook.edits.is_empty()) {
        Some(mut doing) => {
            let (lines, undo) = (runbook.fragment_file(), runbook.undo_file());
            let faster =
                words::faster_settings(answer).map_or(String::new(), |said| format!(" {said}"));
            let files = format!("{faster} Lines: {lines}. Undo: {undo}.");
            doing.more.extend(Sentence::new().say(files).done());
            doing.command = doing.command.filter(|command| command.starts_with("hdfs "));
            Some(doing)
        }
        None => Some(nothing(answer)),
    };
    let because = words::client_gain_reason(answer);
    if let Some(doing) = head.r#do.as_mut().filter(|_| !because.is_empty()) {
        let more = std::mem::take(&mut doing.more);
        doing.more = [Sentence::new().say(because).say(" ").done(), more].concat()
    }
    // The goals are met, so no result falls short.
    if answer.goals.are_any() && answer.meets_goals() {
        head.not_enough.clear()
    }
    if let Some(missed) = missed(answer) {
        head.verdict.extend(Sentence::new().say(format!(" {missed}.")).done())
    }
    head.tags.extend(words::unproven_lines(answer));
    if answer.cut {
        head.tags.push("a run takes long: some settings were not tried".into())
    }
    head.tags.extend(notes.iter().cloned());
    page
}

/// *Do*, if no change is recommended.
fn nothing(answer: &Answer) -> Do {
    let (point, why) = match (answer.now.recovery.is_some_and(|s| s.max == 0.0), answer.met_now) {
        (true, _) => ("Nothing to change.", "No copies needed, with any setting."),
        (_, true) => ("Nothing to change: the present settings meet the goals.", ""),
        _ => {
            let why = "No tried setting is faster by 5 % and beyond chance.";
            ("Nothing to change.", why)
        }
    };
    let tried = format!("Tried: {}.", page::words::count(answer.tried as u64, "point"));
    let parts = [words::faster_settings(answer).unwrap_or_default(), why.into(), tried];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    Do {
        point: Sentence::new().strong(point).done(),
        more: Sentence::new().say(parts.join(" ")).done(),
        command: None,
    }
}

fn detection(base: &Scenario, context: &Context) -> Option<Detection> {
    let (least, most) = context.detection?;
    let silent =
        |lost: &AffectedPart| matches!(lost.event_type, EventType::Node | EventType::Rack { .. });
    let h = &base.hdfs;
    (!context.lost.is_empty() && context.lost.iter().all(silent)).then(|| Detection {
        least,
        most,
        recheck: h.heartbeat_recheck_interval.as_secs(),
        heartbeat: h.heartbeat_interval.as_secs(),
    })
}

/// Reports a goal that is missed or not decided.
fn missed(answer: &Answer) -> Option<String> {
    match (answer.open, answer.meets_goals() || answer.recommended().recovery.is_none()) {
        (true, _) => Some("One seed does not show what meets your limit".into()),
        (_, true) => None,
        _ => Some("No tried setting meets your limit".into()),
    }
}

/// Blocks without enough live replicas before the plan's events.
fn lost_before(answer: &Answer) -> u64 {
    answer.now.runs().map(Run::blocks_lost_before).max().unwrap_or(0)
}

/// For blocks that the plan leaves without a live replica while nodes are in maintenance.
fn resting_note(answer: &Answer) -> Option<String> {
    (answer.now.loss.is_some() && answer.resting > 0).then(|| {
        let back = words::return_note(answer.resting);
        format!("no setting restores blocks without a live replica in service{back}")
    })
}

fn gone_note(blocks: u64, resting: usize) -> Option<String> {
    let are = match blocks {
        0 => return None,
        1 => "1 block is lost".into(),
        n => format!("{n} blocks are lost"),
    };
    let rest = if resting > 0 { words::return_note(resting) } else { String::new() };
    Some(format!(
        "{are} already, without a live replica (or too few of a group): no setting restores them, \
         and no time here includes them{rest}"
    ))
}

/// "dn-r2-05 is lost", "/rack3 (10 nodes) is lost", "20 nodes are lost": counts nodes, not racks.
fn happened(context: &Context, answer: &Answer, cluster: &Cluster) -> String {
    if context.lost.is_empty() {
        return already(answer, cluster);
    }
    let nodes = |lost: &AffectedPart| match lost.event_type {
        EventType::Rack { nodes } => nodes,
        _ => 1,
    };
    if let [one] = context.lost.as_slice() {
        return match one.event_type {
            EventType::Rack { nodes } => format!("{} ({nodes} nodes) is lost", one.name),
            event_type if event_type.leaves() => format!("{} leaves", one.name),
            _ => format!("{} is lost", one.name),
        };
    }
    let count: u32 = context.lost.iter().map(nodes).sum();
    let disks = context.lost.iter().any(|lost| lost.event_type == EventType::Disk);
    let what = if disks { "nodes and disks" } else { "nodes" };
    let leave = |leaves: bool| context.lost.iter().any(|lost| lost.event_type.leaves() == leaves);
    let how = match (leave(false), leave(true)) {
        (true, true) => "are lost or leave",
        (false, true) => "leave",
        _ => "are lost",
    };
    format!("{count} {what} {how}")
}

/// "1 610 blocks are short already (dead nodes: 1, leaving: 1)"
fn already(answer: &Answer, cluster: &Cluster) -> String {
    let short = answer.now.runs().map(Run::blocks_affected).max().unwrap_or(0);
    let dead = cluster.nodes.iter().filter(|node| !node.alive).count();
    let is_out = |node: &&cluster::Node| node.alive && node.admin != Admin::InService;
    let out = cluster.nodes.iter().filter(is_out).count();
    let leaving = if out > 0 { format!(", leaving or out: {out}") } else { String::new() };
    format!("{short} blocks are under-replicated already (dead nodes: {dead}{leaving})")
}

/// Settings of the command line, those of clients first. If a node falls silent, clients start
/// [`BEFORE`] ahead of its earliest declaration: earlier minutes would add nothing.
fn sets(args: &PlanRebuild, source: &Source, clients: &Clients) -> Result<job::Sets, Failure> {
    let set = |line: &ForegroundLine| (line.key.clone(), line.value.clone());
    let all: job::Sets = clients.lines.iter().map(set).chain(job::sets(&args.sets)?).collect();
    if args.foreground.is_none() {
        return Ok(all);
    }
    let late = matches!(source, Source::Made { losses, .. } if losses.are_noticed_late());
    if !late || all.iter().any(|(key, _)| key == START) {
        return Ok(all);
    }
    let sheet = source.read(&all).map_err(|failure| clients.locate_error(failure))?;
    let h = &Scenario::of(&sheet).hdfs;
    let dead = Nanos(2 * h.heartbeat_recheck_interval.0 + 10 * h.heartbeat_interval.0);
    let before: Nanos = BEFORE.parse().expect("a time");
    let start = (START.to_string(), dead.saturating_sub(before).to_string());
    Ok(std::iter::once(start).chain(all).collect())
}

const START: &str = "workload.foreground.start";

/// `--foreground FILE`: its lines without those that `--set` overrides.
#[derive(Default)]
struct Clients {
    file: PathBuf,
    lines: Vec<ForegroundLine>,
}

impl Clients {
    fn of(args: &PlanRebuild) -> Result<Clients, Failure> {
        let Some(file) = &args.foreground else { return Ok(Clients::default()) };
        let mut lines = hdfs_scenario::foreground_file(file).map_err(job::bad)?;
        let set = job::sets(&args.sets)?;
        lines.retain(|line| set.iter().all(|(key, _)| *key != line.key));
        Ok(Clients { file: file.clone(), lines })
    }

    /// Attributes errors to lines of the file, which are read like `--set`.
    fn locate_error(&self, failure: Failure) -> Failure {
        let Failure::BadInput(complaint) = failure else { return failure };
        let place = |said: &str| -> Option<String> {
            let rest = said.strip_prefix("command line: ")?;
            let key = rest.split(": ").next()?;
            let line = self.lines.iter().find(|line| line.key == key)?.line;
            Some(format!("{}:{line}: {rest}", self.file.display()))
        };
        let lines = complaint.lines().map(|said| place(said).unwrap_or_else(|| said.into()));
        Failure::BadInput(lines.collect::<Vec<String>>().join("\n"))
    }
}

fn plan_name(args: &PlanRebuild) -> String {
    let stem = args.cluster.file_stem().map_or("plan".into(), |s| s.to_string_lossy());
    format!("plan-{stem}")
}

/// The cluster: from a cluster file, or from a scenario with its own events.
enum Source {
    Scenario(PathBuf),
    Made { text: String, file: PathBuf, losses: Losses },
}

impl Source {
    fn of(args: &PlanRebuild) -> Result<Source, Failure> {
        let mut losses = Losses {
            lose: args.lose.clone(),
            decommission: args.decommission.clone(),
            maintenance: args.maintenance.clone(),
            ..Losses::default()
        };
        if !is_scenario(&args.cluster)? {
            let name = args.cluster.file_name().unwrap_or_default().to_string_lossy();
            let import = serde_json::Value::from(name.as_ref());
            let head = format!("[cluster]\nimport = {import}\n\n[policy]\npacing = \"hdfs3\"\n\n");
            let file = args.cluster.with_extension("plan.toml");
            if losses.need_cluster() {
                let scenario = job::read_text(&head, &file, &job::sets(&args.sets)?)?;
                losses.look_up(&scenario.cluster)?
            }
            return Ok(Source::Made {
                text: head + &losses.tables(args.foreground.is_some())?,
                file,
                losses,
            });
        }
        if !losses.is_empty() {
            return Err(job::bad(format!(
                "{} is a scenario with its own [[event]]: expected a cluster file with --lose, \
                 --decommission or --maintenance",
                args.cluster.display()
            )));
        }
        Ok(Source::Scenario(args.cluster.clone()))
    }

    /// Ignored parts of the command line.
    fn notes(&self) -> Vec<String> {
        match self {
            Source::Scenario(_) => Vec::new(),
            Source::Made { losses, .. } => losses.notes(),
        }
    }

    fn read(&self, sets: &[(String, String)]) -> Result<Sheet, Failure> {
        match self {
            Source::Scenario(file) => job::lab().read(file, sets),
            Source::Made { text, file, losses } => {
                job::lab().read_text(text, file, sets).map_err(|failure| match failure {
                    Failure::BadInput(what) => {
                        Failure::BadInput(losses.locate_error(&what, text, file))
                    }
                    other => other,
                })
            }
        }
    }
}

fn is_scenario(file: &Path) -> Result<bool, Failure> {
    let named = system::built_in::find(&[job::lab().system()], file).ok().flatten();
    let text = match named {
        Some((_, scenario)) => scenario.text.to_string(),
        None => std::fs::read_to_string(file).map_err(|e| {
            job::bad(format!(
                "{}: {e}: expected a cluster file, made by `tenbin import hdfs`, or a scenario",
                file.display()
            ))
        })?,
    };
    Ok(text.lines().any(|line| line.trim_start().starts_with("[[event]]")))
}
