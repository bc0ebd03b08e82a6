//! The variants of a comparison: progress over time, and a table.
use crate::advice::Price;
use crate::figures::{Difference, Figures, PairedDifference};
use crate::reporter::{Case, hue, interval, measured};
use analysis::{Span, Steps, stat};
use page::words::{capital, decimals};
use page::{
    Axis, Body, Cell, Column, Curves, Line, Panel, Role, Row, Section, Sentence, Table, Tone,
    Width, say,
};
use trace::reading::Objective;
use units::{Nanos, u32_of, usize_of};

/// Most lines that are distinguishable.
const LINES: usize = 6;
const PLACES: u64 = 300;
/// Most metrics in the table in addition to the objective.
const PRICES: usize = 2;
/// A metric gets a column if variants differ by this fraction.
const DIFFERS: f64 = 0.01;
/// Runs of at least this fraction of the longest count as equally long.
const ALIKE: f64 = 0.95;

struct VariantRow<'c> {
    figures: &'c Figures,
    role: Role,
    asked: bool,
}

/// The present scenario, requested variants, tried variants.
fn shown<'c>(case: &'c Case<'_>) -> Vec<VariantRow<'c>> {
    let advice = &case.advice;
    let now = advice.now.as_ref().unwrap_or(&case.figures[0]);
    // A variant with the first seed only is not comparable with means over seeds.
    let whole = advice.candidates.iter().enumerate().filter(|(_, one)| advice.is_whole(one));
    let others = whole.map(|(place, one)| VariantRow {
        figures: &one.figures,
        role: if Some(place) == advice.follow { Role::Recommended } else { Role::Other },
        asked: one.asked,
    });
    std::iter::once(VariantRow { figures: now, role: Role::Now, asked: true })
        .chain(others)
        .collect()
}

/// Completed operations over time, one line per variant. `None` if runs lack the curve or no
/// variant differs.
pub fn curves(case: &Case<'_>) -> Option<Section> {
    let rows = shown(case);
    let differs = |against: &PairedDifference| {
        matches!(against.verdict, Difference::Better | Difference::Worse)
    };
    if !rows.iter().any(|row| row.figures.against.as_ref().is_some_and(differs)) {
        return None;
    }
    let picked = pick(&rows);
    let operation = &rows[0].figures.completions.first()?.0.operation;
    let length = |row: &&VariantRow<'_>| row.figures.longest;
    let longest = picked.iter().map(length).max()?;
    let step = Nanos(longest.0.div_ceil(PLACES).max(1));
    let objective = &case.now().objective;
    let shows = CurveKind::of(&picked);
    let lines: Vec<Line> =
        picked.iter().filter_map(|row| line(row, objective, step, shows)).collect();
    if lines.len() < 2 {
        return None;
    }
    let seeds = match rows[0].figures.seeds {
        1 => "one seed".into(),
        seeds => format!("median of {seeds} seeds, band: min to max"),
    };
    let cut = match picked.len() < rows.len() {
        true => format!("; {} of {} rows drawn", picked.len(), rows.len()),
        false => String::new(),
    };
    let x = Axis::time(0.0, longest.as_secs());
    let body = Body::Curves(Curves {
        x,
        panels: vec![Panel { lines, ..Panel::default() }],
        moments: Vec::new(),
    });
    let title = format!("{}s {}", capital(operation), shows.words());
    Some(Section::new("variants", &title, format!("{seeds}{cut}"), body).width(Width::Larger))
}

/// The present, the followed variant, then the largest differences.
fn pick<'s, 'c>(rows: &'s [VariantRow<'c>]) -> Vec<&'s VariantRow<'c>> {
    let rank = |row: &VariantRow<'_>| match row.role {
        Role::Now => 0,
        Role::Recommended => 1,
        Role::Other if row.asked => 2,
        Role::Other => 3,
    };
    let differs =
        |row: &VariantRow<'_>| row.figures.against.map_or(0.0, |against| against.mean.abs());
    let mut places: Vec<usize> = (0..rows.len()).collect();
    places.sort_by(|&a, &b| {
        let (a, b) = (&rows[a], &rows[b]);
        rank(a).cmp(&rank(b)).then(differs(b).total_cmp(&differs(a)))
    });
    places.truncate(LINES);
    places.sort_unstable();
    places.into_iter().map(|place| &rows[place]).collect()
}

