//! What is wrong with an input: file, line, key, what was expected, what to do.
use std::fmt;
use std::path::{Path, PathBuf};

/// One thing wrong with an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The file, as the user named it; "command line" for `--set` and `--vary`.
    pub file: PathBuf,
    /// Its line, from 1; none where the whole file is meant.
    pub line: Option<u32>,
    /// `hardware.disk`; empty where no key is meant.
    pub key: String,
    pub problem: String,
    /// What would have been right; empty where `problem` says it all.
    pub expected: String,
    pub hint: Option<String>,
}

impl Problem {
    /// A problem of a whole file.
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

/// Everything wrong with an input; never empty. The command line ends with exit code 2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadInput {
    /// In the order of the files and their lines.
    pub problems: Vec<Problem>,
}

impl BadInput {
    /// All of these; sorted by file and line, and each said once.
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
