//! Meaning of hues, lines, units and axes, common to all pages.
use serde::{Deserialize, Serialize};

/// Kind of a bottleneck; each has one hue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A pacing limit, an interval, a timeout.
    Setting,
    /// Disk, flush, fsync.
    Disk,
    /// NIC, uplink, link, fetch.
    Network,
    /// CPU, run queue, metadata operations.
    Cpu,
    /// A logged wait without a resource.
    Wait,
    /// Short of copies, failed, over a limit.
    Risk,
    /// No evidence.
    Unexplained,
}

/// Line of a chart or row of a table of a variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The present settings.
    Now,
    /// The variant that *Do* recommends.
    Recommended,
    /// Any other variant.
    Other,
}

/// Unit of a number; it determines format and ticks.
///
/// Known units: `"s"` is written as a duration (48.0 s, 10 min 30 s), `"B"` and `"B/s"` with a
/// prefix (2.5 MB), `"%"` is a share 0–1 in percent, `"x"` a ratio (1.36). Any other unit follows
/// the number with three significant digits ("12 000 op/s"); "" is a plain number.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Unit(pub String);

impl Unit {
    /// The value with its unit.
    pub fn write(&self, value: f64) -> String {
        use crate::words::{NB, bytes, decimals, duration, num, percent, rate};
        match self.0.as_str() {
            "s" => duration(value),
            "B" => bytes(value),
            "B/s" => rate(value),
            "%" => percent(value),
            "x" => num(value, 2),
            "" => num(value, whole_or(value, decimals(value))),
            unit => format!("{}{NB}{unit}", num(value, whole_or(value, decimals(value)))),
        }
    }

    /// A value next to `other`; seconds get the decimals of `other`.
    pub(crate) fn like(&self, other: f64, value: f64) -> String {
        match self.0.as_str() {
            "s" => crate::words::duration_with(value, crate::words::decimals(other)),
            _ => self.write(value),
        }
    }
}

/// Whole numbers have no decimals: 8 clients, not 8.00.
fn whole_or(value: f64, digits: usize) -> usize {
    if value == libm::floor(value) { 0 } else { digits }
}

impl From<&str> for Unit {
    fn from(unit: &str) -> Unit {
        Unit(unit.into())
    }
}

/// The x axis of a chart. Charts with the same axis name and unit share crosshair and zoom.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Axis {
    /// Name ("time", "clients"), written at its end except for time.
    pub name: String,
    /// Unit of its numbers.
    pub unit: Unit,
    /// Its left end.
    pub from: f64,
    /// Its right end.
    pub to: f64,
    /// Logarithmic, for sizes and clients; both ends are above 0.
    pub log: bool,
}

impl Axis {
    /// Time \[s\].
    pub fn time(from: f64, to: f64) -> Axis {
        Axis { name: "time".into(), unit: "s".into(), from, to, log: false }
    }

    /// A linear axis.
    pub fn linear(name: &str, unit: &str, from: f64, to: f64) -> Axis {
        Axis { name: name.into(), unit: unit.into(), from, to, log: false }
    }

    /// A logarithmic axis.
    pub fn log(name: &str, unit: &str, from: f64, to: f64) -> Axis {
        Axis { name: name.into(), unit: unit.into(), from, to, log: true }
    }
}

/// A labelled line across a chart, for an event or a value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Moment {
    /// Position on the x axis.
    pub at: f64,
    /// "slow-start met 44.1 s".
    pub name: String,
    /// Its hue; `None`: ink and a dotted line.
    pub kind: Option<Kind>,
}

impl Moment {
    /// A moment without a hue.
    pub fn at(at: f64, name: impl Into<String>) -> Moment {
        Moment { at, name: name.into(), kind: None }
    }

    /// A moment with a hue.
    pub fn of(at: f64, name: impl Into<String>, kind: Kind) -> Moment {
        Moment { at, name: name.into(), kind: Some(kind) }
    }
}
