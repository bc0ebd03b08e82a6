//! What each of many settings gains, and what that costs: less is better on both axes.
use crate::kind::{Kind, Role, Unit};
use serde::{Deserialize, Serialize};

/// A dot a setting; those that nothing else beats on both axes are joined by steps.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Trade {
    /// Across: its name and unit ("rebuild time", "s").
    pub x: (String, Unit),
    /// Up: likewise.
    pub y: (String, Unit),
    /// What less of each is: "sooner", "gentler".
    pub better: (String, String),
    /// What a hollow dot is: "needs a plug-in".
    pub hollow: String,
    /// The y axis's value without all this, and what it is called: "no repair".
    pub without: Option<(f64, String)>,
    /// At most so much is asked for for: across.
    pub most_x: Option<f64>,
    /// Up.
    pub most_y: Option<f64>,
    /// Dots.
    pub points: Vec<TradePoint>,
}

/// A mean over seeds, and the half width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Mean {
    /// Over seeds.
    pub mean: f64,
    /// 0 of one seed.
    pub ci95: f64,
}

/// A setting.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TradePoint {
    /// "multiplier 8, max-streams 8".
    pub name: String,
    /// Which it is.
    pub role: Role,
    /// Nothing else is better on both axes.
    pub front: bool,
    /// Drawn hollow.
    pub hollow: bool,
    /// Across.
    pub x: Mean,
    /// Up.
    pub y: Mean,
    /// What limits it: a real key with its value, or "Disk".
    pub limit: Option<String>,
    /// The hue of that.
    pub kind: Kind,
}