#[derive(Clone, Copy, PartialEq)]
enum CurveKind {
    /// Remaining operations of this total, which all runs complete.
    Left(f64),
    /// Remaining percent of each run's own total, if operations have different sizes.
    LeftPart,
    /// Completed operations; all runs take the same time.
    Done,
}

impl CurveKind {
    fn of(rows: &[&VariantRow<'_>]) -> CurveKind {
        let mut totals =
            rows.iter().flat_map(|row| &row.figures.completions).map(|one| one.0.count.last());
        let first = totals.next().unwrap_or(0.0);
        if totals.all(|count| count == first) {
            return CurveKind::Left(first);
        }
        let longest = || rows.iter().map(|row| row.figures.longest.0 as f64);
        let (most, least) = (longest().fold(0.0, f64::max), longest().fold(f64::MAX, f64::min));
        if least < ALIKE * most { CurveKind::LeftPart } else { CurveKind::Done }
    }

    fn words(self) -> &'static str {
        match self {
            CurveKind::Left(_) => "remaining",
            CurveKind::LeftPart => "remaining, %",
            CurveKind::Done => "done",
        }
    }
}

/// The median; for the present, with a band over its seeds.
fn line(
    row: &VariantRow<'_>,
    objective: &Objective,
    step: Nanos,
    shows: CurveKind,
) -> Option<Line> {
    let figures = row.figures;
    let scale = |count: &Steps| match shows {
        CurveKind::LeftPart => count.scaled(100.0 / count.last()),
        CurveKind::Left(_) | CurveKind::Done => count.clone(),
    };
    let scaled = figures.completions.iter().map(|(ended, from)| (scale(&ended.count), *from));
    let counts: Vec<(Steps, Nanos)> = scaled.collect();
    let curves: Vec<(&Steps, Nanos)> = counts.iter().map(|(count, from)| (count, *from)).collect();
    let count = figures.longest.0.div_ceil(step.0);
    let mut span = Span::of(&curves, step, usize_of(count));
    if curves.is_empty() {
        return None;
    }
    let total = match shows {
        CurveKind::Left(total) => Some(total),
        CurveKind::LeftPart => Some(100.0),
        CurveKind::Done => None,
    };
    if let Some(total) = total {
        let left = |all: Vec<f64>| all.into_iter().map(|count| total - count).collect();
        span =
            Span { low: left(span.high), median: left(span.median), high: left(span.low), ..span };
    }
    let at = |place: usize| (step * place as u64).as_secs();
    let points = span.median.iter().enumerate().map(|(place, value)| (at(place), *value));
    let mut line = Line::new(figures.name.clone(), row.role, points);
    // Runs of equal length get no flag.
    if let (Some(value), true) = (&figures.value, total.is_some()) {
        let done = span.median.iter().position(|left| *left <= 1e-9 * total.unwrap_or(0.0));
        let done = done.unwrap_or_else(|| usize_of(count));
        line = line.flag(at(done), interval(objective, value.mean, None));
    }
    match row.role == Role::Now && figures.seeds > 1 {
        true => Some(line.band(span.low, span.high)),
        false => Some(line),
    }
}

