//! Measured against a document: points, error bars, and the document's points beside ours.
use crate::kind::{Axis, Kind};
use serde::{Deserialize, Serialize};

/// Points over two axes.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Scatter {
    /// Across.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// Points of one origin.
    pub series: Vec<Points>,
    /// Both axes count the same: a line says where they are equal.
    pub diagonal: bool,
}

/// Whose points they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Simulated here: filled.
    Ours,
    /// Measured by a twin: filled, with its hue.
    Twin,
    /// Read in a document: hollow, dashed.
    Document,
}

/// Points of one origin.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Points {
    /// "PPMDS, fig. 9".
    pub name: String,
    /// Whose.
    pub origin: Origin,
    /// Hue; `None`: ink.
    pub kind: Option<Kind>,
    /// A line joins them.
    pub joined: bool,
    /// The points.
    pub points: Vec<Point>,
}

/// One point.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Point {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// Lower end of its error bar.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Written beside it; "" for none.
    pub name: String,
}

impl Points {
    /// Points joined by a line, without error bars.
    pub fn line(
        name: impl Into<String>,
        origin: Origin,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Points {
        let point = |(x, y)| Point { x, y, ..Point::default() };
        let points = points.into_iter().map(point).collect();
        Points { name: name.into(), origin, kind: None, joined: true, points }
    }
}
