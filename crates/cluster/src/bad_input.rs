//! Input errors: file, line, key, expectation, advice.
use std::fmt;
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// As the user named it; "command line" for `--set` and `--vary`.
    pub file: PathBuf,
    /// From 1; `None`: the entire file.
    pub line: Option<u32>,
    /// `hardware.disk`; empty: no key.
    pub key: String,
    pub problem: String,
    pub expected: String,
    pub hint: Option<String>,
}

impl Problem {
    pub fn of_file(
        file: &Path,
        problem: impl Into<String>,
        expected: impl Into<String>,
    ) -> Problem {
        Problem {
            file: file.to_path_buf(),
            line: None,
            key: String::new(),
            problem: problem.into(),
            expected: expected.into(),
            hint: None,
        }
    }
}

impl fmt::Display for Problem {
    /// `scenarios/x.toml:12: hardware.disk: "65MB": expected a rate …; did you mean "65MB/s"?`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?
        }
        if !self.key.is_empty() {
            write!(f, ": {}", self.key)?
        }
        write!(f, ": {}", self.problem)?;
        if !self.expected.is_empty() {
            write!(f, ": expected {}", self.expected)?
        }
        match &self.hint {
            Some(hint) => write!(f, "; did you mean {hint}?"),
            None => Ok(()),
        }
    }
}

/// All problems of an input; never empty. The command line exits with code 2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadInput {
    /// Sorted by file and line.
    pub problems: Vec<Problem>,
}

impl BadInput {
    /// Sorts by file and line, and removes duplicates.
    pub fn all(mut problems: Vec<Problem>) -> BadInput {
        assert!(!problems.is_empty(), "an error without a problem");
        problems.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        problems.dedup();
        BadInput { problems }
    }
}

impl From<Problem> for BadInput {
    fn from(problem: Problem) -> BadInput {
        BadInput { problems: vec![problem] }
    }
}

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                writeln!(f)?
            }
            write!(f, "{problem}")?
        }
        Ok(())
    }
}

impl std::error::Error for BadInput {}
