//! How people write quantities: in scenarios ("65MB/s", "0.1ms"), and in Hadoop's files ("128m").
use std::fmt;

/// Why a text is no quantity, and what would be one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseUnitError {
    /// What was found.
    pub found: String,
    /// What would have been right, with an example.
    pub expected: &'static str,
}

impl fmt::Display for ParseUnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: expected {}", self.found, self.expected)
    }
}

impl std::error::Error for ParseUnitError {}

/// A Hadoop size: `k m g t p e` are powers of 1024 (`StringUtils.TraditionalBinaryPrefix`).
pub fn hadoop_size(text: &str) -> Result<u64, ParseUnitError> {
    let _ = text;
    Err(ParseUnitError { found: text.into(), expected: "" })
}

/// A Hadoop time: `ns us ms s m h d`; a bare number is in `default_unit_ns`.
pub fn hadoop_time(text: &str, default_unit_ns: u64) -> Result<crate::Nanos, ParseUnitError> {
    let _ = default_unit_ns;
    Err(ParseUnitError { found: text.into(), expected: "" })
}
