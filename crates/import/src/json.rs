//! JSON files that are read completely.
use crate::error::{ImportError, Issue, issue};
use crate::input_spec::InputSpec;
use crate::read_all::bytes;
use crate::source::{Input, OnProgress, unreadable};
use serde_json::Value;
use serde_json::error::Category;

/// Largest file \[bytes\].
const LARGEST: u64 = 1 << 30;

/// Fails like [`bytes`], and for invalid or cut JSON, with the line.
pub fn json(
    input: &Input,
    wanted: &InputSpec,
    tell: &mut OnProgress<'_>,
) -> Result<Value, ImportError> {
    let bytes = bytes(input, wanted, LARGEST, tell)?;
    serde_json::from_slice(&bytes).map_err(|e| wrong(e, "JSON", wanted).at(&input.name(), None))
}

/// Converts a parser's error; `what` was expected.
pub(crate) fn wrong(error: serde_json::Error, what: &str, wanted: &InputSpec) -> Issue {
    let line = error.line() as u64;
    let said = match error.classify() {
        Category::Io => return unreadable(&std::io::Error::from(error)),
        Category::Eof => issue("the JSON ends in the middle", "complete JSON")
            .advice(format!("The file is incomplete. {}", wanted.advice())),
        _ => issue(format!("not {what} ({error})"), wanted.content).advice(wanted.advice()),
    };
    if line > 0 { said.on(line) } else { said }
}
