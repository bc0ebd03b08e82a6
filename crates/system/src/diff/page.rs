//! The page of two runs.
use super::data::{Curve, Diff, Figure, NodePair, Pair, ResourceUse};
use super::sentences;
use super::side::Side;
use crate::finished::FinishedJob;
use crate::reporter::{hue, interval, measured};
use analysis::Stat;
use page::words::{MINUS, NB, NONE, decimals, num, percent};
use page::{
    Align, Axis, Body, Cell, Certainty, Column, Curves, Foot, Head, Kind, Line, Moment, Page,
    Panel, Role, Row, Section, Sentence, Table, Unit, Width, say,
};

/// Most curves next to the answer.
const CURVES: usize = 2;
/// Most rows of a table; `diff.json` has all.
const ROWS: usize = 20;
/// Smaller shares of the wait and smaller utilisations are left out.
const LEAST: f64 = 0.005;

pub(super) fn page(diff: &Diff, sides: &[Side; 2], answer: Sentence) -> Page {
    let [first, second] = &diff.runs;
    let crumbs = ["diff", &first.name, &second.name];
    let mut head = Head::new(crumbs, answer, certainty(diff)).subline(sentences::sub(diff));
    for run in &diff.runs {
        head = head.fact(fact(run))
    }
    for (kind, text) in sentences::held_up(&diff.held) {
        head = head.held_up(kind, text)
    }
    for tag in tags(sides) {
        head = head.tag(tag)
    }
    head = head.assumed("", "see the report of each run.", Vec::new());
    let mut page = Page::new(&diff.system, head, foot(diff, sides));
    let curves = &diff.curves[..diff.curves.len().min(CURVES)];
    for pair in curves {
        page = page.with(curve(diff, sides, pair).width(Width::Half))
    }
    // One curve leaves half a row for the settings; the next section starts a new row.
    let width = if curves.len() == 1 { Width::Full } else { Width::Half };
    page = page.with(settings(diff).width(Width::Half));
    let parting = sentences::parting(&diff.runs, &diff.curves, diff.record.as_ref());
    let parting = parting.into_iter().fold(Sentence::new(), Sentence::then);
    if !parting.is_empty() {
        page = page.with(Section::words("parting", "Where they differ", parting).width(width))
    }
    page = page.with(held(diff)).with(figures(diff));
    for section in [resources(diff), nodes(diff)].into_iter().flatten() {
        page = page.with(section.width(Width::Half))
    }
    page
}

fn certainty(diff: &Diff) -> Certainty {
    let logged = diff.runs.iter().filter(|run| run.origin == "logged").count();
    let seeds = diff.runs.iter().filter(|run| run.seeds > 1).count();
    match (logged, seeds) {
        _ if !diff.not_comparable.is_empty() => Certainty::low("two runs that are not comparable."),
        (2, _) => Certainty::low("two real runs: their difference by chance is unknown."),
        (1, 1) => Certainty::medium("a log, and the seeds of a model."),
        (1, _) => Certainty::low("a log, and one seed of a model; run that with --seeds 20."),
        (_, 0) => Certainty::low("one seed has no interval; run both with --seeds 20."),
        (_, 1) => Certainty::low("a model, one run with one seed; run it with --seeds 20, too."),
        _ => Certainty::low("a model; tenbin check lists its parameters."),
    }
}

/// "four: s0, 4 seeds, dn-03 lost"; without a scenario for a log.
fn fact(run: &super::data::RunSummary) -> Sentence {
    use page::words::count;
    let seeds = match run.origin.as_str() {
        "logged" => "as logged".into(),
        _ => count(u64::from(run.seeds), "seed"),
    };
    let scenario = match (&run.finished, run.scenario.as_str()) {
        (Some(FinishedJob { what, name, broke_off, .. }), _) => {
            let how = broke_off.as_ref().map_or(String::new(), |how| format!(" {how}"));
            format!("{what} {name}{how}, ")
        }
        (None, "") => String::new(),
        (None, name) => format!("{name}, "),
    };
    let lost = match run.lost.as_slice() {
        [] => String::new(),
        [one] => format!(", {one} lost"),
        many => format!(", {} lost", many.len()),
    };
    page::strong(format!("{}: ", run.name)).say(format!("{scenario}{seeds}{lost}"))
}

