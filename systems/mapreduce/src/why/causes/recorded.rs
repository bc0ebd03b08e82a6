//! Limits that the trace itself records for parts of runs.
//!
//! # What it looks at
//! Simulated jobs record which resource limited each part of a run. The parts on the critical path
//! are summed by resource.
//!
//! # The bound
//! Those seconds. Without the resource, something else may limit the task.
//!
//! # What to do
//! The job is simulated: `tenbin run` with other settings shows what helps.
use super::rule::{Finding, Rule, TimePart, interval};
use super::view::View;
use crate::plain::duration;

pub(super) const RULE: Rule = Rule {
    name: "recorded",
    takes: TimePart::Runs,
    looks: &[
        |view| Some(held(view, "cpu", "cores shared with other programs").cause("CPU")),
        |view| Some(held(view, "disk", "its disks").cause("disk")),
        |view| Some(held(view, "network", "the network").cause("network")),
    ],
    certainty: "high",
    confirm: "",
    remedy: ("", ""),
    source: include_str!("recorded.rs"),
};

fn held(view: &View<'_>, resource: &str, by: &str) -> Finding {
    let mut seconds = 0.0;
    for (step, a) in view.runs() {
        let (from, to) = (step.from, step.from + step.seconds);
        for (_, begun, end) in a.held.iter().filter(|held| held.0 == resource) {
            seconds += (end.min(to) - begun.max(from)).max(0.0)
        }
    }
    let says = format!("{} of the critical path", duration(seconds));
    Finding::new(by, format!("{resource} of the nodes"))
        .logged(seconds)
        .with([interval("trace", says)])
}
