//! Values compared with a paper's: points, error bars, and the paper's points.
use crate::kind::{Axis, Kind};
use serde::{Deserialize, Serialize};

/// Points over two axes.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Scatter {
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Points of one origin.
    pub series: Vec<Points>,
    /// Draw the line of equality: both axes have the same unit.
    pub diagonal: bool,
}

/// Origin of points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Simulated here: filled.
    Ours,
    /// Measured by a twin: filled, with its hue.
    Twin,
    /// From a paper: hollow, dashed.
    Document,
}

/// Points of one origin.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Points {
    /// "PPMDS, fig. 9".
    pub name: String,
    /// Origin of the points.
    pub origin: Origin,
    /// Hue; `None`: ink.
    pub kind: Option<Kind>,
    /// Joined by a line.
    pub joined: bool,
    /// The points.
    pub points: Vec<Point>,
}

/// One point.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Point {
    /// Position on the x axis.
    pub x: f64,
    /// Position on the y axis.
    pub y: f64,
    /// Lower end of the error bar.
    pub low: Option<f64>,
    /// Upper end of the error bar.
    pub high: Option<f64>,
    /// Label; "" for none.
    pub name: String,
}

impl Points {
    /// Joined points without error bars.
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