fn tags(sides: &[Side; 2]) -> Vec<String> {
    let [first, second] = sides;
    let (one, other) = (first.about("version"), second.about("version"));
    let mut tags = Vec::new();
    if one != other {
        tags.push(format!("of tenbin {one} and {other}"))
    }
    let hash = first.about("trace_hash");
    if !hash.is_empty() && hash == second.about("trace_hash") {
        tags.push("the same run twice".into())
    }
    for (side, finished) in sides.iter().filter_map(|side| Some((side, side.finished.as_ref()?))) {
        if !finished.note.is_empty() {
            tags.push(format!("{}: {}", side.name, finished.note))
        }
    }
    let drawn = |side: &&Side| side.about("block_map") == "synthesised";
    let drawn: Vec<&str> = sides.iter().filter(drawn).map(|side| side.name.as_str()).collect();
    match drawn[..] {
        [] => {}
        [one] => tags.push(format!("block map synthesised in {one}")),
        _ => tags.push("block map synthesised".into()),
    }
    tags
}

fn foot(diff: &Diff, sides: &[Side; 2]) -> Foot {
    let mut foot = Foot::new(diff.command.clone());
    for side in sides {
        let seeds = match &side.band {
            Some(band) => format!("seeds {}", seeds(&band.seeds)),
            None if side.logged() => "as logged".into(),
            None => format!("seed {}", side.about("seed")),
        };
        foot = foot.from(&side.name, seeds);
        for (name, key) in [("Scenario", "scenario_hash"), ("Trace", "trace_hash")] {
            if let Some(value) = side.trace.about(key) {
                foot = foot.from(name, value)
            }
        }
    }
    foot.from("tenbin", env!("CARGO_PKG_VERSION"))
}

/// "1–20", or a list.
fn seeds(seeds: &[u64]) -> String {
    let (first, last) = (seeds[0], seeds[seeds.len() - 1]);
    if last.checked_sub(first).is_some_and(|n| n + 1 == seeds.len() as u64) {
        return format!("{first}–{last}");
    }
    seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

fn curve(diff: &Diff, sides: &[Side; 2], pair: &Pair) -> Section {
    let line = |side: usize| {
        let Curve { step_s, median, min, max } = &pair.sides[side];
        let role = [Role::Now, Role::Recommended][side];
        let run = &diff.runs[side];
        let points = median.iter().enumerate().map(|(i, value)| (step_s * i as f64, *value));
        let line = Line::new(run.name.clone(), role, points);
        let line = if run.seeds > 1 { line.band(min.clone(), max.clone()) } else { line };
        // A curve that reaches 0 when the objective ends is flagged there.
        let falls = median.last() == Some(&0.0);
        match run.value.filter(|_| falls && diff.objective.unit == "s") {
            Some(value) => line.flag(value.mean, interval(&diff.objective, value.mean, None)),
            None => line,
        }
    };
    let [ours, theirs] = &pair.sides;
    let to = ours.step_s * ours.median.len().max(theirs.median.len()).saturating_sub(1) as f64;
    let apart = pair.apart_from_s.filter(|at| *at > 0.0);
    let moments = apart.map(|at| Moment::at(at, format!("apart {}", Unit::from("s").write(at))));
    let panel = Panel { lines: vec![line(0), line(1)], ..Panel::default() };
    let body = Body::Curves(Curves {
        x: Axis::time(0.0, to),
        panels: vec![panel],
        moments: moments.into_iter().collect(),
    });
    let starts = sides.iter().any(|side| side.reading.window.0.0 > 0);
    let since = format!("since the {} began", measured(&diff.objective));
    let banded: Vec<String> = (diff.runs.iter().filter(|run| run.seeds > 1))
        .map(|run| num(f64::from(run.seeds), 0))
        .collect();
    let band = format!("band: min to max of {} seeds", banded.join(" and "));
    let qualifier: Vec<String> = [(starts, since), (!banded.is_empty(), band)]
        .into_iter()
        .filter_map(|(is, words)| is.then_some(words))
        .collect();
    let title = match pair.unit.as_str() {
        "" => pair.title.clone(),
        unit => format!("{}, {unit}", pair.title),
    };
    Section::new(&pair.key, &title, qualifier.join("; "), body)
}

/// The first column is aligned left, the others right.
fn table(id: &str, title: &str, qualifier: &str, heads: &[&str], rows: Vec<Row>) -> Section {
    let column = |(place, head): (usize, &&str)| Column {
        align: if place == 0 { Align::Left } else { Align::Right },
        ..Column::words(head)
    };
    let columns = heads.iter().enumerate().map(column).collect();
    let (all, mut rows) = (rows.len(), rows);
    rows.truncate(ROWS);
    let section = Section::new(id, title, qualifier, Body::Table(Table { columns, rows }));
    match all > ROWS {
        true => section.tag(format!("{ROWS} of {all}: those with the largest difference")),
        false => section,
    }
}

fn heads<'a>(diff: &'a Diff, what: &'a str) -> [&'a str; 4] {
    [what, &diff.runs[0].name, &diff.runs[1].name, "difference"]
}

