//! What a trace records itself: parts of runs that say which resource held them.
//!
//! # What it looks at
//! Simulated jobs record for each part of a run the resource that limited it. The critical path's
//! parts are added up by resource.
//!
//! # The bound
//! Those seconds: without the resource something else may limit the task.
//!
//! # What to do
//! A model made the job: `tenbin run` tries the settings that hold it up.
use super::rule::{Found, Rule, Takes, interval};
use super::view::View;
use crate::plain::duration;

pub(super) const RULE: Rule = Rule {
    name: "recorded",
    takes: Takes::Runs,
    looks: &[
        |view| Some(held(view, "cpu", "cores that others took, too").cause("CPU")),
        |view| Some(held(view, "disk", "its disks").cause("disk")),
        |view| Some(held(view, "network", "the network").cause("network")),
    ],
    certainty: "high",
    confirm: "",
    cure: ("", ""),
    source: include_str!("recorded.rs"),
};

/// By a resource, for the parts of the path that the trace charges to it.
fn held(view: &View<'_>, resource: &str, by: &str) -> Found {
    let mut seconds = 0.0;
    for (step, a) in view.runs() {
        let (from, to) = (step.from, step.from + step.seconds);
        for (_, begun, end) in a.held.iter().filter(|held| held.0 == resource) {
            seconds += (end.min(to) - begun.max(from)).max(0.0)
        }
    }
    let says = format!("{} of the critical path", duration(seconds));
    Found::new(by, format!("{resource} of the nodes"))
        .logged(seconds)
        .with([interval("trace", says)])
}
