//! The counted bytes alone need a good part of the time, at assumed rates.
//!
//! # What it looks at
//! Bytes of the counters over an assumed disk (150 MB/s) and NIC (10 Gbit/s). Below 20 % of the
//! task time nothing is blamed. Curves of nodes, where there are any, say it better.
//!
//! # The bound
//! What those bytes need on the critical path.
//!
//! # What to do
//! Move fewer bytes: compressed map outputs (`mapreduce.map.output.compress`), a combiner, a larger
//! sort buffer (`mapreduce.task.io.sort.mb`); or use more disks and faster links.
//!
//! # What would confirm it
//! Node curves: `tenbin import node-curves`.
use super::super::job::Attempt;
use super::super::verdicts::{CURVES, Cure, FLOOR_DISK, FLOOR_NIC, Verdict, plain};
use super::Found;
use super::view::{View, counter, part};
use page::words::bytes;

/// Nothing is blamed whose bytes need less than this part of the time.
const BLAMED: f64 = 0.2;

pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    if view.split().seen > 0.0 {
        return Vec::new();
    }
    let floor = view.floor;
    let nic_bytes = |a: &Attempt| a.number("REDUCE_SHUFFLE_BYTES");
    let disk = of(view, "disk", floor.disk, floor.disk_bytes, FLOOR_DISK, &Attempt::disk_bytes);
    let network = of(view, "network", floor.nic, floor.nic_bytes, FLOOR_NIC, &nic_bytes);
    [disk, network].into_iter().flatten().collect()
}

fn of(
    view: &View<'_>,
    cause: &'static str,
    share: f64,
    amount: f64,
    rate: f64,
    of: &dyn Fn(&Attempt) -> f64,
) -> Option<Verdict> {
    let gain = view.runs().map(|(step, a)| f64::min(of(a) / rate, step.seconds)).sum();
    let says = format!(
        "{} at {}/s assumed need at least {} of task time",
        plain(bytes(amount)),
        plain(bytes(rate)),
        part(share)
    );
    let source = if cause == "disk" { "HDFS_BYTES, FILE_BYTES" } else { "REDUCE_SHUFFLE_BYTES" };
    let which = if cause == "disk" { "which disk" } else { "which link" };
    let found = Found {
        cause,
        by: format!("the bytes that its {cause} moves, at an assumed rate"),
        holder: format!("{which} is not logged"),
        gain,
        bound: gain,
        logged: true,
        certainty: "low",
        surer: CURVES,
        cure: Cure::new(
            "Move fewer bytes: compress map outputs, combine records in the maps",
            "mapreduce.map.output.compress",
        ),
        evidence: vec![counter(source, says)],
        ..Found::default()
    };
    (share >= BLAMED).then(|| found.verdict(view))
}
