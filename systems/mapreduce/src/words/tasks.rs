//! Tasks over time, and pages of single tasks.
use super::parts::{slug, time};
use crate::import::conf::SLOW_START;
use crate::log::kinds::interval;
use crate::plain::printable;
use crate::why::{Attempt, Explanation, JobExplanation, Phase, StepKind, Task};
use page::words::{NONE, count, duration, num};
use page::{
    Bar, BarStyle, Below, Body, Cell, Column, Gantt, GanttColumn, GanttGroup, GanttRow, Kind,
    Legend, Moment, Row, Section, Table, say,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use system::Failure;
use trace::{NodeId, Outcome, Trace};

const MOST_ROWS: usize = 20_000;
const MOST_PAGES: usize = 200;

/// Tasks on the critical path.
fn critical(why: &JobExplanation) -> BTreeSet<usize> {
    let runs = [StepKind::Run, StepKind::Lost, StepKind::Stopped, StepKind::Open];
    let on_path = why.critical_path.iter().filter(|s| runs.contains(&s.kind));
    on_path.filter_map(|step| step.of.map(|(task, _)| task)).collect()
}

/// Tasks that get a page: those on the path or with a failed attempt, then the longest.
fn with_pages(why: &JobExplanation) -> BTreeSet<usize> {
    let tasks = &why.job.tasks;
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    let took =
        |task: &usize| tasks[*task].attempts.iter().map(Attempt::duration_s).fold(0.0, f64::max);
    let (on_path, broken) = (critical(why), |task: &usize| {
        tasks[*task].attempts.iter().any(|a| a.outcome != Outcome::Ok)
    });
    let rank = |task: &usize| !(on_path.contains(task) || broken(task));
    order.sort_by(|a, b| rank(a).cmp(&rank(b)).then(took(b).total_cmp(&took(a))));
    order.into_iter().take(MOST_PAGES).collect()
}

fn place(why: &JobExplanation, task: &Task) -> String {
    format!("task/{}/{}", slug(&why.id), slug(&task.name))
}

/// A row of an attempt; the first attempt also has the task's waits.
fn row(
    why: &JobExplanation,
    task: &Task,
    attempt: &Attempt,
    is_first: bool,
    open: bool,
) -> GanttRow {
    let begun = why.job.begun;
    let mut bars = Vec::new();
    let lies_over = |kind: &str| [interval::MAPS, interval::REPORTED].contains(&kind);
    let waits = task.waits.iter().filter(|wait| is_first && !lies_over(&wait.kind));
    let mut waits: Vec<&Phase> = waits.collect();
    waits.sort_by(|a, b| a.from.total_cmp(&b.from));
    for wait in waits {
        let style = if wait.kind == interval::SLOW_START { BarStyle::Held } else { BarStyle::Wait };
        let bar = Bar::new(style, wait.from - begun, wait.to - begun);
        bars.push(if style == BarStyle::Held { bar.label(SLOW_START) } else { bar })
    }
    if let Some((from, to)) = attempt.run {
        let mut run = Bar::new(BarStyle::Runs, from - begun, to - begun);
        let ends = attempt.phases.iter().map(|phase| phase.to - begun);
        run.ticks = ends.filter(|at| *at < to - begun - 1e-9).collect();
        run.letters = letters(attempt);
        let (first, all) = (attempt.number("clockSplits[0]"), attempt.number("clockSplits"));
        if all > 0.0 && attempt.outcome == Outcome::Ok {
            let knee = from - begun + (to - from) * (first / all).min(1.0);
            run.progress = vec![(from - begun, 0.0), (knee, 1.0 / 12.0), (to - begun, 1.0)]
        }
        bars.push(run)
    }
    let local = match (attempt.kind.as_str(), attempt.locality.as_str()) {
        ("MAP", "NODE_LOCAL") => "yes",
        ("MAP", "RACK_LOCAL") => "rack",
        ("MAP", "OFF_SWITCH") => "no",
        _ => NONE,
    };
    let values = vec![
        num(attempt.duration_s(), 1),
        num(attempt.cpu(), 2),
        num(attempt.gc(), 2),
        local.to_string(),
    ];
    let name = if is_first { &task.name } else { &attempt.name };
    let mut row = GanttRow::new(printable(name), bars, values);
    row.strong = if attempt.gc() > attempt.cpu() { vec![0, 2] } else { vec![0] };
    row.open = open.then(|| place(why, task));
    row
}

/// X failed, K killed, S speculative.
fn letters(attempt: &Attempt) -> String {
    let mut letters = String::new();
    match attempt.outcome {
        Outcome::Failed => letters.push('X'),
        Outcome::Killed => letters.push('K'),
        _ => {}
    }
    if attempt.speculative {
        letters.push('S')
    }
    letters
}

/// Attempts that started, by node. If there are too many: the longest, and those on the path.
pub(super) fn gantt(trace: &Trace, why: &JobExplanation, of: Option<NodeId>) -> Section {
    let (on_path, pages) = (critical(why), with_pages(why));
    let all = || {
        let tasks = why.job.tasks.iter().enumerate();
        tasks.flat_map(|(at, task)| task.attempts.iter().enumerate().map(move |a| (at, task, a)))
    };
    let started = |a: &Attempt| a.run.is_some() && of.is_none_or(|node| a.node == Some(node));
    let count_all = all().filter(|(_, _, (_, a))| started(a)).count();
    let least = shortest_shown(all().filter(|(_, _, (_, a))| started(a)).map(|(.., (_, a))| a));
    let mut nodes: BTreeMap<Option<NodeId>, Vec<GanttRow>> = BTreeMap::new();
    let mut shown = 0;
    for (at, task, (place, attempt)) in all() {
        let chosen = attempt.duration_s() >= least || on_path.contains(&at);
        if !started(attempt) || !chosen || shown >= 2 * MOST_ROWS {
            continue;
        }
        let mut row = row(why, task, attempt, place == 0, pages.contains(&at));
        row.critical = on_path.contains(&at) && attempt.outcome == Outcome::Ok;
        nodes.entry(attempt.node).or_default().push(row);
        shown += 1
    }
    let mut lines = super::withheld::lines(why);
    lines.retain(|node, _| of.is_none_or(|of| *node == of));
    let rules = !lines.is_empty();
    for node in lines.keys() {
        nodes.entry(Some(*node)).or_default();
    }
    let group = |(node, rows): (Option<NodeId>, Vec<GanttRow>)| {
        let lines = node.and_then(|node| lines.remove(&node)).unwrap_or_default();
        group(trace, why, node, lines, rows)
    };
    let groups = nodes.into_iter().map(group).collect();
    let gantt = Gantt {
        x: time(why),
        groups,
        columns: ["took, s", "CPU, s", "GC, s", "local"]
            .map(|h| GanttColumn { head: h.into() })
            .into(),
        overview: "running".into(),
        moments: moments(why),
        legend: legend(rules),
    };
    let gantt = gantt.filled();
    let note = match gantt.columns.iter().any(|column| column.head.starts_with("GC")) {
        true => {
            "Heavy outline: on the critical path. Bold GC: longer than all CPU time of the process."
        }
        false => "Heavy outline: on the critical path.",
    };
    let qualifier = "one line each, by node; filled height is progress";
    let mut section = Section::new("tasks", "Tasks", qualifier, Body::Gantt(gantt)).note(note);
    if shown < count_all {
        section = section.tag(format!(
            "{} longest of {} attempts shown",
            num(shown as f64, 0),
            num(count_all as f64, 0)
        ))
    }
    section
}

/// Run time of the shortest attempt shown \[s\].
fn shortest_shown<'a>(all: impl Iterator<Item = &'a Attempt>) -> f64 {
    let mut times: Vec<f64> = all.map(Attempt::duration_s).collect();
    if times.len() <= MOST_ROWS {
        return 0.0;
    }
    times.sort_by(|a, b| b.total_cmp(a));
    times[MOST_ROWS - 1]
}

