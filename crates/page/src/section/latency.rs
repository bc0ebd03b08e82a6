//! Distributions of latency.
use crate::kind::{Kind, Role, Unit};
use serde::{Deserialize, Serialize};
use units::{floored_u64, usize_of};

/// Cumulative distributions over a logarithmic latency axis.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Latency {
    /// Unit of latencies, usually "s".
    pub unit: Unit,
    /// One line each.
    pub series: Vec<Distribution>,
}

/// One distribution.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Distribution {
    /// "stat, 64 clients".
    pub name: String,
    /// Style of the line.
    pub role: Role,
    /// Its hue; `None`: ink.
    pub kind: Option<Kind>,
    /// Latencies, ascending, above 0.
    pub at: Vec<f64>,
    /// Share of requests (0–1) up to each latency; as long as `at`, ascending.
    pub share: Vec<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 99th percentile; `None` for fewer than 100 requests.
    pub p99: Option<f64>,
    /// Number of requests.
    #[cfg_attr(test, ts(type = "number"))]
    pub count: u64,
}

impl Distribution {
    /// For latencies above 0. Keeps about 200 points, denser at the slow end; percentiles are
    /// exact.
    pub fn of(name: impl Into<String>, role: Role, mut all: Vec<f64>) -> Distribution {
        all.sort_by(f64::total_cmp);
        let n = all.len();
        // Index of the smallest latency that at least this share does not exceed.
        let rank = |share: f64| {
            (usize_of(floored_u64(libm::ceil(share * n as f64))).max(1) - 1).min(n - 1)
        };
        let quantile = |share: f64| all[rank(share)];
        let mut places: Vec<usize> = Vec::new();
        if n > 0 {
            // Logarithmic steps of the remaining share: from 100 % to 1 in 100 000.
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
