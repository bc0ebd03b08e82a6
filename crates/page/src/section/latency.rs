//! How many requests took how long.
use crate::kind::{Kind, Role, Unit};
use serde::{Deserialize, Serialize};

/// Distributions: latency along a logarithmic axis, and the share of requests that took no longer.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Latency {
    /// What is measured; "s" as a rule.
    pub unit: Unit,
    /// Lines.
    pub series: Vec<Distribution>,
}

/// One distribution.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Distribution {
    /// "stat, 64 clients".
    pub name: String,
    /// How it is drawn.
    pub role: Role,
    /// Its hue; `None`: ink.
    pub kind: Option<Kind>,
    /// Latencies, ascending, above 0.
    pub at: Vec<f64>,
    /// The share of requests, 0–1, that took no longer; as many, ascending.
    pub share: Vec<f64>,
    /// Half took no longer.
    pub p50: Option<f64>,
    /// 99 of 100 took no longer; `None` of fewer than 100 requests.
    pub p99: Option<f64>,
    /// Requests.
    #[cfg_attr(test, ts(type = "number"))]
    pub count: u64,
}

impl Distribution {
    /// The distribution of latencies above 0. At most 200 points of it are kept, closer to the
    /// slow end; the percentiles are exact.
    pub fn of(name: impl Into<String>, role: Role, mut all: Vec<f64>) -> Distribution {
        all.sort_by(f64::total_cmp);
        let n = all.len();
        // The least latency that so many of all do not pass.
        let rank = |share: f64| ((libm::ceil(share * n as f64) as usize).max(1) - 1).min(n - 1);
        let quantile = |share: f64| all[rank(share)];
        let mut places: Vec<usize> = Vec::new();
        if n > 0 {
            // Even steps of the logarithm of what is left: 100 down to one in 100 000.
            places.extend((0..=100).map(|i| rank(f64::from(i) / 100.0)));
            places.extend((0..=100).map(|i| rank(1.0 - libm::pow(10.0, -f64::from(i) / 20.0))));
            places.push(n - 1);
            places.sort_unstable();
            places.dedup();
        }
        Distribution {
            name: name.into(),
            role,
            kind: None,
            at: places.iter().map(|&i| all[i]).collect(),
            share: places.iter().map(|&i| (i + 1) as f64 / n as f64).collect(),
            p50: (n > 0).then(|| quantile(0.5)),
            p99: (n >= 100).then(|| quantile(0.99)),
            count: n as u64,
        }
    }
}
