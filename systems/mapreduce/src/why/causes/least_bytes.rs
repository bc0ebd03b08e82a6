//! The counted bytes alone need much of the time, at assumed rates.
//!
//! # What it looks at
//! Bytes of the counters at the rates of an assumed disk (150 MB/s) and NIC (10 Gbit/s). Below 20 %
//! of the task time nothing is blamed. Node curves, if there are any, are better evidence.
//!
//! # The bound
//! The time that those bytes need on the critical path.
//!
//! # What to do
//! Move fewer bytes: compress map outputs (`mapreduce.map.output.compress`), use a combiner, or a
//! larger sort buffer (`mapreduce.task.io.sort.mb`). Or use more disks and faster links.
//!
//! # What would confirm it
//! Node curves: `tenbin import node-curves`.
use super::rule::{Finding, Rule, TimePart, counter};
use super::view::View;
use crate::plain::{bytes, percent};
use crate::why::verdicts::{BLAMED, CURVES};
use crate::why::{Attempt, FLOOR_DISK, FLOOR_NIC};

pub(super) const RULE: Rule = Rule {
    name: "network",
    takes: TimePart::Runs,
    looks: &[disk, network],
    certainty: "low",
    confirm: CURVES,
    remedy: (
        "Move fewer bytes: compress map outputs, combine records in the maps",
        "mapreduce.map.output.compress",
    ),
    source: include_str!("least_bytes.rs"),
};

fn disk(view: &View<'_>) -> Option<Finding> {
    let (share, amount) = (view.floor.disk, view.floor.disk_bytes);
    let found = least(view, share, FLOOR_DISK, &Attempt::disk_bytes, ("disk", "which disk"))?;
    Some(found.with([counter("HDFS_BYTES, FILE_BYTES", describe(share, amount, FLOOR_DISK))]))
}

fn network(view: &View<'_>) -> Option<Finding> {
    let (share, amount) = (view.floor.nic, view.floor.nic_bytes);
    let fetched = |a: &Attempt| a.number("REDUCE_SHUFFLE_BYTES");
    let found = least(view, share, FLOOR_NIC, &fetched, ("network", "which link"))?;
    Some(found.with([counter("REDUCE_SHUFFLE_BYTES", describe(share, amount, FLOOR_NIC))]))
}

fn describe(share: f64, amount: f64, rate: f64) -> String {
    let (amount, rate, share) = (bytes(amount), bytes(rate), percent(share));
    format!("{amount} at {rate}/s assumed need at least {share} of task time")
}

fn least(
    view: &View<'_>,
    share: f64,
    rate: f64,
    of: &dyn Fn(&Attempt) -> f64,
    (cause, which): (&'static str, &str),
) -> Option<Finding> {
    let seconds = view.runs().map(|(step, a)| f64::min(of(a) / rate, step.seconds)).sum();
    let by = format!("the bytes of its {cause}, at an assumed rate");
    let found = Finding::new(by, format!("{which} is not logged"));
    // Node curves are better evidence.
    let blamed = share >= BLAMED && view.split.seen <= 0.0;
    blamed.then(|| found.logged(seconds).cause(cause))
}
