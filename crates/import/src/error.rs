//! Errors of imports.
use std::fmt;

/// Invalid input: file, position, problem, expectation, advice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportError {
    /// The file as the user named it; `-` is standard input.
    pub file: String,
    /// From 1.
    pub line: Option<u64>,
    pub problem: String,
    pub expected: String,
    pub advice: String,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?
        }
        write!(f, ": ")?;
        say(f, &self.problem, &self.expected, &self.advice)
    }
}

impl std::error::Error for ImportError {}

fn say(f: &mut fmt::Formatter<'_>, problem: &str, expected: &str, advice: &str) -> fmt::Result {
    write!(f, "{problem}")?;
    if !expected.is_empty() {
        write!(f, "; expected {expected}")?
    }
    if !advice.is_empty() {
        write!(f, ". {advice}")?
    }
    Ok(())
}

/// An error inside a file; the caller adds the file, and the line if only it knows that.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Issue {
    /// From 1; `None` if unknown.
    pub line: Option<u64>,
    pub problem: String,
    pub expected: String,
    pub advice: String,
    /// The line ends too early.
    pub cut: bool,
}

pub fn issue(problem: impl Into<String>, expected: impl Into<String>) -> Issue {
    Issue { problem: problem.into(), expected: expected.into(), ..Issue::default() }
}

impl Issue {
    pub fn advice(self, advice: impl Into<String>) -> Issue {
        Issue { advice: advice.into(), ..self }
    }

    pub fn on(self, line: u64) -> Issue {
        Issue { line: Some(line), ..self }
    }

    /// Adds the file; `line` is used if the issue has none.
    pub fn at(self, file: &str, line: Option<u64>) -> ImportError {
        let Issue { line: known, problem, expected, advice, cut: _ } = self;
        ImportError { file: file.into(), line: known.or(line), problem, expected, advice }
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say(f, &self.problem, &self.expected, &self.advice)
    }
}

const QUOTED: usize = 60;

/// Quotes the begin of bytes for an error message: at most 60, without control characters.
pub fn quote(bytes: &[u8]) -> String {
    let short = &bytes[..bytes.len().min(QUOTED)];
    let text = visible(short);
    if bytes.len() > short.len() { format!("`{text}…`") } else { format!("`{text}`") }
}

/// [`quote`] of the end.
pub fn quote_end(bytes: &[u8]) -> String {
    let short = &bytes[bytes.len().saturating_sub(QUOTED)..];
    let text = visible(short);
    if bytes.len() > short.len() { format!("`…{text}`") } else { format!("`{text}`") }
}

fn visible(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
