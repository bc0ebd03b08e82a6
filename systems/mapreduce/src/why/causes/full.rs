//! A disk or a NIC of the nodes was full while tasks of the critical path ran.
//!
//! # What it looks at
//! Curves of nodes: disks and NICs at 90 % and more. Whether the job's own bytes need a good part
//! of the time is the second clue.
//!
//! # The bound
//! The seconds of the path in which the resource was full.
//!
//! # What would confirm it
//! What else ran there: `iotop`, `pidstat -d`, the NodeManager's other containers.
use super::super::verdicts::Verdict;
use super::Found;
use super::view::{View, s};
use crate::why::Evidence;

/// Bytes that need this part of the time are a second clue.
const SECOND: f64 = 0.2;

/// Finds it.
pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let split = view.split();
    let of = |cause: &'static str, what: &str, seconds: f64, floor: f64| {
        let says = format!(
            "{what} of the node at 90 % or more in {} of {} on the path that curves cover",
            s(seconds),
            s(split.seen)
        );
        let own = match floor >= SECOND {
            true => "its own bytes need much of that time",
            false => "its own bytes need little of that time",
        };
        let found = Found {
            cause,
            by: format!("{what} of its nodes, full in {}; {own}", s(seconds)),
            holder: format!("{what} of the node; {own}"),
            gain: seconds,
            bound: seconds,
            logged: true,
            certainty: if floor >= SECOND { "medium" } else { "low" },
            evidence: vec![Evidence { kind: "curve", source: "node curves", says }],
            ..Found::default()
        };
        (seconds > 0.0).then(|| found.verdict(view))
    };
    let disk = of("disk", "a disk", split.disk, view.floor.disk);
    let network = of("network", "a NIC", split.network, view.floor.nic);
    [disk, network].into_iter().flatten().collect()
}
