//! A resource of the nodes was full while tasks of the critical path ran, and not by the job.
//!
//! # What it looks at
//! Curves of nodes: CPU, disks, NICs at 90 % and more; and for CPU what the job's own attempts on
//! that node used meanwhile (`CPU_MILLISECONDS`). Cores that the job fills itself are its work.
//!
//! # The bound
//! The seconds of the path in which the resource was full.
//!
//! # What would confirm it
//! What else ran there: `top`, `pidstat`, the NodeManager's other containers.
use super::super::job::Attempt;
use super::super::verdicts::Verdict;
use super::Found;
use super::unexplained;
use super::view::{View, s};
use crate::why::Evidence;
use page::words::num;

/// Of a core, in the mean: who uses less does not fill a node.
const OWN: f64 = 0.5;

/// Bytes that need this part of the time are a second clue.
const SECOND: f64 = 0.2;

/// Finds it.
pub(super) fn find(view: &View<'_>) -> Vec<Verdict> {
    let split = view.split();
    let starved =
        unexplained::late_start(view.job).is_some() || unexplained::starved(view.job).is_some();
    let own = own_cores(view);
    let of = |cause: &'static str, what: &str, seconds: f64, second: bool, by: String| {
        let says = format!(
            "{what} of the node at 90 % or more in {} of {} on the path that curves cover",
            s(seconds),
            s(split.seen)
        );
        let found = Found {
            cause,
            by,
            holder: format!("{what} of the node"),
            gain: seconds,
            bound: seconds,
            certainty: if second { "medium" } else { "low" },
            evidence: vec![Evidence { kind: "curve", source: "node curves", says }],
            ..Found::default()
        };
        (seconds > 0.0).then(|| found.verdict(view))
    };
    let mut all = Vec::new();
    if own < OWN {
        let used = super::super::verdicts::plain(num(own, 2));
        let by = format!("a full CPU, and not by this job: its attempts used {used} of a core");
        let found = of("CPU", "cores", split.cpu, starved, by);
        all.extend(found.map(|mut verdict| {
            verdict.holder = format!("cores of the node, not used by this job ({used} of a core)");
            verdict.evidence.push(super::view::counter(
                "CPU_MILLISECONDS",
                format!("the job's own attempts there used {used} of a core meanwhile"),
            ));
            verdict
        }))
    }
    let disk = view.floor.disk >= SECOND;
    all.extend(of("disk", "a disk", split.disk, disk, "full disks of its nodes".into()));
    let nic = view.floor.nic >= SECOND;
    all.extend(of("network", "a NIC", split.network, nic, "full NICs of its nodes".into()));
    all
}

/// Cores that the job's attempts used on the nodes of the path while these were full, in the mean.
fn own_cores(view: &View<'_>) -> f64 {
    let (mut used, mut seconds) = (0.0, 0.0);
    for (step, a) in view.runs() {
        if view.curves.split(a).cpu <= 0.0 {
            continue;
        }
        let (from, to) = (step.from, step.from + step.seconds);
        let overlap = |b: &Attempt| {
            let (begun, end) = b.run.unwrap_or_default();
            let common = (end.min(to) - begun.max(from)).max(0.0);
            if b.took() > 0.0 { b.cpu() * common / b.took() } else { 0.0 }
        };
        used += view.job.attempts().filter(|b| b.node == a.node).map(overlap).sum::<f64>();
        seconds += step.seconds
    }
    if seconds > 0.0 { used / seconds } else { 0.0 }
}
