//! Sections of a job's page, except for tasks.
use crate::log::kinds::interval;
use crate::plain::{printable, when};
use crate::why::{JobExplanation, Step};
use page::words::{NB, count, duration, num, percent};
use page::{
    Axis, Balance, BalancePanel, BalanceRow, Body, Cell, Column, Kind, Path, Row, Section, Share,
    Shares, Table, Width,
};

/// Axis of time since the submission.
pub(super) fn time(why: &JobExplanation) -> Axis {
    Axis::time(0.0, why.job.duration_s().max(0.001))
}

/// A part of a URL, with safe characters only.
pub(super) fn slug(text: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '-' };
    text.chars().take(80).map(fit).collect()
}

fn attempt<'w>(why: &'w JobExplanation, step: &Step) -> Option<&'w crate::why::Attempt> {
    let (task, at) = step.of?;
    why.job.tasks[task].attempts.get(at?)
}

pub(super) fn path(why: &JobExplanation) -> Section {
    let (begun, whole) = (why.job.begun, why.job.duration_s());
    let steps = why.critical_path.iter().filter(|step| step.kind != crate::why::StepKind::Rest);
    let step = |step: &Step| {
        let from = step.from - begun;
        let share = percent(step.seconds / whole);
        let inside = attempt(why, step);
        let note = match inside {
            Some(a) => format!(
                "{share}, of it {}{NB}s CPU and {}{NB}s GC",
                num(a.cpu(), 1),
                num(a.gc(), 1)
            ),
            None => share,
        };
        let ends = inside.map_or(Vec::new(), |a| a.phases.iter().map(|p| p.to - begun).collect());
        page::Step {
            from,
            to: from + step.seconds,
            kind: Some(step.hue()),
            name: printable(&step.what),
            note,
            ticks: ends.into_iter().filter(|at| *at < from + step.seconds - 1e-9).collect(),
            open: None,
        }
    };
    let steps = steps.map(step).collect();
    let qualifier =
        format!("{} from submit to finish; each step waits for the one before", duration(whole));
    Section::new("path", "Critical path", qualifier, Body::Path(Path { x: time(why), steps }))
}

pub(super) fn task_time(why: &JobExplanation) -> Section {
    let (cpu, gc, all) = (why.job.cpu(), why.job.gc(), why.job.ended_time());
    let mut collected = Share::new(Kind::Cpu, "GC", gc).source("GC_TIME_MILLIS");
    collected.overlaps = true;
    let high = if all > 0.0 { ((all - f64::max(cpu, gc)) / all).max(0.0) } else { 0.0 };
    collected.label = format!(
        "overlaps CPU: unexplained is {} to {}",
        num(100.0 * why.unexplained_share, 0),
        percent(high)
    );
    let rest = Share::new(Kind::Unexplained, "Unexplained", why.unexplained_share * all);
    let mut rest = rest.source("time without a counter");
    rest.known = vec![(Kind::Disk, why.floor.disk), (Kind::Network, why.floor.nic)];
    let least = (why.floor.disk + why.floor.nic) * all;
    rest.label = format!("at least {} disk and network", duration(least));
    let cpu = Share::new(Kind::Cpu, "CPU", cpu).source("CPU_MILLISECONDS");
    let shares = Shares::of_whole("s", "time", vec![cpu, collected, rest]);
    let attempts = count(why.job.ended().filter(|a| a.run.is_some()).count() as u64, "attempt");
    let open = when(why.running > 0, || format!(" that ended; {} still run", why.running));
    let qualifier = format!("{} over {attempts}{open}", duration(all));
    Section::new("time", "Task time", qualifier, Body::Shares(shares)).width(Width::Half)
}

pub(super) fn removed(why: &JobExplanation) -> Section {
    let row = |verdict: &crate::why::Verdict| {
        let hue = super::head::hue(&verdict.cause);
        let name = page::words::capital(&verdict.cause);
        match verdict.cause.as_str() {
            "unexplained" => Share::between("Unexplained", -verdict.share_low, -verdict.share_high)
                .source("no evidence"),
            _ => Share::at_most(hue, name, -verdict.share_high)
                .source(if verdict.certainty == "high" { "logged" } else { verdict.certainty }),
        }
    };
    let mut rows: Vec<Share> = why.verdicts.iter().map(row).collect();
    if why.floor.is_insignificant() {
        let least = -f64::min(1.0, why.floor.disk + why.floor.nic);
        rows.push(Share::at_most(Kind::Disk, "Disk + network", least).source("least time"))
    }
    let qualifier = format!("the job’s {} would shrink by", duration(why.job.duration_s()));
    let body = Body::Shares(Shares::bounds("interval", rows));
    Section::new("removed", "If removed", qualifier, body).width(Width::Half)
}

