//! A disk or a NIC of the nodes was full while tasks of the critical path ran.
//!
//! # What it looks at
//! Curves of nodes: disks and NICs at 90 % and more. Whether the job's own bytes need a good part
//! of the time is the second clue.
//!
//! # The bound
//! The seconds of the path in which the resource was full. Where curves cover some of the nodes,
//! nothing is known of the others, and the verdict says so.
//!
//! # What to do
//! More disks for what tasks write (`yarn.nodemanager.local-dirs`) and for blocks, fewer tasks at
//! once on a node, compressed map outputs (`mapreduce.map.output.compress`); or move what else uses
//! it.
//!
//! # What would confirm it
//! What else ran there: `iotop`, `pidstat -d`, the NodeManager's other containers.
use super::super::verdicts::{Cure, Verdict};
use super::Found;
use super::view::{View, s};
use crate::why::Evidence;

/// Bytes that need this part of the time are a second clue.
const SECOND: f64 = 0.2;

fn cure(cause: &str) -> Cure {
    match cause {
        "disk" => Cure::new(
            "Move what else uses that disk; spread what tasks write over more disks",
            "yarn.nodemanager.local-dirs",
        ),
        _ => Cure::new(
            "Move what else uses that link; compress map outputs",
            "mapreduce.map.output.compress",
        ),
    }
}

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let (split, covered) = (view.split(), view.curves.covered(view.job));
    let of = |cause: &'static str, what: &str, seconds: f64, floor: f64| {
        let says = format!(
            "{what} of the node at 90 % or more in {} of {} on the path that curves cover{covered}",
            s(seconds),
            s(split.seen)
        );
        let own = match floor >= SECOND {
            true => "its own bytes need much of that time",
            false => "its own bytes need little of that time",
        };
        let found = Found {
            cause,
            by: format!("{what} of its nodes, full in {}; {own}{covered}", s(seconds)),
            holder: format!("{what} of the node; {own}{covered}"),
            gain: seconds,
            bound: seconds,
            logged: true,
            cure: cure(cause),
            certainty: if floor >= SECOND { "medium" } else { "low" },
            surer: match covered.is_empty() {
                true => "what else ran there: iotop, pidstat -d, other containers",
                false => "node curves of the other nodes (sadf -j, or tenbin monitor)",
            },
            evidence: vec![Evidence { kind: "curve", source: "node curves", says }],
            ..Found::default()
        };
        (seconds > 0.0).then(|| found.verdict(view))
    };
    let disk = of("disk", "a disk", split.disk, view.floor.disk);
    let network = of("network", "a NIC", split.network, view.floor.nic);
    [disk, network].into_iter().flatten().collect()
}
