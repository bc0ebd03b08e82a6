//! A TOML file as a list of keys with values and lines.
use crate::{BadInput, Problem};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    File(Arc<Path>, u32),
    CommandLine,
}

impl Place {
    pub fn problem(
        &self,
        key: &str,
        problem: impl Into<String>,
        expected: impl Into<String>,
    ) -> Problem {
        let (file, line) = match self {
            Place::File(file, line) => (file.to_path_buf(), Some(*line)),
            Place::CommandLine => ("command line".into(), None),
        };
        let (key, problem, expected) = (key.to_string(), problem.into(), expected.into());
        Problem { file, line, key, problem, expected, hint: None }
    }
}

/// A value before its key determines the type.
#[derive(Clone, PartialEq, Debug)]
pub enum RawValue {
    Text(String),
    /// A number or boolean without quotes.
    Bare(String),
    /// From the command line, without quotes.
    Loose(String),
    List(Vec<Item>),
    /// A table in a list.
    Table(Vec<Entry>),
    /// A date, which no key accepts.
    Date,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    pub value: RawValue,
    pub place: Place,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    pub key: String,
    pub value: RawValue,
    pub place: Place,
    /// Text after `#` on the line where the value ends.
    pub comment: String,
}

impl RawValue {
    /// Without quotes.
    pub fn text(&self) -> &str {
        match self {
            RawValue::Text(text) | RawValue::Bare(text) | RawValue::Loose(text) => text,
            RawValue::List(_) => "a list",
            RawValue::Table(_) => "a table",
            RawValue::Date => "a date",
        }
    }

    /// As written in the file.
    pub fn quoted(&self) -> String {
        match self {
            RawValue::Text(text) => format!("\"{text}\""),
            RawValue::Loose(text) if text.trim().is_empty() => "no value".into(),
            other => other.text().to_string(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Document {
    pub file: Arc<Path>,
    pub text: String,
    /// In file order; tables are flattened, lists of tables are not.
    pub entries: Vec<Entry>,
}

impl Document {
    /// `file` is for messages.
    ///
    /// # Errors
    /// The first TOML syntax error.
    pub fn parse(text: &str, file: &Path) -> Result<Document, BadInput> {
        let reader = Reader { file: file.into(), text, starts: line_starts(text) };
        let (root, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            // Later errors are mostly consequences of the first.
            return Err(reader.syntax_error(&errors[0]).into());
        }
        let mut entries = Vec::new();
        reader.flatten("", root.get_ref(), &mut entries);
        entries.sort_by_key(|(at, _)| *at);
        let entries = entries.into_iter().map(|(_, entry)| entry).collect();
        Ok(Document { file: reader.file, text: text.to_string(), entries })
    }

    /// `key`: all parts joined by dots.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|e| e.key == key)
    }
}

pub fn tables<'a>(
    document: &'a Document,
    table: &str,
    problems: &mut Vec<Problem>,
) -> Vec<(&'a [Entry], &'a Place)> {
    let mut found = Vec::new();
    let expected = || format!("[[{table}]], in double brackets: one or more");
    for entry in document.entries.iter().filter(|e| e.key.split('.').next() == Some(table)) {
        let RawValue::List(items) = &entry.value else {
            problems.push(entry.place.problem(table, "is not a list of tables", expected()));
            break;
        };
        for item in items {
            match &item.value {
                RawValue::Table(entries) => found.push((&entries[..], &item.place)),
                other => problems.push(item.place.problem(table, other.quoted(), expected())),
            }
        }
    }
    found
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

struct Reader<'a> {
    file: Arc<Path>,
    text: &'a str,
    starts: Vec<usize>,
}

impl Reader<'_> {
    fn place(&self, span: Range<usize>) -> Place {
        let line = self.starts.partition_point(|&start| start <= span.start);
        Place::File(self.file.clone(), crate::count32(line))
    }

    fn syntax_error(&self, error: &toml::de::Error) -> Problem {
        let span = error.span().unwrap_or(0..0);
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        let at = match self.text.get(span.clone()).unwrap_or("") {
            word if word.is_empty() || word.len() > 40 || word.contains('\n') => String::new(),
            word => format!(" at `{word}`"),
        };
        self.place(span).problem("", format!("not valid TOML{at}: {message}"), "")
    }

    /// Adds the table's entries with their offsets, to restore the file's order.
    fn flatten(&self, prefix: &str, table: &DeTable<'_>, out: &mut Vec<(usize, Entry)>) {
        for (key, value) in table.iter() {
            let name = match prefix {
                "" => key.get_ref().to_string(),
                _ => format!("{prefix}.{}", key.get_ref()),
            };
            match value.get_ref() {
                DeValue::Table(inner) => self.flatten(&name, inner, out),
                _ => out.push((key.span().start, self.entry(name, key.span(), value))),
            }
        }
    }

    fn entry(&self, key: String, span: Range<usize>, value: &Spanned<DeValue<'_>>) -> Entry {
        let rest = self.text.get(value.span().end..).unwrap_or("");
        let line = rest.lines().next().unwrap_or("");
        let comment = line.split_once('#').map_or("", |(_, comment)| comment.trim());
        let value = self.value(value);
        Entry { key, value, place: self.place(span), comment: comment.to_string() }
    }

    fn value(&self, value: &Spanned<DeValue<'_>>) -> RawValue {
        match value.get_ref() {
            DeValue::String(text) => RawValue::Text(text.to_string()),
            DeValue::Integer(number) => match number.radix() {
                10 => RawValue::Bare(number.as_str().to_string()),
                radix => match u64::from_str_radix(number.as_str(), radix) {
                    Ok(value) => RawValue::Bare(value.to_string()),
                    Err(_) => RawValue::Bare(number.as_str().to_string()),
                },
            },
            DeValue::Float(number) => RawValue::Bare(number.as_str().to_string()),
            DeValue::Boolean(value) => RawValue::Bare(value.to_string()),
            DeValue::Datetime(_) => RawValue::Date,
            DeValue::Array(items) => {
                let item = |v| Item { value: self.value(v), place: self.place(v.span()) };
                RawValue::List(items.iter().map(item).collect())
            }
            DeValue::Table(table) => {
                let mut entries = Vec::new();
                self.flatten("", table, &mut entries);
                entries.sort_by_key(|(at, _)| *at);
                RawValue::Table(entries.into_iter().map(|(_, entry)| entry).collect())
            }
        }
    }
}
