//! A disk or a NIC of the nodes was saturated while tasks of the critical path ran.
//!
//! # What it looks at
//! Node curves: disks and NICs at 90 % or more. A second clue: the job's own bytes need much of the
//! time.
//!
//! # The bound
//! The seconds of the path during which the resource was saturated. If curves cover only some of
//! the nodes, the verdict says so: the others are unknown.
//!
//! # What to do
//! More disks for files of tasks (`yarn.nodemanager.local-dirs`) and for blocks, fewer tasks at
//! once on a node, or compressed map outputs (`mapreduce.map.output.compress`). Or move the other
//! programs that use the resource.
//!
//! # What would confirm it
//! Other programs on the node: `iotop`, `pidstat -d`, the NodeManager's other containers.
use super::rule::{Finding, Rule, TimePart, curve};
use super::view::View;
use crate::plain::duration;
use crate::why::Remedy;

pub(super) const RULE: Rule = Rule {
    name: "disk",
    takes: TimePart::Runs,
    looks: &[disk, network],
    certainty: "low",
    confirm: "other load there: iotop, pidstat -d, other containers",
    remedy: (
        "Move other load off that disk; spread what tasks write over more disks",
        "yarn.nodemanager.local-dirs",
    ),
    source: include_str!("full.rs"),
};

/// Bytes that need this fraction of the time are a second clue.
const SECOND: f64 = 0.2;

fn disk(view: &View<'_>) -> Option<Finding> {
    Some(full(view, "a disk", view.split.disk, view.floor.disk))
}

fn network(view: &View<'_>) -> Option<Finding> {
    let what = "Move other load off that link; compress map outputs";
    let remedy = Remedy::new(what, "mapreduce.map.output.compress");
    Some(full(view, "a NIC", view.split.network, view.floor.nic).cause("network").remedy(remedy))
}

fn full(view: &View<'_>, what: &str, seconds: f64, floor: f64) -> Finding {
    let covered = view.curves.coverage_note(view.job);
    let (full, seen) = (duration(seconds), duration(view.split.seen));
    let (own, certainty) = match floor >= SECOND {
        true => ("its own bytes need much of that time", "medium"),
        false => ("its own bytes need little of that time", "low"),
    };
    let says = format!(
        "{what} of the node at 90 % or more in {full} of {seen} on the path with curves{covered}"
    );
    let found = Finding::new(
        format!("{what} of its nodes, full in {full}; {own}{covered}"),
        format!("{what} of the node; {own}{covered}"),
    );
    let found = found.logged(seconds).certainty(certainty).with([curve(says)]);
    match covered.is_empty() {
        true => found,
        false => found.confirm("node curves of the other nodes (sadf -j, or tenbin monitor)"),
    }
}