fn settings(diff: &Diff) -> Section {
    let title = "Settings that differ";
    let Some(changed) = &diff.settings else {
        let why = "One of the runs has no settings: neither a scenario nor a log has them.";
        return Section::new("settings", title, "", Body::Note).empty(why, "");
    };
    if changed.is_empty() {
        return Section::words("settings", title, "All keys have the same values.");
    }
    let cell =
        |value: &Option<String>| value.as_ref().map_or(Cell::None, |v| Cell::text(v.as_str()));
    let row = |one: &super::data::ChangedSetting| {
        let key = Cell::text(page::key(one.key.clone()));
        Row::new(vec![key, cell(&one.values[0]), cell(&one.values[1])])
    };
    let rows = changed.iter().map(row).collect();
    table("settings", title, "", &heads(diff, "key")[..3], rows)
}

fn held(diff: &Diff) -> Section {
    let row = |pair: &super::data::HolderPair| {
        let name = match hue(pair.role) {
            Kind::Setting => page::key(pair.name.clone()),
            _ => say(pair.name.clone()),
        };
        let shown = |side: usize| {
            let seconds = pair.seconds.map(|both| Unit::from("s").write(both[side]));
            let share = percent(pair.shares[side]);
            seconds.map_or(share.clone(), |seconds| format!("{share}, {seconds}"))
        };
        let [a, b] = pair.seconds.unwrap_or(pair.shares);
        let unit = if pair.seconds.is_some() { "s" } else { "%" };
        let cells = [shown(0), shown(1), signed(unit, b - a)];
        let cells = cells.map(|words| Cell::text(words.as_str()));
        Row::new(std::iter::once(Cell::of(hue(pair.role), name)).chain(cells).collect())
    };
    let much = |pair: &&super::data::HolderPair| pair.shares[0].max(pair.shares[1]) >= LEAST;
    let rows = diff.held.iter().filter(much).map(row).collect();
    table("held", "Bottlenecks of each", first_seed(diff), &heads(diff, "holder"), rows)
}

/// Qualifier for sections of the first seed, if a run has several.
fn first_seed(diff: &Diff) -> &'static str {
    if diff.runs.iter().any(|run| run.seeds > 1) { "first seed of each" } else { "" }
}

fn figures(diff: &Diff) -> Section {
    let judged = diff.figures.iter().any(|figure| figure.inside.is_some());
    let (both, alone): (Vec<&Figure>, Vec<&Figure>) =
        diff.figures.iter().partition(|figure| figure.difference.is_some());
    let (differ, same): (Vec<&Figure>, Vec<&Figure>) =
        both.into_iter().partition(|figure| differs(figure) || figure.inside == Some(false));
    let row = |figure: &&Figure| {
        let values = figure.values.map(|value| value.map_or(NONE.into(), |v| shown(figure, &v)));
        let by = figure.difference.map_or(NONE.into(), |by| difference(figure, by));
        let cells = values.into_iter().chain([by]).map(|words: String| Cell::text(words.as_str()));
        let inside = match figure.inside {
            Some(true) => Cell::text(Sentence::new().dim("inside")),
            Some(false) => Cell::text(page::strong("outside")),
            None => Cell::None,
        };
        let name = std::iter::once(Cell::text(figure.key.as_str()));
        Row::new(name.chain(cells).chain(judged.then_some(inside)).collect())
    };
    let heads = heads(diff, "figure");
    let heads = [&heads[..], if judged { &["95 % of seeds"] } else { &[] }].concat();
    let several = diff.runs.iter().any(|run| run.seeds > 1);
    let qualifier = if several { "mean of seeds ± 95 % interval" } else { "one run each" };
    let rows = differ.iter().map(row).collect();
    let section = table("figures", "Figures", qualifier, &heads, rows);
    let named = |what: &str, figures: &[&Figure]| {
        let keys: Vec<&str> = figures.iter().map(|figure| figure.key.as_str()).collect();
        (!keys.is_empty()).then(|| format!("{what}: {}.", keys.join(", ")))
    };
    let notes = [named("Same, or almost, in both", &same), named("Only in one", &alone)];
    section.note(notes.into_iter().flatten().collect::<Vec<_>>().join(" ").as_str())
}

