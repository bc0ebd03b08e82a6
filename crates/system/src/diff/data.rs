//! What `tenbin diff` finds: the keys of `diff.json`, which `docs/compare.md` lists. Lists of two
//! have the first run first.
use crate::figures::Against;
use crate::finished::Finished;
use analysis::Stat;
use serde::Serialize;
use trace::reading::{End, Objective, Role};

/// The form of `diff.json`.
pub const VERSION: u32 = 2;

/// Two runs against each other.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Diff {
    /// [`VERSION`].
    pub version: u32,
    pub system: String,
    pub command: String,
    pub objective: Objective,
    /// The answer in a sentence.
    pub answer: String,
    /// Why their values are none of the same work, whole; nothing where nobody knows of any reason.
    pub not_comparable: Vec<String>,
    pub runs: [Shown; 2],
    /// The second less the first; `None` unless both have a value.
    pub against: Option<Against>,
    /// Keys with another value; `None` where a run's scenario is not there.
    pub settings: Option<Vec<Changed>>,
    /// What held either up, the most first.
    pub held: Vec<HeldPair>,
    /// The objective, then the figures that differ most.
    pub figures: Vec<Figure>,
    pub curves: Vec<Pair>,
    /// The first record that differs; of two simulations from one seed.
    pub record: Option<FirstRecord>,
    /// Use of resources that both have; what changed most first.
    pub resources: Vec<Used>,
    /// What nodes that both have did, in the order of the first.
    pub nodes: Vec<NodePair>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Shown {
    /// What people call it: its folder's name.
    pub name: String,
    /// `simulated` or `logged`.
    pub origin: String,
    /// The scenario's name.
    pub scenario: String,
    /// How many; 0 of a log.
    pub seeds: u32,
    /// Nodes that the trace tells of, clients among them.
    pub nodes: u32,
    pub lost: Vec<String>,
    /// The objective; `None` where one of its runs has none.
    pub value: Option<Stat>,
    /// What it was, of real work whose logs say that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<Finished>,
}

/// A key with two values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Changed {
    /// As `--set` takes it.
    pub key: String,
    /// `None` where a run has no such key.
    pub values: [Option<String>; 2],
}

/// A holder in both, of each run's first seed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HeldPair {
    /// A kind of resources, a setting's key with its value or both values, "unexplained".
    pub name: String,
    pub role: Role,
    /// Parts of the whole, 0–1.
    pub shares: [f64; 2],
    /// The same of the objective's value, where that is a time \[s\].
    pub seconds: Option<[f64; 2]>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    /// As `run --json` names it.
    pub key: String,
    /// "s", "B", "" for a plain number.
    pub unit: String,
    /// Mean over seeds where there are several; `None` where a run lacks it.
    pub values: [Option<Stat>; 2],
    /// The second's mean less the first's.
    pub difference: Option<f64>,
    /// Whether the one run lies where 95 % of the other's seeds do; `None` unless one of the two
    /// has seeds, and the other is one run.
    pub inside: Option<bool>,
}

/// A counter over time and seeds.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Curve {
    /// Sample i stands at i · `step_s`, from where the objective begins \[s\].
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
    /// On one grid. Of one run, smallest and largest are its own values.
    pub sides: [Curve; 2],
    /// Where they part; `None` where neither has several seeds.
    pub parts: Option<Parts>,
    /// Where their medians (or values) differ most.
    pub farthest: Farthest,
    /// From when on they are apart: outside of the band, or by 5 % of the largest value.
    pub apart_from_s: Option<f64>,
}

/// Where a run is outside of the band of the other's seeds; or, if both have one, where the bands
/// do not meet.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Parts {
    /// Whose band it is: 0, 1, or both.
    pub bands: Vec<u32>,
    /// By time; empty: it stays inside.
    pub spans: Vec<Apart>,
    /// Their sum \[s\].
    pub outside_s: f64,
    /// Until when they were held against each other \[s\].
    pub until_s: f64,
    /// Of the seeds of the one band, how many are outside of what the others span for as long;
    /// `None` with two bands.
    pub alike: Option<u32>,
    /// Seeds of the one band.
    pub seeds: Option<u32>,
}

/// A time in which they are apart.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Apart {
    /// From \[s\].
    pub from_s: f64,
    /// To \[s\].
    pub to_s: f64,
    /// Whether the second run's curve is above the first's.
    pub above: bool,
}

/// Where two curves differ most.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Farthest {
    /// When \[s\].
    pub at_s: f64,
    pub values: [f64; 2],
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FirstRecord {
    /// In the traces' time \[s\].
    pub at_s: f64,
    /// What each has there; `None`: nothing more.
    pub records: [Option<Record>; 2],
}

/// An interval of a trace.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Record {
    /// Whose, and what was under way.
    pub what: String,
    /// From, in the trace's time \[s\].
    pub start_s: f64,
    /// To \[s\].
    pub end_s: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Used {
    /// "dn-r2-04 disk 6".
    pub name: String,
    pub role: Role,
    /// Part of what it can do, 0–1, mean over each run's own window.
    pub used: [f64; 2],
}

/// What a node of both did in works of one kind.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NodePair {
    pub name: String,
    /// Not lost or dead, in each.
    pub alive: [bool; 2],
    /// The kind of works: "transfer".
    pub work: String,
    /// Whether it acted, or was the other node.
    pub end: End,
    pub counts: [f64; 2],
    /// Where 95 % of further runs have all of their counts, this one and the other nodes'; `None`
    /// of one run.
    pub ranges: [Option<(f64, f64)>; 2],
    /// Moved or done, in the kind's unit; mean over seeds.
    pub amounts: [f64; 2],
    /// Whether the one run's count lies in the other's range.
    pub inside: Option<bool>,
}
