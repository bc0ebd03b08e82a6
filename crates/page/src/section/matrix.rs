//! Leaders and followers: nodes × pipelines.
use serde::{Deserialize, Serialize};

/// Rows × columns with sparse marks.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Matrix {
    /// Noun of a row: "node".
    pub row: String,
    /// Noun of a column: "pipeline".
    pub column: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows from top to bottom.
    pub rows: Vec<MatrixRow>,
    /// Meaning of the sums on the right: "leads".
    pub sum: String,
    /// Marks, sparse.
    pub cells: Vec<MatrixCell>,
}

/// A row.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatrixRow {
    /// "dn-03".
    pub name: String,
    /// Rows with the same group are together under its name: "/rack1".
    pub group: String,
    /// The row's sum, as a bar on the right.
    pub sum: f64,
    /// Bold: the hottest.
    pub strong: bool,
}

/// Role of a row in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Filled.
    Leader,
    /// Outlined.
    Follower,
}

/// A mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatrixCell {
    /// Index into `rows`.
    pub row: u32,
    /// Index into `columns`.
    pub column: u32,
    /// Role.
    pub part: Part,
    /// A dot: a policy would make it the leader.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub suggested: bool,
}
