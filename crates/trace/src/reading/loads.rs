//! The load of each node: successful works and operations, by kind.
use crate::kinds::{IntervalRole, KindRole};
use crate::schema::{Outcome, Trace};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which of a work's two nodes is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The acting node.
    #[default]
    Node,
    /// The other node.
    Peer,
}

/// Works of one kind, by node.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Load {
    /// The kind's name.
    pub work: String,
    /// Which of the works' nodes.
    pub end: End,
    /// Number of works, by the trace's nodes.
    pub times: Vec<f64>,
    /// Amount in the kind's unit, by the trace's nodes.
    pub amount: Vec<f64>,
}

/// In the order of kinds.
pub fn loads(trace: &Trace) -> Vec<Load> {
    let nodes = trace.nodes.len();
    let mut all: BTreeMap<(usize, End), Load> = BTreeMap::new();
    for row in &trace.intervals {
        let Some(kind) = trace.kinds.get(row.kind.at()) else { continue };
        let is_work =
            matches!(kind.role, KindRole::Interval(IntervalRole::Work | IntervalRole::Operation));
        // A work of a kind with a unit but without an amount failed.
        let broke = row.outcome != Outcome::Ok || kind.unit.is_some() && row.amount.is_none();
        if !is_work || row.parent.is_some() || broke {
            continue;
        }
        for (node, end) in [(row.node, End::Node), (row.peer, End::Peer)] {
            let Some(node) = node.map(|node| node.at()).filter(|at| *at < nodes) else { continue };
            let load = all.entry((row.kind.at(), end)).or_insert_with(|| Load {
                work: kind.name.clone(),
                end,
                times: vec![0.0; nodes],
                amount: vec![0.0; nodes],
            });
            load.times[node] += row.weight;
            load.amount[node] += row.weight * row.amount.unwrap_or(0) as f64
        }
    }
    all.into_values().collect()
}
