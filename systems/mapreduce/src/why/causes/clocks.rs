//! The clocks of nodes contradict each other: the times of attempts are unknown.
//!
//! # What it looks at
//! Hadoop 0.20 and 1 log attempts with the clock of their TaskTracker, tasks and jobs with that of
//! the JobTracker. An attempt runs within its task, which bounds the offset of the clocks. If an
//! attempt is longer than its task, or the bounds are too wide, the order of events is uncertain.
//! Then no cause is named.
//!
//! # The bound
//! None: the gain is unknown.
//!
//! # What to do
//! Synchronise the clocks of the nodes (NTP, `chronyd`), and run the job again.
//!
//! # What would confirm it
//! The clocks of the nodes: NTP, `chronyc tracking`.
use super::rule::{Finding, Rule, TimePart, interval};
use super::view::View;

pub const NAME: &str = "clocks";

/// If this rule finds anything, no other cause is valid.
pub(super) const RULE: Rule = Rule {
    name: NAME,
    takes: TimePart::Between,
    looks: &[find],
    certainty: "high",
    confirm: "the clocks of the nodes: chronyc tracking",
    remedy: ("Synchronise the clocks of the nodes (NTP), and run the job again", ""),
    source: include_str!("clocks.rs"),
};

fn find(view: &View<'_>) -> Option<Finding> {
    let found = Finding::new(
        "nodes' clocks that contradict each other",
        "clocks of the nodes: the times of attempts are unknown, so no cause is named",
    );
    let says = |note: &String| interval("starts and ends", note.clone());
    view.job.clocks_unknown.then(|| found.with(view.job.clocks.iter().map(says)))
}
