//! The critical path: steps end to end, each waits for the one before.
use crate::kind::{Axis, Kind};
use serde::{Deserialize, Serialize};

/// Steps end to end.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Path {
    /// Time.
    pub x: Axis,
    /// In their order.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Step {
    /// Its begin.
    pub from: f64,
    /// Its end.
    pub to: f64,
    /// Hue; `Unexplained` has a dashed outline; `None`: a logged interval, a solid one.
    pub kind: Option<Kind>,
    /// Above: "AM start", "m_000007".
    pub name: String,
    /// Below: "48 %, of it 0.6 s CPU".
    pub note: String,
    /// Ends of phases within.
    pub ticks: Vec<f64>,
    /// Place of the path below that a click opens.
    pub open: Option<String>,
}
