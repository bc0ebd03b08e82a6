use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// A file or an argument is wrong: exit code 2.
    BadInput(String),
    Failed(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::BadInput(text) | Error::Failed(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Error {}