/// A node: a row per rule that withheld from it, then its tasks.
fn group(
    trace: &Trace,
    why: &JobExplanation,
    node: Option<NodeId>,
    lines: Vec<GanttRow>,
    mut rows: Vec<GanttRow>,
) -> GanttGroup {
    let start = |row: &GanttRow| row.bars.last().map_or(0.0, |bar| bar.from);
    rows.sort_by(|a, b| start(a).total_cmp(&start(b)).then(a.name.cmp(&b.name)));
    let rows = lines.into_iter().chain(rows).collect();
    let here = |kind: &str| {
        why.job.attempts().filter(|a| a.kind == kind && a.node == node && a.run.is_some()).count()
    };
    let title = node.map_or("unknown node".into(), |node| printable(&trace.nodes[node.at()].name));
    let (maps, reduces) = (here("MAP") as u64, here("REDUCE") as u64);
    GanttGroup {
        title,
        note: format!("{}, {}", count(maps, "map"), count(reduces, "reduce")),
        rows,
    }
}

fn moments(why: &JobExplanation) -> Vec<Moment> {
    let begun = why.job.begun;
    let mut moments = Vec::new();
    let waits = |kind: &str| why.job.waits.iter().find(|w| w.kind == kind).map(|w| w.to - begun);
    if let Some(ready) = waits(interval::AM_INIT) {
        moments.push(Moment::at(ready, format!("AM ready {}", duration(ready))))
    }
    let slow = why.job.tasks.iter().flat_map(|task| &task.waits);
    let slow = slow.filter(|w| w.kind == interval::SLOW_START).map(|w| w.to - begun);
    if let Some(met) = slow.max_by(f64::total_cmp) {
        moments.push(Moment::of(met, format!("slow-start met {}", duration(met)), Kind::Setting))
    }
    let ends = why.job.successful("MAP").filter_map(|a| a.run).map(|run| run.1 - begun);
    let last = ends.max_by(f64::total_cmp);
    if let (Some(last), true) = (last, why.reduces > 0) {
        moments.push(Moment::at(last, format!("last map {}", duration(last))))
    }
    moments
}

