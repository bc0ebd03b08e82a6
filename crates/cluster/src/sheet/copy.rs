//! Copies a scenario's text with changed values, for use in another folder.
use crate::keys::{Vocabulary, of_event};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// Writes `sets` (`hardware.disk`, `105MB/s`) into `text`, replacing values or extending tables;
/// the rest, including comments, stays. Omits keys of tables that cannot be extended by a line
/// (inline tables): a caller who needs all compares the scenarios' hashes.
pub fn with_sets(vocabulary: &Vocabulary, text: &str, sets: &[(String, String)]) -> String {
    sets.iter().fold(text.to_string(), |text, (key, value)| with(vocabulary, text, key, value))
}

fn with(vocabulary: &Vocabulary, mut text: String, key: &str, value: &str) -> String {
    let Some((table, name)) = key.split_once('.') else { return text };
    let value = written(vocabulary, key, value);
    let (root, _) = DeTable::parse_recoverable(&text);
    if let Some(span) = span_of(vocabulary, root.get_ref(), key) {
        text.replace_range(span, &value);
        return text;
    }
    if !text.ends_with('\n') {
        text.push('\n')
    }
    let quote = if name.contains('.') { "\"" } else { "" };
    let line = format!("{quote}{name}{quote} = {value}\n");
    match header(&text, key) {
        Some(end) => text.insert_str(end, &line),
        None => text += &format!("\n[{table}]\n{line}"),
    }
    text
}

/// Quoted or bare, by the key's kind.
fn written(vocabulary: &Vocabulary, key: &str, value: &str) -> String {
    let value = value.strip_prefix('"').and_then(|v| v.strip_suffix('"')).unwrap_or(value);
    match vocabulary.find(key) {
        Some(key) if !key.kind.quoted() => value.to_string(),
        _ => format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}

/// Range of the key's value in the text.
fn span_of(vocabulary: &Vocabulary, root: &DeTable<'_>, key: &str) -> Option<Range<usize>> {
    let Some((number, part)) = of_event(key) else {
        return find(vocabulary, "", root, &(vocabulary.renamed)(key));
    };
    let DeValue::Array(items) = root.get("event")?.get_ref() else { return None };
    let DeValue::Table(table) = items.get(number.unwrap_or(1) - 1)?.get_ref() else { return None };
    find(vocabulary, "", table, part)
}

fn find(
    vocabulary: &Vocabulary,
    prefix: &str,
    table: &DeTable<'_>,
    wanted: &str,
) -> Option<Range<usize>> {
    table.iter().find_map(|(key, value)| {
        let dot = if prefix.is_empty() { "" } else { "." };
        let name = format!("{prefix}{dot}{}", key.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) => find(vocabulary, &name, inner, wanted),
            _ => ((vocabulary.renamed)(&name) == wanted).then(|| value.span()),
        }
    })
}

/// End of the line of `[table]`, or of the event's `[[event]]`.
fn header(text: &str, key: &str) -> Option<usize> {
    let (wanted, nth) = match of_event(key) {
        Some((number, _)) => ("[[event]]".to_string(), number.unwrap_or(1)),
        None => (format!("[{}]", key.split('.').next()?), 1),
    };
    let mut end = 0;
    let ends = text.split_inclusive('\n').filter_map(|line| {
        end += line.len();
        line.trim_start().starts_with(&wanted).then_some(end)
    });
    ends.take(nth).enumerate().find(|(at, _)| at + 1 == nth).map(|(_, end)| end)
}
