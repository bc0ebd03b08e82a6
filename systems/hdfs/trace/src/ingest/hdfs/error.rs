//! Why a file could not be imported, and what to do about it.
use std::fmt;

/// Bad input: which file, where in it, what was wrong, what was expected, what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportError {
    /// The file as the user named it; `-` is standard input.
    pub file: String,
    /// Its line, from 1.
    pub line: Option<u64>,
    /// What was found.
    pub problem: String,
    /// What would have been right.
    pub expected: String,
    /// What to run or to change.
    pub advice: String,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?
        }
        write!(f, ": {}", self.problem)?;
        if !self.expected.is_empty() {
            write!(f, "; expected {}", self.expected)?
        }
        if !self.advice.is_empty() {
            write!(f, ". {}", self.advice)?
        }
        Ok(())
    }
}

impl std::error::Error for ImportError {}

/// An error inside one line; the reader adds file and line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::ingest) struct Bad {
    pub(in crate::ingest) problem: String,
    pub(in crate::ingest) expected: String,
    pub(in crate::ingest) advice: String,
    /// The line ends before what was expected.
    pub(in crate::ingest) cut: bool,
}

/// A [`Bad`] without advice.
pub(in crate::ingest) fn bad(problem: impl Into<String>, expected: impl Into<String>) -> Bad {
    Bad { problem: problem.into(), expected: expected.into(), ..Bad::default() }
}

impl Bad {
    pub(in crate::ingest) fn advice(mut self, advice: impl Into<String>) -> Bad {
        self.advice = advice.into();
        self
    }
    pub(in crate::ingest) fn at(self, file: &str, line: Option<u64>) -> ImportError {
        let Bad { problem, expected, advice, cut: _ } = self;
        ImportError { file: file.into(), line, problem, expected, advice }
    }
}

/// Most bytes that are quoted.
const QUOTED: usize = 60;

/// Bytes of an input as an error message quotes them: short, and without control characters.
pub(in crate::ingest) fn quote(bytes: &[u8]) -> String {
    let short = &bytes[..bytes.len().min(QUOTED)];
    let text = visible(short);
    if bytes.len() > short.len() { format!("`{text}…`") } else { format!("`{text}`") }
}

/// The same of their end.
pub(in crate::ingest) fn quote_end(bytes: &[u8]) -> String {
    let short = &bytes[bytes.len().saturating_sub(QUOTED)..];
    let text = visible(short);
    if bytes.len() > short.len() { format!("`…{text}`") } else { format!("`{text}`") }
}

fn visible(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
