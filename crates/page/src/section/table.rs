//! Rows and columns.
use crate::kind::{Kind, Role};
use crate::spans::{Sentence, Span};
use serde::{Deserialize, Serialize};

/// A table.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Table {
    /// Column heads.
    pub columns: Vec<Column>,
    /// Rows.
    pub rows: Vec<Row>,
}

/// Alignment of a column's cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// A column.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Column {
    /// "Recovery".
    pub head: String,
    /// Below it: "s ± 95 %".
    pub unit: String,
    /// Alignment of its cells.
    pub align: Align,
    /// Decimals of all its numbers.
    pub digits: u32,
}

/// Colour of a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// Reproduced, faster.
    Firm,
    /// Partly.
    Partly,
    /// Refuted, failed.
    Against,
    /// Undecided, no difference.
    Open,
}

/// A cell.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "lowercase")]
pub enum Cell {
    /// Text, with a swatch if it has a hue.
    Text {
        /// The words.
        text: Vec<Span>,
        /// Hue.
        kind: Option<Kind>,
        /// Full names on hover; "" for none.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        #[cfg_attr(test, ts(optional, as = "Option<_>"))]
        title: String,
    },
    /// A number with the column's decimals.
    Number {
        /// Its value.
        value: f64,
        /// Half width of the 95 % interval.
        ci95: Option<f64>,
        /// A difference: positive values get a plus.
        signed: bool,
    },
    /// A verdict with its reason.
    Verdict {
        /// "reproduced".
        verdict: String,
        /// Its colour.
        tone: Tone,
        /// One sentence; "" for none.
        reason: String,
    },
    /// One dot per seed over the column's range, with the mean.
    Seeds {
        /// One value per seed.
        values: Vec<f64>,
    },
    /// Not applicable: "–".
    None,
    /// Not in the input: "?".
    Unknown,
}

/// A row.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Row {
    /// Line style of the row in charts; `Recommended` is bold.
    pub role: Option<Role>,
    /// Hue of the line; `None`: ink.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub kind: Option<Kind>,
    /// One cell per column.
    pub cells: Vec<Cell>,
    /// Page below that a click opens.
    pub open: Option<String>,
}

impl Column {
    /// A column of words.
    pub fn words(head: &str) -> Column {
        Column { head: head.into(), unit: String::new(), align: Align::Left, digits: 0 }
    }

    /// A column of numbers with `digits` decimals.
    pub fn numbers(head: &str, unit: &str, digits: u32) -> Column {
        Column { head: head.into(), unit: unit.into(), align: Align::Right, digits }
    }
}

impl Cell {
    /// A cell without a swatch.
    pub fn text(text: impl Into<Sentence>) -> Cell {
        Cell::Text { text: text.into().done(), kind: None, title: String::new() }
    }

    /// A cell with a swatch.
    pub fn of(kind: Kind, text: impl Into<Sentence>) -> Cell {
        Cell::Text { text: text.into().done(), kind: Some(kind), title: String::new() }
    }

    /// Adds hover text; only for [`Cell::Text`].
    pub fn titled(self, title: impl Into<String>) -> Cell {
        match self {
            Cell::Text { text, kind, .. } => Cell::Text { text, kind, title: title.into() },
            other => other,
        }
    }

    /// A number without an interval.
    pub fn number(value: f64) -> Cell {
        Cell::Number { value, ci95: None, signed: false }
    }

    /// A mean with its 95 % interval.
    pub fn mean(value: f64, ci95: f64) -> Cell {
        Cell::Number { value, ci95: Some(ci95), signed: false }
    }

    /// A difference with its 95 % interval.
    pub fn difference(value: f64, ci95: f64) -> Cell {
        Cell::Number { value, ci95: Some(ci95), signed: true }
    }

    /// A verdict with its reason.
    pub fn verdict(verdict: &str, tone: Tone, reason: &str) -> Cell {
        Cell::Verdict { verdict: verdict.into(), tone, reason: reason.into() }
    }
}

impl Row {
    /// A row without a line in charts.
    pub fn new(cells: Vec<Cell>) -> Row {
        Row { role: None, kind: None, cells, open: None }
    }

    /// A variant's row.
    pub fn of(role: Role, cells: Vec<Cell>) -> Row {
        Row { role: Some(role), kind: None, cells, open: None }
    }
}
