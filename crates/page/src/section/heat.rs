//! Rows of cells: the hue says what, lightness how much.
use crate::kind::{Axis, Kind, Moment};
use serde::{Deserialize, Serialize};

/// A map of cells; never more than 60 rows.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Heat {
    /// All rows share it.
    pub x: Axis,
    /// Width of a cell on it.
    pub cell: f64,
    /// What a cell says, after its value: "busy".
    pub word: String,
    /// From top to bottom.
    pub groups: Vec<HeatGroup>,
    /// Splits, migrations, losses: labelled ticks above.
    pub moments: Vec<Moment>,
}

/// Rows that aggregate the same way.
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
    /// 0–1 a cell; what follows the last was idle.
    pub cells: Vec<f64>,
    /// 0–1, the left column.
    pub peak: f64,
    /// 0–1, the right column.
    pub mean: f64,
    /// Concerned by what happened: its name is bold.
    pub strong: bool,
    /// Path of the page below that a click opens.
    pub open: Option<String>,
}

impl HeatRow {
    /// A row with its peak and mean.
    pub fn new(kind: Kind, name: impl Into<String>, cells: Vec<f64>) -> HeatRow {
        let peak = cells.iter().copied().fold(0.0, f64::max);
        let mean = cells.iter().sum::<f64>() / cells.len().max(1) as f64;
        HeatRow { kind, name: name.into(), cells, peak, mean, strong: false, open: None }
    }
}
