//! What each node did: works and operations that ended well, by kind.
use crate::kinds::{IntervalRole, KindRole};
use crate::schema::{Outcome, Trace};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which of a work's two nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The one that acts.
    #[default]
    Node,
    /// The other.
    Peer,
}

/// Works of one kind, by node.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Load {
    /// The kind's name.
    pub work: String,
    /// Which of the works' nodes.
    pub end: End,
    /// How many, in the order of the trace's nodes.
    pub times: Vec<f64>,
    /// Moved or done, likewise, in the kind's unit.
    pub amount: Vec<f64>,
}

/// All kinds of works that nodes did, by the kinds' order.
pub fn loads(trace: &Trace) -> Vec<Load> {
    let nodes = trace.nodes.len();
    let mut all: BTreeMap<(usize, End), Load> = BTreeMap::new();
    for row in &trace.intervals {
        let Some(kind) = trace.kinds.get(row.kind.at()) else { continue };
        let is_work =
            matches!(kind.role, KindRole::Interval(IntervalRole::Work | IntervalRole::Operation));
        // What is counted in a unit and has no amount broke off.
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
