//! The relay's error.
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    BadInput(String),
    /// A node, a disk or a connection failed.
    Failed(String),
    /// The caller's [`Watch`](crate::client::Watch) returned false.
    Stopped,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::BadInput(text) | Error::Failed(text) => f.write_str(text),
            Error::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for Error {}

impl From<keys::Error> for Error {
    fn from(e: keys::Error) -> Error {
        match e {
            keys::Error::BadInput(text) => Error::BadInput(text),
            keys::Error::Failed(text) => Error::Failed(text),
        }
    }
}
