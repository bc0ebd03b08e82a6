//! A long list: sorted by its heads, filtered by words and by what a column holds.
use crate::kind::Kind;
use crate::section::Align;
use serde::{Deserialize, Serialize};

/// Rows that may be tens of thousands: the first of them are shown, and a click shows more.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct List {
    /// What rows are called: "transfers".
    pub many: String,
    /// The column that sorts at first.
    pub first: String,
    /// What a field for words looks for: "block or node"; "" for no field.
    pub find: String,
    /// Heads.
    pub columns: Vec<ListColumn>,
    /// One entry a column.
    pub rows: Vec<Vec<Entry>>,
}

/// A column.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListColumn {
    /// Its name in addresses: "took".
    pub id: String,
    /// "Took, s".
    pub head: String,
    /// How its entries stand.
    pub align: Align,
    /// Names that one can type.
    pub code: bool,
    /// The first click sorts the largest to the top.
    pub down: bool,
    /// Above the list one of its entries is chosen.
    pub choose: Option<Choose>,
}

/// A choice among what a column holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Choose {
    /// Its name in addresses: "limit".
    pub id: String,
    /// "limited by".
    pub label: String,
    /// Among the entries' hues, not their words.
    pub kinds: bool,
}

/// What stands in a row.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Entry {
    /// As it is written.
    pub t: String,
    /// In grey after it: "disk 3".
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub more: String,
    /// What it sorts by; without it its words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub by: Option<f64>,
    /// What it is in full, for a hover, and for choices and fields.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub full: String,
    /// Hue, as a swatch before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub kind: Option<Kind>,
    /// Path of the page below that a click opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub open: Option<String>,
}
