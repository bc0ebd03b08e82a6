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
use super::super::verdicts::Verdict;
use super::Found;
use super::view::{View, interval, s};
use std::collections::BTreeMap;

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let mut by: BTreeMap<&str, f64> = BTreeMap::new();
    for (step, a) in view.runs() {
        let (from, to) = (step.from, step.from + step.seconds);
        for (held, begun, end) in &a.held {
            let seconds = (end.min(to) - begun.max(from)).max(0.0);
            *by.entry(held).or_default() += seconds
        }
    }
    let of = |(held, seconds): (&str, f64)| {
        let (cause, by): (&'static str, &str) = match held {
            "disk" => ("disk", "its disks"),
            "network" => ("network", "the network"),
            "cpu" => ("CPU", "cores that others took, too"),
            _ => return None,
        };
        let found = Found {
            cause,
            by: by.into(),
            holder: format!("{held} of the nodes"),
            gain: seconds,
            bound: seconds,
            logged: true,
            certainty: "high",
            evidence: vec![interval("trace", format!("{} of the critical path", s(seconds)))],
            ..Found::default()
        };
        Some(found.verdict(view))
    };
    by.into_iter().filter_map(of).collect()
}
