//! A finished run, as `tenbin diff` compares it.
use serde::Serialize;
use std::collections::BTreeMap;
use trace::reading::HolderShare;

/// A run of real work, from its logs: what it did, whether it completed, and its bottlenecks.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct FinishedJob {
    /// The kind of work: "job".
    pub what: String,
    pub name: String,
    /// How it ended, unless complete: "failed", "was killed".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broke_off: Option<String>,
    /// Input sizes by name; runs with different inputs are not comparable.
    pub input: BTreeMap<String, f64>,
    /// The bottleneck, in one sentence.
    pub verdict: String,
    /// A restriction: "of 5 jobs the first".
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Figures in addition to those of its trace.
    #[serde(skip)]
    pub figures: BTreeMap<String, f64>,
    /// Shares of the objective's time; empty: use those of the trace.
    #[serde(skip)]
    pub held: Vec<HolderShare>,
    /// Settings that the logs state.
    #[serde(skip)]
    pub settings: BTreeMap<String, String>,
}
