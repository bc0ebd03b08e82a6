//! The page of one job, and that of several jobs.
use super::{by_node, foot, head, nodes, parts, tasks, text, times, withheld};
use crate::plain::{printable, printable_whole};
use crate::why::{Explanation, Floor, JobExplanation};
use page::words::{count, duration, num, percent};
use page::{
    Axis, Bar, BarStyle, Below, Body, Cell, Certainty, Column, Gantt, GanttColumn, GanttGroup,
    GanttRow, Head, Page, Row, Section, Table, Width, say,
};
use std::collections::BTreeMap;
use trace::Trace;

/// Maximum number of jobs with tasks and nodes on a page; the longest are shown.
const MOST_IN_FULL: usize = 20;

/// Maximum number of jobs with a page of their own.
const MOST_PAGES: usize = 1000;

const MOST_ROWS: usize = 10_000;

fn sections(trace: &Trace, why: &JobExplanation) -> Vec<Section> {
    let mut sections = vec![
        parts::path(why),
        parts::task_time(why),
        parts::removed(why),
        tasks::gantt(trace, why, None),
        parts::stragglers(why),
        parts::phases(why),
    ];
    sections.extend(times::tasks(why));
    sections.extend(times::fetches(why));
    sections.extend(parts::straggler_table(why));
    sections.extend(by_node::section(trace, why));
    sections.extend(withheld::section(trace, why));
    sections.extend(problems(trace));
    sections
}

pub(super) fn single_job_page(trace: &Trace, why: &JobExplanation) -> Page {
    let crumbs = vec!["finished jobs".to_string(), printable(&why.id)];
    let mut page = Page::new("mapreduce", head::of(why, crumbs), foot(trace));
    for section in sections(trace, why) {
        page = page.with(section)
    }
    for below in nodes::pages(trace, why).into_iter().chain(tasks::pages(trace, why)) {
        page = page.below(below)
    }
    page
}

fn problems(trace: &Trace) -> Option<Section> {
    let row = |problem: &trace::ImportIssue| {
        let file = printable(&trace.sources[problem.source.at()].name);
        Row::new(vec![
            Cell::text(file.as_str()),
            problem.line.map_or(Cell::None, |line| Cell::number(line as f64)),
            Cell::text(printable(&problem.what).as_str()),
            Cell::number(problem.times as f64),
        ])
    };
    let rows: Vec<Row> = trace.problems.iter().take(1000).map(row).collect();
    let columns = vec![
        Column::words("file"),
        Column::numbers("line", "", 0),
        Column::words("what"),
        Column::numbers("times", "", 0),
    ];
    let body = Body::Table(Table { columns, rows: rows.clone() });
    let qualifier = "or left out, and why";
    (!rows.is_empty()).then(|| Section::new("problems", "Not readable", qualifier, body))
}

pub(super) fn jobs_page(trace: &Trace, why: &Explanation) -> Page {
    let many = count(why.jobs.len() as u64, "job");
    let certainty = Certainty::high("submission and end of each job are logged.");
    let slowest = why.jobs.iter().max_by(|a, b| a.job.duration_s().total_cmp(&b.job.duration_s()));
    let verdict = match slowest {
        None => say("The run has no job."),
        Some(one) => say(format!("{many}; the longest, {}, took ", printable(&one.id)))
            .number(duration(one.job.duration_s()))
            .say("."),
    };
    let mut head = Head::new(["finished jobs"], verdict, certainty);
    if let Some(first) = slowest {
        let line = page::plain(&head::verdict(first).done());
        head = head::add_advice(first, head.subline(say(format!("Of it: {line}"))))
    }
    let head = head::assumed(&Floor::of_all(why.jobs.iter().map(|one| &one.job)), head);
    let order = order(why);
    let page = Page::new("mapreduce", head, foot(trace));
    let mut page = page.with(gantt(why, &order)).with(table(why, &order));
    if let Some(section) = withheld::of_jobs(trace, why) {
        page = page.with(section)
    }
    if let Some(section) = problems(trace) {
        page = page.with(section)
    }
    let mut longest: Vec<(&usize, &JobExplanation)> =
        why.jobs.iter().filter_map(|one| Some((order.get(one.id.as_str())?, one))).collect();
    longest.sort_by_key(|(place, _)| **place);
    for (place, one) in longest {
        let full = *place < MOST_IN_FULL;
        page = page.below(below(trace, one, full));
        if !full {
            continue;
        }
        for below in nodes::pages(trace, one).into_iter().chain(tasks::pages(trace, one)) {
            page = page.below(Below { link: None, ..below })
        }
    }
    page
}

/// Ranks of jobs with a page, the longest job first.
pub(super) type Order<'w> = BTreeMap<&'w str, usize>;

fn order(why: &Explanation) -> Order<'_> {
    let mut order: Vec<&JobExplanation> = why.jobs.iter().collect();
    order.sort_by(|a, b| b.job.duration_s().total_cmp(&a.job.duration_s()));
    let places = order.into_iter().take(MOST_PAGES).enumerate();
    places.map(|(place, one)| (one.id.as_str(), place)).collect()
}

fn open(order: &Order<'_>, one: &JobExplanation) -> Option<String> {
    order.contains_key(one.id.as_str()).then(|| path(one))
}

