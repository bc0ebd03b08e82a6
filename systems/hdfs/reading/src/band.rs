//! What the seeds of one scenario span: their curves on one grid, their metrics, what each node
//! carried. It lies beside the trace of the first of them, so that another run can be held against
//! all (`systems/hdfs/docs/trace.md`).
use crate::load::Carried;
use crate::run::Run;
use crate::stat::{further, stat};
use analysis::{Bins, Span, Steps};
use hdfs_trace::Trace;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use units::Nanos;

/// The form of the file.
pub const VERSION: u32 = 1;

/// Most samples of a curve.
const SAMPLES: usize = 600;

/// A curve of a run.
pub type Of = fn(&Run) -> &Steps;

/// The curves that runs have, by the names that files use: blocks short of replicas or racks, and
/// copies that have arrived.
pub const CURVES: [(&str, Of); 2] = [("at_risk", |run| &run.at_risk), ("made", |run| &run.made)];

/// Several seeds of one scenario, from each one's declaration on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Band {
    /// [`VERSION`].
    pub version: u32,
    /// The scenario's hash.
    pub scenario_hash: String,
    /// Of the trace beside it: that of the first seed.
    pub trace_hash: String,
    /// In the order of the lists below; two at least.
    pub seeds: Vec<u64>,
    /// Sample i of a curve stands at i · step_s after the declaration \[s\].
    pub step_s: f64,
    /// By name: `at_risk`, `made`.
    pub curves: BTreeMap<String, BandCurve>,
    /// Seed by seed, those metrics that every seed has.
    pub metrics: BTreeMap<String, Vec<f64>>,
    /// In the order of the trace's nodes.
    pub nodes: Vec<NodeBand>,
}

/// A curve of all seeds.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct BandCurve {
    /// Smallest.
    pub low: Vec<f64>,
    /// Median.
    pub median: Vec<f64>,
    /// Largest.
    pub high: Vec<f64>,
    /// Seed by seed: for how long it is outside of what the others span \[s\].
    pub outside_s: Vec<f64>,
}

/// What a node carries in a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct NodeBand {
    /// Copies sent.
    pub sent: Spread,
    /// Copies received.
    pub received: Spread,
    /// Mean over seeds \[bytes\].
    pub sent_bytes: f64,
    /// Mean over seeds \[bytes\].
    pub received_bytes: f64,
}

/// A number over seeds.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// Half width of the range in which 95 % of further runs lie.
    pub further: f64,
}

impl Band {
    /// Of runs of one scenario; `trace` is that of the first. `None` of fewer than two, or where
    /// one of them does not see the loss declared.
    pub fn of(trace: &Trace, runs: &[Run]) -> Option<Band> {
        if runs.len() < 2 || runs.iter().any(|run| run.moments.declared.is_none()) {
            return None;
        }
        let about = |key| trace.about(key).unwrap_or_default().to_string();
        let longest = runs.iter().map(Run::length).max().unwrap_or_default();
        let grid = Bins::round(Nanos::ZERO, longest, SAMPLES);
        let curve = |(name, of): (&str, Of)| (name.to_string(), span(runs, grid, of));
        Some(Band {
            version: VERSION,
            scenario_hash: about("scenario_hash"),
            trace_hash: about("trace_hash"),
            seeds: runs.iter().map(|run| run.seed).collect(),
            step_s: grid.width.as_secs(),
            curves: CURVES.into_iter().map(curve).collect(),
            metrics: metrics(runs),
            nodes: (0..trace.nodes.len()).map(|node| node_band(runs, node)).collect(),
        })
    }

    /// What is wrong with it, if it was read from a file: its lists must fit each other.
    pub fn flaw(&self) -> Option<String> {
        let seeds = self.seeds.len();
        let fits = |curve: &BandCurve| {
            let n = curve.low.len();
            let same = curve.median.len() == n && curve.high.len() == n;
            let ordered = curve.low.iter().zip(&curve.high).all(|(low, high)| low <= high);
            n > 0 && same && ordered && curve.outside_s.len() == seeds
        };
        let odd = |(name, _): &(&str, Of)| !self.curves.get(*name).is_some_and(fits);
        if seeds < 2 {
            return Some(format!("has {seeds} seeds"));
        }
        if self.step_s.is_nan() || self.step_s <= 0.0 {
            return Some(format!("has step_s = {}", self.step_s));
        }
        if let Some((name, _)) = CURVES.iter().find(|curve| odd(curve)) {
            return Some(format!("has no whole curve \"{name}\""));
        }
        let short = self.metrics.iter().find(|(_, values)| values.len() != seeds);
        short.map(|(name, n)| format!("has {} values of \"{name}\" of {seeds} seeds", n.len()))
    }
}

/// The metrics that all runs have.
fn metrics(runs: &[Run]) -> BTreeMap<String, Vec<f64>> {
    let of = |name: &String| {
        let values = runs.iter().map(|run| run.metrics.get(name).copied());
        Some((name.clone(), values.collect::<Option<Vec<f64>>>()?))
    };
    runs.iter().take(1).flat_map(|run| run.metrics.keys()).filter_map(of).collect()
}

fn node_band(runs: &[Run], node: usize) -> NodeBand {
    let over = |of: fn(&Carried) -> u64| -> Vec<f64> {
        runs.iter().map(|run| run.carried.get(node).map_or(0, of) as f64).collect()
    };
    let spread = |values: Vec<f64>| Spread {
        mean: stat(&values).mean,
        further: further(&values).unwrap_or_default(),
    };
    NodeBand {
        sent: spread(over(|c| c.sent)),
        received: spread(over(|c| c.received)),
        sent_bytes: stat(&over(|c| c.sent_bytes)).mean,
        received_bytes: stat(&over(|c| c.received_bytes)).mean,
    }
}

/// Smallest, median and largest on the grid, its end included; and how long each run is alone.
fn span(runs: &[Run], grid: Bins, of: Of) -> BandCurve {
    let from = |run: &Run| run.moments.declared.unwrap_or_default();
    let curves: Vec<(&Steps, Nanos)> = runs.iter().map(|run| (of(run), from(run))).collect();
    let Span { low, median, high, outside_s } = Span::of(&curves, grid.width, grid.count);
    BandCurve { low, median, high, outside_s }
}