fn differs(figure: &Figure) -> bool {
    figure.difference.is_some_and(|by| difference(figure, by) != "0")
}

/// "38.2 ± 1.0 s", "12".
fn shown(figure: &Figure, value: &Stat) -> String {
    let unit = Unit::from(plain(&figure.unit));
    let mean = unit.write(value.mean);
    if value.ci95 == 0.0 {
        return mean;
    }
    let digits = decimals(value.mean);
    match figure.unit.as_str() {
        "s" if value.mean.abs() < 599.5 => {
            format!("{}{NB}±{NB}{}{NB}s", num(value.mean, digits), num(value.ci95, digits))
        }
        "s" | "B" => format!("{mean}{NB}±{NB}{}", unit.write(value.ci95)),
        _ => format!("{mean}{NB}±{NB}{}", num(value.ci95, digits)),
    }
}

/// Drops "1/s": the name of a rate states it.
fn plain(unit: &str) -> &str {
    if unit == "1/s" { "" } else { unit }
}

/// "−0.69 s (−3 %)", "0".
fn difference(figure: &Figure, by: f64) -> String {
    let first = figure.values[0].map_or(0.0, |value| value.mean);
    let written = signed(plain(&figure.unit), by);
    if written == "0" || first == 0.0 {
        return written;
    }
    let sign = if by < 0.0 { MINUS } else { "+" };
    match percent((by / first).abs()) {
        part if part.starts_with('0') => written,
        part => format!("{written} ({sign}{part})"),
    }
}

fn signed(unit: &str, by: f64) -> String {
    let size = Unit::from(unit).write(by.abs());
    if !size.bytes().any(|b| b.is_ascii_digit() && b != b'0') {
        return "0".into();
    }
    format!("{}{size}", if by < 0.0 { MINUS } else { "+" })
}

fn resources(diff: &Diff) -> Option<Section> {
    let much = |used: &&ResourceUse| used.used[0].max(used.used[1]) >= LEAST;
    let row = |used: &ResourceUse| {
        let [a, b] = used.used;
        let cells =
            [percent(a), percent(b), signed("%", b - a)].map(|words| Cell::text(words.as_str()));
        let name = Cell::of(hue(used.role), used.name.as_str());
        Row::new(std::iter::once(name).chain(cells).collect())
    };
    let rows: Vec<Row> = diff.resources.iter().filter(much).map(row).collect();
    let first = first_seed(diff);
    let comma = if first.is_empty() { "" } else { "; " };
    let qualifier = format!("mean use of the capacity{comma}{first}");
    let section = || {
        table("resources", "Use of resources", &qualifier, &heads(diff, "resource"), rows.clone())
    };
    (!rows.is_empty()).then(section)
}

fn nodes(diff: &Diff) -> Option<Section> {
    let did = |node: &&NodePair| node.counts != [0.0; 2];
    let mut all: Vec<&NodePair> = diff.nodes.iter().filter(did).collect();
    let change = |node: &NodePair| (node.counts[1] - node.counts[0]).abs();
    let judged = all.iter().any(|node| node.inside.is_some());
    if all.len() > ROWS {
        all.sort_by(|a, b| change(b).total_cmp(&change(a)))
    }
    let row = |node: &&NodePair| {
        let count = |side: usize| match node.ranges[side] {
            None => num(node.counts[side], 0),
            Some(_) if !judged => num(node.counts[side], 1),
            Some((low, high)) => {
                format!("{} ({}–{})", num(node.counts[side], 1), num(low, 0), num(high, 0))
            }
        };
        let alive = if node.alive == [true; 2] { "" } else { " (lost)" };
        let name = format!("{}{alive}: {}", node.name, sentences::work(node));
        let inside = match node.inside {
            Some(true) => "inside",
            Some(false) => "OUTSIDE",
            None => "",
        };
        let cells = [name, count(0), count(1)].into_iter().chain(judged.then(|| inside.into()));
        Row::new(cells.map(|words| Cell::text(words.as_str())).collect())
    };
    let rows: Vec<Row> = all.iter().map(row).collect();
    let heads = heads(diff, "node and work");
    let heads = [&heads[..3], if judged { &["95 % of seeds"] } else { &[] }].concat();
    let note = sentences::nodes(&diff.runs, &diff.nodes);
    (!rows.is_empty()).then(|| table("nodes", "Works by node", "", &heads, rows).note(note))
}
