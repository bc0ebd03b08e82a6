//! A long list that can be sorted and filtered.
use crate::kind::Kind;
use crate::section::Align;
use serde::{Deserialize, Serialize};

/// Up to tens of thousands of rows: the UI shows the first, and more on a click.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct List {
    /// Noun of the rows: "transfers".
    pub many: String,
    /// Id of the column that sorts initially.
    pub first: String,
    /// Label of the search field: "block or node"; "" for no field.
    pub find: String,
    /// Heads.
    pub columns: Vec<ListColumn>,
    /// One entry per column.
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
    /// Alignment of its entries.
    pub align: Align,
    /// Entries are names to type, drawn as `<code>`.
    pub code: bool,
    /// The first click sorts descending.
    pub down: bool,
    /// Adds a filter by this column's entries.
    pub choose: Option<Choose>,
}

/// A filter by the entries of a column.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Choose {
    /// Its name in addresses: "limit".
    pub id: String,
    /// "limited by".
    pub label: String,
    /// Filters by the entries' hues, not their texts.
    pub kinds: bool,
}

/// A cell of a row.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Entry {
    /// Its text.
    pub t: String,
    /// In grey after it: "disk 3".
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub more: String,
    /// Sort value; without it the text sorts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub by: Option<f64>,
    /// Full text for hover, filters and search.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub full: String,
    /// Hue of the swatch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub kind: Option<Kind>,
    /// Page below that a click opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub open: Option<String>,
}
