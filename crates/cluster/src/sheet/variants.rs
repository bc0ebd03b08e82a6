//! Rows of a comparison: `[compare]`, `[[variant]]` and `--vary`.
use super::Variant;
use super::events::{self, EventParts};
use super::layers::{read_value, unknown_key};
use super::values::Values;
use crate::document::{Document, Entry, Item, Place, RawValue, tables};
use crate::keys::{TypedValue, Vocabulary};
use crate::{Problem, nearest};

pub struct Axis {
    key: String,
    values: Vec<(String, TypedValue)>,
    place: Place,
}

pub struct Row {
    pub variant: Variant,
    pub place: Place,
}

/// The unchanged scenario.
pub struct Base<'a> {
    pub vocabulary: &'static Vocabulary,
    pub values: &'a Values,
    pub events: &'a [EventParts],
}

/// More rows than a comparison runs in a day.
const MOST_ROWS: usize = 1_000;

pub fn axes(
    vocabulary: &'static Vocabulary,
    document: &Document,
    problems: &mut Vec<Problem>,
) -> Vec<Axis> {
    let mut axes = Vec::new();
    for entry in &document.entries {
        let Some(key) = entry.key.strip_prefix("compare.") else { continue };
        match &entry.value {
            RawValue::List(items) => {
                axes.extend(axis(vocabulary, key, items, &entry.place, problems))
            }
            other => {
                let expected = format!("a list of values: [{}]", other.quoted());
                problems.push(entry.place.problem(&entry.key, other.quoted(), expected))
            }
        }
    }
    axes
}

pub fn axis(
    vocabulary: &'static Vocabulary,
    name: &str,
    items: &[Item],
    place: &Place,
    problems: &mut Vec<Problem>,
) -> Option<Axis> {
    let Some(key) = vocabulary.find(name).filter(|k| !k.name.starts_with("variant.")) else {
        problems.push(unknown_key(vocabulary, name, place));
        return None;
    };
    if items.is_empty() {
        problems.push(place.problem(name, "an empty list", "at least one value"));
    }
    let mut values: Vec<(String, TypedValue)> = Vec::new();
    for item in items {
        match read_value(key, name, &item.value, &item.place) {
            Ok(typed) if values.iter().any(|(_, t)| *t == typed) => {
                let problem = format!("{} is listed twice", item.value.quoted());
                problems.push(item.place.problem(name, problem, "each value once"))
            }
            Ok(typed) => values.push((item.value.text().to_string(), typed)),
            Err(problem) => problems.push(*problem),
        }
    }
    Some(Axis { key: name.to_string(), values, place: place.clone() })
}

