//! Who leads and who follows: nodes × pipelines.
use serde::{Deserialize, Serialize};

/// Rows × columns with a mark where they meet.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Matrix {
    /// What a row is: "node".
    pub row: String,
    /// What a column is: "pipeline".
    pub column: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows from top to bottom.
    pub rows: Vec<MatrixRow>,
    /// What the sums on the right count: "leads".
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
    /// Rows of one group stand together under its name: "/rack1".
    pub group: String,
    /// The row's sum, as a bar on the right.
    pub sum: f64,
    /// The hottest: bold.
    pub strong: bool,
}

/// What a row is in a column.
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
    /// Place in `rows`.
    pub row: u32,
    /// Place in `columns`.
    pub column: u32,
    /// What it is.
    pub part: Part,
    /// A policy would make it the leader: a dot.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub suggested: bool,
}