pub(super) fn phases(why: &JobExplanation) -> Section {
    let named = [
        (interval::CONTAINER, "container wait", Kind::Wait),
        (interval::SLOW_START, "slow-start", Kind::Setting),
        (interval::MAP, "map", Kind::Unexplained),
        (interval::COMMIT, "sort and commit", Kind::Unexplained),
        (interval::MAPS, "reduce waits for maps", Kind::Wait),
        (interval::COPY, "copies map outputs", Kind::Unexplained),
        (interval::MERGE, "merge", Kind::Unexplained),
        (interval::REDUCE, "reduce", Kind::Unexplained),
    ];
    let phases = || {
        let tasks = why.job.tasks.iter();
        let waits = tasks.clone().flat_map(|task| task.waits.iter().filter(|w| w.kind != "maps"));
        waits.chain(tasks.flat_map(|task| task.attempts.iter().flat_map(|a| &a.phases)))
    };
    let row = |(kind, name, hue): (&str, &str, Kind)| {
        let all: Vec<f64> = phases().filter(|p| p.kind == kind).map(|p| p.length()).collect();
        let (sum, most) = (all.iter().sum::<f64>(), all.iter().copied().fold(0.0, f64::max));
        Row::new(vec![
            Cell::of(hue, name),
            Cell::number(all.len() as f64),
            Cell::number(sum),
            Cell::number(most),
        ])
    };
    let mut rows: Vec<Row> = named.map(row).into();
    let broke = |a: &&crate::why::Attempt| {
        !matches!(a.outcome, trace::Outcome::Ok | trace::Outcome::Cut) && !a.stopped
    };
    let lost = why.job.attempts().filter(broke);
    let lost: Vec<f64> = lost.map(|a| a.duration_s()).collect();
    rows.push(Row::new(vec![
        Cell::of(Kind::Risk, "attempts that broke off"),
        Cell::number(lost.len() as f64),
        Cell::number(lost.iter().sum()),
        Cell::number(lost.iter().copied().fold(0.0, f64::max)),
    ]));
    let columns = vec![
        Column::words("phase"),
        Column::numbers("times", "", 0),
        Column::numbers("sum", "s", 1),
        Column::numbers("longest", "s", 1),
    ];
    let body = Body::Table(Table { columns, rows });
    Section::new("phases", "Blocked time", "all tasks, as logged", body).width(Width::Half)
}

pub(super) fn stragglers(why: &JobExplanation) -> Section {
    let row = |kind: &crate::why::Kind| BalanceRow {
        name: count(kind.times.len() as u64, kind.name),
        loads: kind.times.iter().take(20_000).map(|times| Some(*times)).collect(),
        value: match kind.marked.len() {
            0 => "none marked".into(),
            n => format!("{n} marked"),
        },
        label: format!(
            "{}, the slowest: {}× the median of {}",
            printable(&kind.slowest.0),
            num(kind.slowest.1, 2),
            duration(kind.median)
        ),
    };
    let panel = BalancePanel {
        title: String::new(),
        centre: "median".into(),
        at: None,
        unit: "s".into(),
        head: String::new(),
        limit: Some(3.0),
        rows: why.stragglers.iter().map(row).collect(),
    };
    let qualifier = "over 3× the median of its kind is marked; reduces count from the last map on";
    let body = Body::Balance(Balance { panels: vec![panel], ..Balance::default() });
    Section::new("stragglers", "Stragglers", qualifier, body).width(Width::Half)
}

/// `None`: no task is marked.
pub(super) fn straggler_table(why: &JobExplanation) -> Option<Section> {
    let marked = why.stragglers.iter().flat_map(|kind| &kind.marked);
    let row = |one: &crate::why::Straggler| {
        Row::new(vec![
            Cell::text(printable(&one.name).as_str()),
            Cell::number(one.took),
            Cell::number(one.times),
            Cell::text(one.cause.as_str()),
        ])
    };
    let rows: Vec<Row> = marked.map(row).collect();
    let columns = vec![
        Column::words("task"),
        Column::numbers("took", "s", 1),
        Column::numbers("over the median", "×", 1),
        Column::words("why"),
    ];
    let body = Body::Table(Table { columns, rows: rows.clone() });
    (!rows.is_empty()).then(|| Section::new("marked", "Marked stragglers", "", body))
}
