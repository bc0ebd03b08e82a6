//! What clients pay for a repair: the page's part about them.
use super::{HolderKind, Role, Span, Stat};
use serde::{Deserialize, Serialize};

/// Clients' latencies in a stretch of time.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct LatencyPoint {
    /// Its middle, since the loss was declared \[s\].
    pub at_s: f64,
    /// Half of the requests that ended in it took no longer \[ms\].
    pub p50_ms: f64,
    /// 99 of 100 took no longer (all, where there are fewer than 100) \[ms\].
    pub p99_ms: f64,
    /// Requests that ended in it.
    pub requests: u32,
}

/// What clients waited, over the run of one seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Latencies {
    /// Length of a stretch \[s\].
    pub step_s: f64,
    /// Stretches in which a request ended.
    pub points: Vec<LatencyPoint>,
    /// Over seeds, before the declaration; absent of fewer than 100 requests.
    pub before_p50_ms: Option<f64>,
    /// Before the declaration.
    pub before_p99_ms: Option<f64>,
    /// From the declaration until all is safe.
    pub during_p50_ms: Option<f64>,
    /// From the declaration until all is safe.
    pub during_p99_ms: Option<f64>,
    /// Over seeds, in words.
    pub note: Vec<Span>,
}

/// A point of a plan: how soon the repair ends, and what clients pay for it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TradePoint {
    /// "multiplier 8, max-streams 8".
    pub name: String,
    /// Which it is.
    pub role: Role,
    /// Nothing else is both sooner done and gentler.
    pub front: bool,
    /// Not to be had by settings alone.
    pub needs_plugin: bool,
    /// Over seeds \[s\].
    pub recovery_s: Stat,
    /// Over seeds \[ms\]: clients' 99th percentile during the repair.
    pub p99_ms: Stat,
    /// What held the repair up most.
    pub limiting: Option<String>,
    /// Its hue.
    pub kind: HolderKind,
}

/// Rebuild time against clients' latency.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trade {
    /// All that were run.
    pub points: Vec<TradePoint>,
    /// Clients' 99th percentile before the repair \[ms\].
    pub before_p99_ms: f64,
    /// What the wish allows \[ms\].
    pub most_p99_ms: Option<f64>,
    /// What the wish allows \[s\].
    pub within_s: Option<f64>,
}