/// All combinations; the unchanged scenario, if included, comes first.
pub fn product(axes: &[Axis], base: &Base<'_>, problems: &mut Vec<Problem>) -> Vec<Row> {
    let vocabulary = base.vocabulary;
    if refuse_same_key(vocabulary, axes, problems) {
        return Vec::new();
    }
    let count = axes.iter().try_fold(1usize, |n, axis| n.checked_mul(axis.values.len()));
    if count.is_none_or(|n| n > MOST_ROWS) {
        let place = axes.last().map_or(Place::CommandLine, |axis| axis.place.clone());
        let problem = "too many combinations";
        problems.push(place.problem("compare", problem, format!("at most {MOST_ROWS}")));
        return Vec::new();
    }
    let mut rows = vec![(Vec::new(), true)];
    for axis in axes {
        let current = current(base, &axis.key);
        let longer = |(set, now): &(Vec<(String, String)>, bool)| {
            let one = |(text, typed): &(String, TypedValue)| {
                let mut set = set.clone();
                set.push((axis.key.clone(), text.clone()));
                (set, *now && current == Some(typed))
            };
            axis.values.iter().map(one).collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    if axes.is_empty() {
        return Vec::new();
    }
    rows.sort_by_key(|(_, now)| !*now);
    let place = axes[0].place.clone();
    let row = |(set, now): (Vec<(String, String)>, bool)| {
        let names: Vec<String> = set.iter().map(|(k, v)| vocabulary.row_name(k, v)).collect();
        let name = names.join(", ") + if now { NOW } else { "" };
        Row { variant: Variant { name, set }, place: place.clone() }
    };
    rows.into_iter().map(row).collect()
}

/// Ensures that the first row is the unchanged scenario: if no combination equals it, a row is
/// added and named by its present values.
pub fn with_unchanged(
    mut rows: Vec<Row>,
    axes: &[Axis],
    base: &Base<'_>,
    place: Place,
) -> Vec<Row> {
    if rows.first().is_some_and(|row| row.variant.name.ends_with(NOW)) {
        return rows;
    }
    let vocabulary = base.vocabulary;
    let own = |axis: &Axis| {
        let value = current(base, &axis.key).map_or_else(String::new, ToString::to_string);
        let written = vocabulary.find(&axis.key).and_then(|key| base.values.find(key.name));
        let value = written.map_or(value, |slot| slot.text.clone());
        (!value.is_empty()).then(|| vocabulary.row_name(&axis.key, &value))
    };
    let names: Option<Vec<String>> = axes.iter().map(own).collect();
    let name = match names.filter(|names| !names.is_empty()) {
        Some(names) => names.join(", "),
        None => (vocabulary.now)(base.values),
    };
    let variant = Variant { name: name + NOW, set: Vec::new() };
    rows.insert(0, Row { variant, place });
    rows
}

/// A key that occurs twice, even by its deprecated name, would lose values.
fn refuse_same_key(vocabulary: &Vocabulary, axes: &[Axis], problems: &mut Vec<Problem>) -> bool {
    let before = problems.len();
    for (at, axis) in axes.iter().enumerate() {
        if axes[..at].iter().any(|other| vocabulary.same(&other.key, &axis.key)) {
            let expected = "all its values in one list: KEY=A,B,C";
            problems.push(axis.place.problem(&axis.key, "is varied twice", expected))
        }
    }
    problems.len() > before
}

/// Suffix of the unchanged scenario's row.
const NOW: &str = " (now)";

fn current<'a>(base: &Base<'a>, key: &str) -> Option<&'a TypedValue> {
    let name = base.vocabulary.find(key)?.name;
    events::current(base.events, key).or_else(|| Some(&base.values.find(name)?.typed))
}

/// `[compare]` and `[[variant]]`; the first row is the unchanged scenario.
pub fn of_file(document: &Document, base: &Base<'_>, problems: &mut Vec<Problem>) -> Vec<Row> {
    let vocabulary = base.vocabulary;
    let axes = axes(vocabulary, document, problems);
    let rows = product(&axes, base, problems);
    let mut rows = with_unchanged(rows, &axes, base, Place::File(document.file.clone(), 1));
    for row in named(vocabulary, document, problems) {
        if rows.iter().any(|other| other.variant.name == row.variant.name) {
            let problem = format!("\"{}\" is the name of an earlier row", row.variant.name);
            problems.push(row.place.problem("variant.name", problem, "a unique name"))
        }
        rows.push(row)
    }
    rows
}

pub fn named(
    vocabulary: &'static Vocabulary,
    document: &Document,
    problems: &mut Vec<Problem>,
) -> Vec<Row> {
    let tables = tables(document, "variant", problems);
    tables
        .into_iter()
        .filter_map(|(parts, place)| named_row(vocabulary, parts, place, problems))
        .collect()
}

fn named_row(
    vocabulary: &'static Vocabulary,
    parts: &[Entry],
    place: &Place,
    problems: &mut Vec<Problem>,
) -> Option<Row> {
    let (mut name, mut set) = (None, Vec::new());
    let before = problems.len();
    for part in parts {
        let at = &part.place;
        if let Some(key) = part.key.strip_prefix("set.") {
            let item = [Item { value: part.value.clone(), place: at.clone() }];
            let axis = axis(vocabulary, key, &item, at, problems);
            set.extend(axis.and_then(|a| Some((a.key, a.values.into_iter().next()?.0))))
        } else if part.key == "name" && matches!(part.value, RawValue::Text(_)) {
            name = Some(part.value.text().to_string())
        } else {
            let expected = "name = \"…\" and set = { \"TABLE.KEY\" = VALUE }";
            let mut problem = at.problem(&format!("variant.{}", part.key), "unknown key", expected);
            problem.hint = nearest(&part.key, ["name", "set"]).map(str::to_string);
            problems.push(problem)
        }
    }
    if problems.len() == before && (name.is_none() || set.is_empty()) {
        let expected = "name = \"…\" and set = { \"TABLE.KEY\" = VALUE }";
        problems.push(place.problem("variant", "is not complete", expected))
    }
    Some(Row { variant: Variant { name: name?, set }, place: place.clone() })
}
