//! The result of `tenbin diff`: the keys of `diff.json`, listed in `docs/compare.md`. In pairs the
//! first run is first.
use crate::figures::PairedDifference;
use crate::finished::FinishedJob;
use analysis::Stat;
use serde::Serialize;
use trace::reading::{End, Objective, Role};

pub const VERSION: u32 = 2;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Diff {
    pub version: u32,
    pub system: String,
    pub command: String,
    pub objective: Objective,
    /// One sentence.
    pub answer: String,
    /// Why the values are not of the same complete work; empty if no reason is known.
    pub not_comparable: Vec<String>,
    pub runs: [RunSummary; 2],
    /// Second minus first; `None` unless both have a value.
    pub against: Option<PairedDifference>,
    /// Keys with different values; `None` if a run's scenario is unknown.
    pub settings: Option<Vec<ChangedSetting>>,
    /// Bottlenecks of both runs, largest share first.
    pub held: Vec<HolderPair>,
    /// The objective, then the largest differences.
    pub figures: Vec<Figure>,
    pub curves: Vec<Pair>,
    /// The first different record, for two simulations with one seed.
    pub record: Option<FirstRecord>,
    /// Utilisation of resources in both runs, largest change first.
    pub resources: Vec<ResourceUse>,
    /// Work of nodes in both runs, in the order of the first.
    pub nodes: Vec<NodePair>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunSummary {
    /// Folder name.
    pub name: String,
    /// `simulated` or `logged`.
    pub origin: String,
    pub scenario: String,
    /// 0 for a log.
    pub seeds: u32,
    /// Nodes in the trace, including clients.
    pub nodes: u32,
    pub lost: Vec<String>,
    /// The objective; `None` if a run lacks it.
    pub value: Option<Stat>,
    /// The work that ran, if logs of a real system record it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<FinishedJob>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChangedSetting {
    /// In the form of `--set`.
    pub key: String,
    /// `None` if the run lacks the key.
    pub values: [Option<String>; 2],
}

/// A bottleneck in both runs, from the first seed of each.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HolderPair {
    /// A resource kind, a setting with its value or both values, or "unexplained".
    pub name: String,
    pub role: Role,
    /// Fractions of the waiting time, 0–1.
    pub shares: [f64; 2],
    /// The shares of the objective's value, if it is a time \[s\].
    pub seconds: Option<[f64; 2]>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    /// Name in `run --json`.
    pub key: String,
    /// "s", "B", "" for a plain number.
    pub unit: String,
    /// Mean over seeds; `None` if a run lacks it.
    pub values: [Option<Stat>; 2],
    /// Mean of the second minus mean of the first.
    pub difference: Option<f64>,
    /// Whether the single run is within the 95 % range of the other's seeds; `None` unless exactly
    /// one of them has several seeds.
    pub inside: Option<bool>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Curve {
    /// Time between samples \[s\]; sample i is at i · `step_s` after the begin of the objective.
    pub step_s: f64,
    pub median: Vec<f64>,
    pub min: Vec<f64>,
    pub max: Vec<f64>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Pair {
    /// "at_risk", "ended".
    pub key: String,
    /// "At risk".
    pub title: String,
    /// "blocks"; "" for none.
    pub unit: String,
    /// On one grid. For a single run, minimum and maximum equal its values.
    pub sides: [Curve; 2],
    /// Where the curves differ; `None` if neither has several seeds.
    pub parts: Option<Parts>,
    /// Where the medians (or values) differ most.
    pub farthest: LargestGap,
    /// First time outside the band; without a band, first difference of 5 % of the largest value.
    pub apart_from_s: Option<f64>,
}

/// Where a run is outside the band of the other's seeds; with two bands, where they do not overlap.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Parts {
    /// Runs with a band: 0, 1, or both.
    pub bands: Vec<u32>,
    /// In order of time; empty if the run stays inside.
    pub spans: Vec<CurveGap>,
    /// Sum of `spans` \[s\].
    pub outside_s: f64,
    /// End of the compared time \[s\].
    pub until_s: f64,
    /// Seeds of the single band that are outside the range of the others for at least as long;
    /// `None` with two bands.
    pub alike: Option<u32>,
    /// Seeds of the single band.
    pub seeds: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct CurveGap {
    pub from_s: f64,
    pub to_s: f64,
    /// The second run's curve is above the first's.
    pub above: bool,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct LargestGap {
    pub at_s: f64,
    pub values: [f64; 2],
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FirstRecord {
    /// In the time of the traces \[s\].
    pub at_s: f64,
    /// `None`: the trace has no more records.
    pub records: [Option<Record>; 2],
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Record {
    /// Operation or node, and activity.
    pub what: String,
    /// In the time of the trace \[s\].
    pub start_s: f64,
    /// In the time of the trace \[s\].
    pub end_s: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ResourceUse {
    /// "dn-r2-04 disk 6".
    pub name: String,
    pub role: Role,
    /// Fraction of capacity, 0–1: mean over each run's own window.
    pub used: [f64; 2],
}

/// Work of one kind on a node in both runs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NodePair {
    pub name: String,
    /// Neither lost nor dead.
    pub alive: [bool; 2],
    /// Kind of work: "transfer".
    pub work: String,
    /// Whether the node acted, or was the peer.
    pub end: End,
    pub counts: [f64; 2],
    /// Range that contains all nodes' counts of another run with 95 % probability; `None` for a
    /// single run.
    pub ranges: [Option<(f64, f64)>; 2],
    /// In the kind's unit; mean over seeds.
    pub amounts: [f64; 2],
    /// Whether the single run's count is within the other's range.
    pub inside: Option<bool>,
}
