//! Lines over one axis. Several panels form small multiples.
use crate::kind::{Axis, Kind, Moment, Role, Unit};
use serde::{Deserialize, Serialize};

/// Lines over one axis.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Curves {
    /// Common to all panels.
    pub x: Axis,
    /// From top to bottom.
    pub panels: Vec<Panel>,
    /// Labelled lines across all panels.
    pub moments: Vec<Moment>,
}

/// One plot.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Panel {
    /// "Run queue"; a single panel may use the section's title instead.
    pub name: String,
    /// Below the name: "threads waiting".
    pub of: String,
    /// Unit of y.
    pub unit: Unit,
    /// A labelled limit; in small multiples also the top of the panel.
    pub capacity: Option<Capacity>,
    /// The panel's statement: "never above 20 %".
    pub reading: String,
    /// Its lines.
    pub lines: Vec<Line>,
    /// Reason written on the first line: "at most 78 blocks every 3 s".
    pub reason: String,
}

/// A level that lines cannot exceed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Capacity {
    /// Its value, in the unit of y.
    pub at: f64,
    /// "NIC 1 250 MB/s".
    pub name: String,
}

/// A curve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Line {
    /// Label.
    pub name: String,
    /// Style of the line.
    pub role: Role,
    /// Its hue; `None`: ink.
    pub kind: Option<Kind>,
    /// Positions of the samples, ascending.
    pub x: Vec<f64>,
    /// Values of the samples; `None` interrupts the line.
    pub y: Vec<Option<f64>>,
    /// Lower edge of the band: one value per sample, or empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub low: Vec<f64>,
    /// Upper edge of the band.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub high: Vec<f64>,
    /// Each value holds until the next sample.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub steps: bool,
    /// Fill the area below.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub area: bool,
    /// Draw a dot per sample: each was measured separately.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub dots: bool,
    /// Text after the value of each sample ("of 120 requests"), or empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub notes: Vec<String>,
    /// Label on the line; without it the name is at the line's end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub flag: Option<Flag>,
}

/// The end of a line, or its best point.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Flag {
    /// Position on the x axis.
    pub at: f64,
    /// "48.0 s".
    pub value: String,
}

impl Line {
    /// A line without hue, band and flag.
    pub fn new(
        name: impl Into<String>,
        role: Role,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Line {
        let (x, y) = points.into_iter().map(|(x, y)| (x, Some(y))).unzip();
        Line {
            name: name.into(),
            role,
            kind: None,
            x,
            y,
            low: Vec::new(),
            high: Vec::new(),
            steps: false,
            area: false,
            dots: false,
            notes: Vec::new(),
            flag: None,
        }
    }

    /// A resource's curve in its hue, with the area filled.
    pub fn of(kind: Kind, points: impl IntoIterator<Item = (f64, f64)>) -> Line {
        Line { kind: Some(kind), area: true, ..Line::new("", Role::Now, points) }
    }

    /// Adds the range over all seeds.
    pub fn band(mut self, low: Vec<f64>, high: Vec<f64>) -> Line {
        (self.low, self.high) = (low, high);
        self
    }

    /// Adds a flag.
    pub fn flag(mut self, at: f64, value: impl Into<String>) -> Line {
        self.flag = Some(Flag { at, value: value.into() });
        self
    }

    /// Sets the hue.
    pub fn kind(mut self, kind: Kind) -> Line {
        self.kind = Some(kind);
        self
    }

    /// Adds a dot per sample.
    pub fn dots(mut self) -> Line {
        self.dots = true;
        self
    }
}