fn legend(rules: bool) -> Vec<Legend> {
    let of = |style, name: &str| Legend { style, kind: None, name: name.into() };
    let held = match rules {
        true => "held back by slow-start; a rule withholds from the node",
        false => "held back by slow-start",
    };
    vec![
        of(Some(BarStyle::Wait), "waits for a container"),
        of(Some(BarStyle::Held), held),
        of(None, "map, shuffle, sort ends"),
    ]
}

pub(super) fn pages(trace: &Trace, why: &JobExplanation) -> Vec<Below> {
    with_pages(why).into_iter().map(|task| page_of(trace, why, task)).collect()
}

fn page_of(trace: &Trace, why: &JobExplanation, at: usize) -> Below {
    let task = &why.job.tasks[at];
    let took: f64 = task.attempts.iter().map(Attempt::duration_s).fold(0.0, f64::max);
    let sentence = say(format!("{} ran for ", printable(&task.name))).number(duration(took));
    let mut below = Below::new(place(why, task), printable(&task.name), sentence.say("."));
    below.facts = vec![
        say(task.kind.to_lowercase()).done(),
        say(count(task.attempts.len() as u64, "attempt")).done(),
    ];
    let rows = task.attempts.iter().enumerate();
    let rows = rows.map(|(n, a)| row(why, task, a, n == 0, false)).collect();
    let groups = vec![GanttGroup { title: printable(&task.name), note: String::new(), rows }];
    let gantt = Gantt { x: time(why), groups, ..Gantt::default() };
    let first_node = task.attempts.iter().find_map(|a| a.node);
    let mut below = below
        .with(Section::new("attempts", "Attempts", "of this task", Body::Gantt(gantt)))
        .with(table(task));
    if let Some(node) = first_node {
        below = below.with(super::resources::curves(trace, why, node))
    }
    below
}

