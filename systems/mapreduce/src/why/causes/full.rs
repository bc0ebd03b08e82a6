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
use super::rule::{Found, Rule, Takes, curve};
use super::view::View;
use crate::plain::duration;
use crate::why::Cure;

pub(super) const RULE: Rule = Rule {
    name: "disk",
    takes: Takes::Runs,
    looks: &[disk, network],
    certainty: "low",
    confirm: "what else ran there: iotop, pidstat -d, other containers",
    cure: (
        "Move what else uses that disk; spread what tasks write over more disks",
        "yarn.nodemanager.local-dirs",
    ),
    source: include_str!("full.rs"),
};

/// Bytes that need this part of the time are a second clue.
const SECOND: f64 = 0.2;

fn disk(view: &View<'_>) -> Option<Found> {
    Some(full(view, "a disk", view.split.disk, view.floor.disk))
}

fn network(view: &View<'_>) -> Option<Found> {
    let what = "Move what else uses that link; compress map outputs";
    let cure = Cure::new(what, "mapreduce.map.output.compress");
    Some(full(view, "a NIC", view.split.network, view.floor.nic).cause("network").cure(cure))
}

fn full(view: &View<'_>, what: &str, seconds: f64, floor: f64) -> Found {
    let covered = view.curves.covered(view.job);
    let (full, seen) = (duration(seconds), duration(view.split.seen));
    let (own, certainty) = match floor >= SECOND {
        true => ("its own bytes need much of that time", "medium"),
        false => ("its own bytes need little of that time", "low"),
    };
    let says = format!(
        "{what} of the node at 90 % or more in {full} of {seen} on the path that curves \
         cover{covered}"
    );
    let found = Found::new(
        format!("{what} of its nodes, full in {full}; {own}{covered}"),
        format!("{what} of the node; {own}{covered}"),
    );
    let found = found.logged(seconds).certainty(certainty).with([curve(says)]);
    match covered.is_empty() {
        true => found,
        false => found.confirm("node curves of the other nodes (sadf -j, or tenbin monitor)"),
    }
}
