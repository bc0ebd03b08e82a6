//! The version of a row.
use rewind::Scalar;

/// Who wrote a row: a client and its request. No two writes of a row have one version.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct Version {
    /// The client; servers that work for themselves count from the end.
    pub client: u32,
    pub number: u32,
}
