//! Claims of a paper: a line each, which unfolds.
use super::Tone;
use serde::{Deserialize, Serialize};

/// Claims in the paper's order.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Claims {
    /// One row for each claim.
    pub claims: Vec<ClaimRow>,
}

/// One claim of a paper.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClaimRow {
    /// Its number in the list: "C0.3".
    pub id: String,
    /// The paper's words, shortened.
    pub statement: String,
    /// The value that the paper states.
    pub document: String,
    /// Our value with its interval, without the unit.
    pub ours: String,
    /// The verdict: "with these assumptions".
    pub word: String,
    /// Colour of the word's frame.
    pub tone: Tone,
    /// Unfolded: label and text of reason, power, and what would decide.
    pub notes: Vec<(String, String)>,
    /// Unfolded: alternatives against the band.
    pub strip: Strip,
}

/// Our value and its alternatives over one axis.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Strip {
    /// Unit of the horizontal axis.
    pub unit: String,
    /// Limits of the claim; `None`: no limit on that side.
    pub band: (Option<f64>, Option<f64>),
    /// The value as assumed comes first.
    pub points: Vec<StripPoint>,
}

/// One point of a strip.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StripPoint {
    /// Key and value: "policy.streams_per_source = 3".
    pub name: String,
    /// Position on the horizontal axis.
    pub value: f64,
    /// Half width of the 95 % interval.
    pub spread: f64,
    /// The verdict there, such as "refuted".
    pub word: String,
    /// Colour of the point, by its verdict.
    pub tone: Tone,
}
