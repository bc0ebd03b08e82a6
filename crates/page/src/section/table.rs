//! Rows and columns.
use crate::kind::{Kind, Role};
use crate::spans::{Sentence, Span};
use serde::{Deserialize, Serialize};

/// A table.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Table {
    /// Heads.
    pub columns: Vec<Column>,
    /// Rows.
    pub rows: Vec<Row>,
}

/// How a column's cells stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
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
    /// How its cells stand.
    pub align: Align,
    /// Decimals of its numbers: one count a column.
    pub digits: u32,
}

/// How a verdict stands to what was claimed.
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
    /// Words, after a swatch if they have a hue.
    Text {
        /// The words.
        text: Vec<Span>,
        /// Hue.
        kind: Option<Kind>,
        /// On hover: the names in full; "" for none.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        #[cfg_attr(test, ts(optional, as = "Option<_>"))]
        title: String,
    },
    /// A number with the column's decimals.
    Number {
        /// Its value.
        value: f64,
        /// Half width of its 95 % interval.
        ci95: Option<f64>,
        /// It is a difference: above 0 it has a plus.
        signed: bool,
    },
    /// A verdict, and why.
    Verdict {
        /// "reproduced".
        verdict: String,
        /// How it looks.
        tone: Tone,
        /// In one sentence; "" for none.
        reason: String,
    },
    /// Seed by seed, as dots over the column's range, with their mean.
    Seeds {
        /// Values.
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
    /// The line that the row is in charts: its sample opens it; `Recommended` is bold.
    pub role: Option<Role>,
    /// The hue of that line; `None`: ink.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub kind: Option<Kind>,
    /// One a column.
    pub cells: Vec<Cell>,
    /// Path of the page below that a click opens.
    pub open: Option<String>,
}

impl Column {
    /// Words.
    pub fn words(head: &str) -> Column {
        Column { head: head.into(), unit: String::new(), align: Align::Left, digits: 0 }
    }

    /// Numbers with so many decimals.
    pub fn numbers(head: &str, unit: &str, digits: u32) -> Column {
        Column { head: head.into(), unit: unit.into(), align: Align::Right, digits }
    }
}

impl Cell {
    /// Words.
    pub fn text(text: impl Into<Sentence>) -> Cell {
        Cell::Text { text: text.into().done(), kind: None, title: String::new() }
    }

    /// Words after a swatch.
    pub fn of(kind: Kind, text: impl Into<Sentence>) -> Cell {
        Cell::Text { text: text.into().done(), kind: Some(kind), title: String::new() }
    }

    /// The same, with what a hover tells.
    pub fn titled(self, title: impl Into<String>) -> Cell {
        match self {
            Cell::Text { text, kind, .. } => Cell::Text { text, kind, title: title.into() },
            other => other,
        }
    }

    /// A number.
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

    /// A verdict, and why.
    pub fn verdict(verdict: &str, tone: Tone, reason: &str) -> Cell {
        Cell::Verdict { verdict: verdict.into(), tone, reason: reason.into() }
    }
}

impl Row {
    /// A row that is no line of a chart.
    pub fn new(cells: Vec<Cell>) -> Row {
        Row { role: None, kind: None, cells, open: None }
    }

    /// A variant's row.
    pub fn of(role: Role, cells: Vec<Cell>) -> Row {
        Row { role: Some(role), kind: None, cells, open: None }
    }
}