fn table(task: &Task) -> Section {
    let mut rows = Vec::new();
    let mut line = |what: &str, value: f64, of: &str| {
        rows.push(Row::new(vec![Cell::text(what), Cell::number(value), Cell::text(of)]))
    };
    for wait in &task.waits {
        line(&wait.kind, wait.length(), "s, logged")
    }
    for attempt in &task.attempts {
        for phase in &attempt.phases {
            line(&phase.kind, phase.length(), &format!("s, {}", printable(&attempt.name)))
        }
        for (name, value) in &attempt.numbers {
            line(name, *value, &printable(&attempt.name))
        }
        if !attempt.error.is_empty() {
            line("broke off", attempt.duration_s(), &printable(&attempt.error))
        }
    }
    let columns = vec![Column::words("what"), Column::numbers("value", "", 1), Column::words("of")];
    Section::new("facts", "Times in the log", "", Body::Table(Table { columns, rows }))
}

/// Tasks with this name, or whose name is the end of `name`.
fn find<'w>(
    why: &'w Explanation,
    name: &str,
) -> Result<Vec<(&'w JobExplanation, &'w Task)>, Failure> {
    let all = why.jobs.iter().flat_map(|job| job.job.tasks.iter().map(move |task| (job, task)));
    let fits = |(_, task): &(&JobExplanation, &Task)| {
        name == task.name || name.ends_with(&format!("_{}", task.name))
    };
    let found: Vec<_> = all.filter(fits).collect();
    match found.is_empty() {
        true => Err(Failure::BadInput(format!(
            "--task {name}: no such task in the run. Expected a name like m_000007"
        ))),
        false => Ok(found),
    }
}

pub(super) fn json(why: &Explanation, name: &str) -> Result<Value, Failure> {
    let phase = |p: &Phase| json!({ "what": p.kind, "from_s": p.from, "seconds": p.length() });
    let attempt = |a: &Attempt| {
        json!({
            "id": a.name, "outcome": a.outcome.name(), "speculative": a.speculative,
            "locality": a.locality, "seconds": a.run.map(|_| a.duration_s()), "cpu_s": a.cpu(),
            "gc_s": a.gc(), "phases": a.phases.iter().map(phase).collect::<Vec<_>>(),
            "unexplained_s": (a.duration_s() - a.cpu() - a.gc()).max(0.0), "error": a.error,
        })
    };
    let tasks = find(why, name)?.into_iter().map(|(job, task)| {
        json!({
            "id": task.name, "job": job.id, "kind": task.kind,
            "waits": task.waits.iter().map(phase).collect::<Vec<_>>(),
            "attempts": task.attempts.iter().map(attempt).collect::<Vec<_>>(),
        })
    });
    Ok(json!({ "tasks": tasks.collect::<Vec<_>>() }))
}

pub(super) fn text(why: &Explanation, name: &str) -> Result<String, Failure> {
    let mut out = String::new();
    for (job, task) in find(why, name)? {
        out.push_str(&format!("{} of {}\n", printable(&task.name), printable(&job.id)));
        for wait in &task.waits {
            out.push_str(&format!("  {}: {:.1} s\n", wait.kind, wait.length()))
        }
        for a in &task.attempts {
            let open = (a.duration_s() - a.cpu() - a.gc()).max(0.0);
            out.push_str(&format!(
                "  {}: {}, {:.1} s: CPU {:.1} s, GC {:.1} s, unexplained {open:.1} s\n",
                printable(&a.name),
                a.outcome.name(),
                a.duration_s(),
                a.cpu(),
                a.gc()
            ));
            for phase in &a.phases {
                out.push_str(&format!("    {}: {:.1} s\n", phase.kind, phase.length()))
            }
            if !a.error.is_empty() {
                out.push_str(&format!("    {}\n", printable(&a.error)))
            }
        }
    }
    Ok(out)
}
