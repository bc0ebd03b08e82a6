//! What hues and lines mean: the same on every screen.
use serde::{Deserialize, Serialize};

/// What kind of thing held something up; one hue each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A pacing limit, an interval, a timeout.
    Setting,
    /// Any disk, flush, fsync.
    Disk,
    /// NIC, uplink, link, fetch.
    Network,
    /// CPU, run queue, metadata operations.
    Cpu,
    /// A logged wait that nothing uses.
    Wait,
    /// Short of copies, failed, over a limit.
    Risk,
    /// No evidence.
    Unexplained,
}

/// Which line of a chart, or row of a table, a variant is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Present settings.
    Now,
    /// What *Do* proposes.
    Recommended,
    /// The rest.
    Other,
}

/// What a number counts, and so how it is written and where its ticks stand.
///
/// Some are known: `"s"` is written as a duration (48.0 s, 10 min 30 s), `"B"` and `"B/s"` with a
/// prefix (2.5 MB), `"%"` is a share 0–1 in percent, `"x"` a ratio (1.36). With any other unit the
/// number is written with three digits that count, and the unit after it ("12 000 op/s"); with ""
/// alone.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Unit(pub String);

impl Unit {
    /// A value as sentences write it.
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

    /// A value beside another, seconds with its decimals.
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

/// The x axis of a picture. Pictures whose axes have the same name and unit share one crosshair,
/// and one zoom.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Axis {
    /// What runs along it ("time", "clients"); written at its end unless it is time.
    pub name: String,
    /// What its numbers count.
    pub unit: Unit,
    /// Its left end.
    pub from: f64,
    /// Its right end.
    pub to: f64,
    /// Logarithmic: for sizes and for clients. Both ends are above 0.
    pub log: bool,
}

impl Axis {
    /// Time \[s\].
    pub fn time(from: f64, to: f64) -> Axis {
        Axis { name: "time".into(), unit: "s".into(), from, to, log: false }
    }

    /// From the smallest to the largest of what is counted.
    pub fn linear(name: &str, unit: &str, from: f64, to: f64) -> Axis {
        Axis { name: name.into(), unit: unit.into(), from, to, log: false }
    }

    /// The same, doubling at even steps.
    pub fn log(name: &str, unit: &str, from: f64, to: f64) -> Axis {
        Axis { name: name.into(), unit: unit.into(), from, to, log: true }
    }
}

/// Something that happened, or a value that is written: a labelled line across a picture.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Moment {
    /// On the x axis.
    pub at: f64,
    /// "slow-start met 44.1 s".
    pub name: String,
    /// Its hue; `None`: ink, and a dotted line.
    pub kind: Option<Kind>,
}

impl Moment {
    /// Without a hue.
    pub fn at(at: f64, name: impl Into<String>) -> Moment {
        Moment { at, name: name.into(), kind: None }
    }

    /// In a hue.
    pub fn of(at: f64, name: impl Into<String>, kind: Kind) -> Moment {
        Moment { at, name: name.into(), kind: Some(kind) }
    }
}
