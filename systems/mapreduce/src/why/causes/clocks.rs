//! The clocks of nodes contradict each other: when attempts ran is not known.
//!
//! # What it looks at
//! Hadoop 0.20 and 1 log attempts by the clock of their TaskTracker, tasks and the job by that of
//! the JobTracker. An attempt lies within its task, which bounds how far the clocks are apart. If
//! an attempt is longer than its task, or the bounds are too wide, no order of events is sure, and
//! no cause is named.
//!
//! # The bound
//! None: what the job would gain is not known.
//!
//! # What to do
//! Synchronise the clocks of the nodes (NTP, `chronyd`), and run the job again.
//!
//! # What would confirm it
//! The clocks of the nodes: NTP, `chronyc tracking`.
use super::super::verdicts::{Cure, Verdict};
use super::Found;
use super::view::{View, interval};

pub const NAME: &str = "clocks";

/// Finds it: then no other cause holds.
pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    if !view.job.clocks_unknown {
        return Vec::new();
    }
    let says = |note: &String| interval("starts and ends", note.clone());
    let found = Found {
        cause: NAME,
        by: "nodes' clocks that contradict each other".into(),
        holder: "clocks of the nodes: when attempts ran is not known, so no cause is named".into(),
        certainty: "high",
        surer: "the clocks of the nodes: chronyc tracking",
        cure: Cure::new("Synchronise the clocks of the nodes (NTP), and run the job again", ""),
        evidence: view.job.clocks.iter().map(says).collect(),
        ..Found::default()
    };
    vec![found.verdict(view)]
}
