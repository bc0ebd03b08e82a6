//! Gain and cost of many settings: less is better on both axes.
use crate::kind::{Kind, Role, Unit};
use serde::{Deserialize, Serialize};

/// One dot per setting; steps join the Pareto front.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Trade {
    /// Horizontal axis: name and unit ("rebuild time", "s").
    pub x: (String, Unit),
    /// Vertical axis: name and unit.
    pub y: (String, Unit),
    /// Words for less on each axis: "sooner", "gentler".
    pub better: (String, String),
    /// Meaning of a hollow dot: "needs a plug-in".
    pub hollow: String,
    /// Value of y without the traded work, and its label: "no repair".
    pub without: Option<(f64, String)>,
    /// Requested limit on x.
    pub most_x: Option<f64>,
    /// Requested limit on y.
    pub most_y: Option<f64>,
    /// One dot per setting.
    pub points: Vec<TradePoint>,
}

/// A mean over seeds, and the half width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Mean {
    /// Mean over seeds.
    pub mean: f64,
    /// Half width of the 95 % interval; 0 for one seed.
    pub ci95: f64,
}

/// A setting.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TradePoint {
    /// "multiplier 8, max-streams 8".
    pub name: String,
    /// Style of the dot.
    pub role: Role,
    /// On the Pareto front.
    pub front: bool,
    /// Draw it hollow.
    pub hollow: bool,
    /// Value on x.
    pub x: Mean,
    /// Value on y.
    pub y: Mean,
    /// Its bottleneck: a real key with its value, or "Disk".
    pub limit: Option<String>,
    /// Hue of the bottleneck.
    pub kind: Kind,
}
