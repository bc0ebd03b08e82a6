//! Rows of cells: hue for the kind, lightness for the amount.
use crate::kind::{Axis, Kind, Moment};
use serde::{Deserialize, Serialize};

/// A heat map of at most 60 rows.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Heat {
    /// Common to all rows.
    pub x: Axis,
    /// Width of a cell, in the axis' unit.
    pub cell: f64,
    /// Word after a cell's value: "busy".
    pub word: String,
    /// From top to bottom.
    pub groups: Vec<HeatGroup>,
    /// Splits, migrations, losses: labelled ticks above.
    pub moments: Vec<Moment>,
}

/// Rows with the same aggregation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HeatGroup {
    /// "Disks: mean of a rack's 120".
    pub title: String,
    /// Heads of the two columns on the right: "busiest" (or "peak"), "mean".
    pub columns: (String, String),
    /// Rows.
    pub rows: Vec<HeatRow>,
}

/// A row.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HeatRow {
    /// Hue: `Disk`, `Network` or `Cpu`.
    pub kind: Kind,
    /// Label.
    pub name: String,
    /// Values 0–1; missing cells at the end were idle.
    pub cells: Vec<f64>,
    /// 0–1, left column.
    pub peak: f64,
    /// 0–1, right column.
    pub mean: f64,
    /// Bold name: affected by the event.
    pub strong: bool,
    /// Page below that a click opens.
    pub open: Option<String>,
}

impl HeatRow {
    /// Computes peak and mean.
    pub fn new(kind: Kind, name: impl Into<String>, cells: Vec<f64>) -> HeatRow {
        let peak = cells.iter().copied().fold(0.0, f64::max);
        let mean = cells.iter().sum::<f64>() / cells.len().max(1) as f64;
        HeatRow { kind, name: name.into(), cells, peak, mean, strong: false, open: None }
    }
}