pub fn table(case: &Case<'_>, prices: &[Price]) -> Section {
    let rows = shown(case);
    let objective = &case.now().objective;
    let seeds = rows[0].figures.seeds;
    let prices: Vec<&Price> = prices
        .iter()
        .filter(|price| price.metric != objective.metric && differs(&rows, price.metric))
        .take(PRICES)
        .collect();
    let now = |metric: &str| rows[0].figures.metrics.get(metric).map_or(0.0, |stat| stat.mean);
    let digits = |value: f64| u32_of(decimals(value));
    let of_value = digits(rows[0].figures.value.map_or(0.0, |value| value.mean));
    let mut columns = vec![
        Column::words("row"),
        Column::numbers(&measured(objective), &format!("{} ± 95 %", objective.unit), of_value),
        Column::numbers("against now", &objective.unit, of_value),
        Column::words("verdict"),
    ];
    if seeds > 1 {
        columns.push(Column::words(&format!("{seeds} seeds, line: mean")))
    }
    columns.push(Column::words("largest bottleneck"));
    columns.extend(
        prices
            .iter()
            .map(|price| Column::numbers(price.words, price.unit, digits(now(price.metric)))),
    );
    let row = |row: &VariantRow<'_>| {
        let figures = row.figures;
        let mut cells =
            vec![name(row), value(figures, objective), against(figures), verdict(figures)];
        if seeds > 1 {
            cells.push(Cell::Seeds { values: figures.per_seed.clone() })
        }
        cells.push(top(figures));
        cells.extend(prices.iter().map(|price| match figures.metrics.get(price.metric) {
            Some(stat) => Cell::number(stat.mean),
            None => Cell::Unknown,
        }));
        Row::of(row.role, cells)
    };
    let rows = rows.iter().map(row).collect();
    let qualifier = format!("mean of {seeds} seeds; every row uses the same seeds");
    let section =
        Section::new("compare", "Compare", qualifier, Body::Table(Table { columns, rows }));
    section.note(legend(case))
}

/// Explains verdicts that are not obvious.
fn legend(case: &Case<'_>) -> Sentence {
    let now = case.advice.now.as_ref().unwrap_or(&case.figures[0]);
    let Some(value) = now.value.filter(|_| now.seeds > 1) else { return Sentence::default() };
    let small = interval(&case.now().objective, analysis::stat::SAME * value.mean.abs(), None);
    say(format!("No difference: below 5 % ({small}), interval included. Not decided: add seeds."))
}

fn name(row: &VariantRow<'_>) -> Cell {
    match row.asked {
        true => Cell::text(row.figures.name.as_str()),
        false => Cell::text(say(format!("{} (tried)", row.figures.name))),
    }
}

/// "41 s in 3 of 5": over the seeds that ended.
fn value(figures: &Figures, objective: &Objective) -> Cell {
    match (figures.value, figures.some.len()) {
        (Some(value), _) => Cell::mean(value.mean, value.ci95),
        (None, 0) => Cell::Unknown,
        (None, some) => {
            let mean = interval(objective, stat(&figures.some).mean, None);
            Cell::text(format!("{mean} in {some} of {}", figures.seeds).as_str())
        }
    }
}

fn against(figures: &Figures) -> Cell {
    figures
        .against
        .map_or(Cell::None, |PairedDifference { mean, ci95, .. }| Cell::difference(mean, ci95))
}

fn verdict(figures: &Figures) -> Cell {
    let Some(PairedDifference { verdict, .. }) = figures.against else { return Cell::None };
    let tone = match verdict {
        Difference::Better => Tone::Firm,
        Difference::Worse => Tone::Against,
        Difference::None | Difference::Open => Tone::Open,
    };
    Cell::verdict(crate::reporter::word(verdict), tone, "")
}

fn top(figures: &Figures) -> Cell {
    let Some(top) = &figures.top else { return Cell::None };
    let share = page::words::percent(top.share);
    Cell::of(hue(top.role), say(format!("{} {share}", short(&top.holder))))
        .titled(top.holder.clone())
}

/// "…watch.timeout = 180s": the last parts of a key identify it.
fn short(holder: &str) -> String {
    let Some((key, value)) = holder.split_once(" = ") else { return holder.to_string() };
    let parts: Vec<&str> = key.split('.').collect();
    match parts.len() {
        0..=2 => holder.to_string(),
        n => format!("…{} = {value}", parts[n - 2..].join(".")),
    }
}

fn differs(rows: &[VariantRow<'_>], metric: &str) -> bool {
    let all: Vec<f64> =
        rows.iter().filter_map(|row| Some(row.figures.metrics.get(metric)?.mean)).collect();
    let (low, high) = all
        .iter()
        .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
    all.len() == rows.len() && high - low > DIFFERS * high.abs().max(low.abs())
}
