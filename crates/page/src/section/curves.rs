//! Lines over one axis. One panel is a picture of its own; several are small multiples.
use crate::kind::{Axis, Kind, Moment, Role, Unit};
use serde::{Deserialize, Serialize};

/// Lines over one axis.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Curves {
    /// All panels share it.
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
    /// "Run queue"; a single panel may leave it to the section's title.
    pub name: String,
    /// Below the name: "threads waiting".
    pub of: String,
    /// What y counts.
    pub unit: Unit,
    /// What there is: a labelled line, and in small multiples the top of the panel.
    pub capacity: Option<Capacity>,
    /// What the panel says in one line: "never above 20 %".
    pub reading: String,
    /// Its lines.
    pub lines: Vec<Line>,
    /// A reason that is written on the first line: "at most 78 blocks every 3 s".
    pub reason: String,
}

/// A level that the lines cannot pass.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Capacity {
    /// Its value.
    pub at: f64,
    /// "NIC 1 250 MB/s".
    pub name: String,
}

/// A curve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Line {
    /// What people call it.
    pub name: String,
    /// How it is drawn.
    pub role: Role,
    /// Its hue; `None`: ink.
    pub kind: Option<Kind>,
    /// Where its samples stand, ascending.
    pub x: Vec<f64>,
    /// Its samples, as many; `None` breaks the line.
    pub y: Vec<Option<f64>>,
    /// The band's lower edge; as many, or none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub low: Vec<f64>,
    /// The band's upper edge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub high: Vec<f64>,
    /// Each value holds until the next sample.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub steps: bool,
    /// The area below it is filled.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub area: bool,
    /// Each sample was measured by itself: it gets a dot.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub dots: bool,
    /// What each sample says beside its value ("of 120 requests"); as many, or none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub notes: Vec<String>,
    /// Stands on the line; without it the name stands at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub flag: Option<Flag>,
}

/// A line's finish, or its best point.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Flag {
    /// On the x axis.
    pub at: f64,
    /// "48.0 s".
    pub value: String,
}

impl Line {
    /// A curve through points.
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

    /// A resource's curve in its hue, over the area below it.
    pub fn of(kind: Kind, points: impl IntoIterator<Item = (f64, f64)>) -> Line {
        Line { kind: Some(kind), area: true, ..Line::new("", Role::Now, points) }
    }

    /// With the least and the most of all seeds.
    pub fn band(mut self, low: Vec<f64>, high: Vec<f64>) -> Line {
        (self.low, self.high) = (low, high);
        self
    }

    /// With a flag.
    pub fn flag(mut self, at: f64, value: impl Into<String>) -> Line {
        self.flag = Some(Flag { at, value: value.into() });
        self
    }

    /// In a hue.
    pub fn kind(mut self, kind: Kind) -> Line {
        self.kind = Some(kind);
        self
    }

    /// With a dot a sample.
    pub fn dots(mut self) -> Line {
        self.dots = true;
        self
    }
}
