//! The critical path: consecutive steps, each waits for the previous one.
use crate::kind::{Axis, Kind};
use serde::{Deserialize, Serialize};

/// Consecutive steps.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Path {
    /// The time axis.
    pub x: Axis,
    /// In order of time.
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
    /// Hue; `Unexplained` has a dashed outline; `None`: a logged interval with a solid outline.
    pub kind: Option<Kind>,
    /// Text above: "AM start", "m_000007".
    pub name: String,
    /// Text below: "48 %, of it 0.6 s CPU".
    pub note: String,
    /// Ends of phases within.
    pub ticks: Vec<f64>,
    /// Page below that a click opens.
    pub open: Option<String>,
}