fn path(one: &JobExplanation) -> String {
    format!("job/{}", parts::slug(&one.id))
}

fn below(trace: &Trace, one: &JobExplanation, full: bool) -> Below {
    let mut below = Below::new(path(one), printable(&one.id), head::verdict(one));
    below.facts = vec![
        say(printable(&one.name)).done(),
        say(one.status.to_lowercase()).done(),
        say(duration(one.job.duration_s())).done(),
    ];
    below = below.with(verdicts(one));
    let all = match full {
        true => sections(trace, one),
        false => vec![parts::path(one), parts::task_time(one), parts::removed(one)],
    };
    for section in all {
        if section.id != "problems" {
            below = below.with(section)
        }
    }
    below
}

/// A table of verdicts with their evidence; a single job's page shows these in its head.
fn verdicts(why: &JobExplanation) -> Section {
    let row = |verdict: &crate::why::Verdict| {
        let says: Vec<String> =
            verdict.evidence.iter().take(6).map(|e| printable(&e.says)).collect();
        Row::new(vec![
            Cell::of(head::hue(&verdict.cause), say(page::words::capital(&verdict.cause))),
            Cell::text(printable(&verdict.holder).as_str()),
            Cell::number(100.0 * verdict.share_high),
            Cell::text(verdict.certainty),
            Cell::text(says.join("; ").as_str()),
            Cell::text(text::remedy(&verdict.remedy).as_str()),
        ])
    };
    let columns = vec![
        Column::words("held up by"),
        Column::words("holder"),
        Column::numbers("at most", "% of its time", 0),
        Column::words("certainty"),
        Column::words("evidence"),
        Column::words("do"),
    ];
    let rows: Vec<Row> = why.verdicts.iter().map(row).collect();
    let none = rows.is_empty();
    let body = Body::Table(Table { columns, rows });
    let mut section = Section::new("verdict", "What held it up", "the most first", body);
    section = section.width(Width::Full);
    for note in &why.notes {
        section = section.tag(printable_whole(note))
    }
    match none {
        true => section.empty("The history has no cause of delay.", ""),
        false => section,
    }
}

pub(super) fn gantt(why: &Explanation, order: &Order<'_>) -> Section {
    let end = why.jobs.iter().map(|job| job.job.end).fold(0.001, f64::max);
    let mut queues: BTreeMap<String, Vec<GanttRow>> = BTreeMap::new();
    for one in why.jobs.iter().take(MOST_ROWS) {
        let mut bar = Bar::new(BarStyle::Runs, one.job.begun, one.job.end);
        bar.letters = match one.status.as_str() {
            "SUCCEEDED" => "",
            "KILLED" => "K",
            "UNKNOWN" => "?",
            _ => "X",
        }
        .into();
        let values =
            vec![num(one.job.duration_s(), 1), one.maps.to_string(), one.reduces.to_string()];
        let name = if one.name.is_empty() { &one.id } else { &one.name };
        let mut row = GanttRow::new(printable(name), vec![bar], values);
        row.open = open(order, one);
        queues.entry(printable(&one.job.queue)).or_default().push(row)
    }
    let group = |(title, rows): (String, Vec<GanttRow>)| GanttGroup {
        title,
        note: count(rows.len() as u64, "job"),
        rows,
    };
    let gantt = Gantt {
        x: Axis::time(0.0, end),
        groups: queues.into_iter().map(group).collect(),
        columns: ["took, s", "maps", "reduces"].map(|h| GanttColumn { head: h.into() }).into(),
        overview: "running".into(),
        ..Gantt::default()
    };
    Section::new("jobs", "Jobs", "one line each, by queue", Body::Gantt(gantt))
}

fn table(why: &Explanation, order: &Order<'_>) -> Section {
    let row = |one: &JobExplanation| {
        let first = one.verdicts.first();
        let cause = first.map_or("–".to_string(), |v| {
            format!("{}, at most {}: {}", v.cause, percent(v.share_high), printable(&v.holder))
        });
        let mut row = Row::new(vec![
            Cell::text(printable(&one.id).as_str()),
            Cell::text(printable(&one.name).as_str()),
            Cell::text(one.status.to_lowercase().as_str()),
            Cell::number(one.job.duration_s()),
            Cell::number(one.failed as f64),
            Cell::number(one.killed as f64),
            Cell::number(100.0 * one.unexplained_share),
            Cell::text(cause.as_str()),
            Cell::text(first.map_or_else(String::new, |v| text::remedy(&v.remedy)).as_str()),
        ]);
        row.open = open(order, one);
        row
    };
    let columns = vec![
        Column::words("job"),
        Column::words("name"),
        Column::words("status"),
        Column::numbers("took", "s", 1),
        Column::numbers("failed", "attempts", 0),
        Column::numbers("killed", "attempts", 0),
        Column::numbers("unexplained", "% of task time", 0),
        Column::words("held up by"),
        Column::words("do"),
    ];
    let rows = why.jobs.iter().take(MOST_ROWS).map(row).collect();
    let section = Section::new("table", "All jobs", "", Body::Table(Table { columns, rows }));
    let section = section.width(Width::Full);
    match why.jobs.len() > MOST_ROWS {
        true => section.tag(format!("{MOST_ROWS} of {} jobs shown", why.jobs.len())),
        false => section,
    }
}
