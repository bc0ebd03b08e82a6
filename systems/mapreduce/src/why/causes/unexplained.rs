//! Run time on the path that no counter covers. Clues to the cause are listed as clues only.
//!
//! # What it looks at
//! Time of attempts compared with their CPU and GC time. Two clues point to CPU starvation. First:
//! most of the maps' time passed before their first records. Second: in the median, GC took long
//! compared with the CPU time of the whole process, since others had the cores. With both it can be
//! the headline.
//!
//! # The bound
//! That time, less what causes within runs explain.
//!
//! # What to do
//! Add node curves: the cause is unknown without them. If the clues point to starved CPUs, check
//! for other programs on the nodes (`top`, `pidstat`).
//!
//! # What would confirm it
//! Node curves (`tenbin import node-curves`).
use super::rule::{Finding, Rule, TimePart, counter};
use super::view::View;
use crate::plain::{bytes, duration, num, percent};
use crate::why::stats::median;
use crate::why::verdicts::CURVES;
use crate::why::{Attempt, Evidence, FLOOR_DISK, Job, Remedy, Step, StepKind, Verdict};

pub const NAME: &str = "unexplained";

const RULE: Rule = Rule {
    name: NAME,
    takes: TimePart::Between,
    looks: &[],
    certainty: "low",
    confirm: CURVES,
    remedy: ("", ""),
    source: include_str!("unexplained.rs"),
};

/// `explained`: fraction of the job's time that other causes within runs explain.
pub(super) fn find(view: &View<'_>, explained: f64) -> Option<Verdict> {
    let job = view.job;
    let good = || view.runs().filter(|(step, _)| step.kind == StepKind::Run);
    let open = |(step, a): (&Step, &Attempt)| (step.seconds - f64::max(a.cpu(), a.gc())).max(0.0);
    let seconds: f64 = good().map(open).sum();
    let names: Vec<&str> = good().map(|(step, _)| step.what.as_str()).take(5).collect();
    let says = format!(
        "CPU {} and GC {} of {} of task time: {} unexplained",
        duration(job.cpu()),
        duration(job.gc()),
        duration(job.ended_time()),
        percent(job.unexplained()),
    );
    let clues = clues(job);
    let two = clues.len() >= 2;
    let points = if clues.is_empty() { "" } else { "; points to CPU starvation or slow JVM start" };
    let share = (seconds / view.duration - explained).max(0.0);
    let rest = share * view.duration;
    let found =
        Finding::new("time without a counter", format!("runs of {}{points}", names.join(", ")))
            .at_most(rest)
            .with([counter("CPU_MILLISECONDS, GC_TIME_MILLIS", says)])
            .with(view.floor.is_insignificant().then(|| counter("bytes", few_bytes(view))))
            .with(clues);
    // The effect of starvation is unknown: assume half of the rest if there are two clues.
    let found = match two {
        true => found
            .replayed(rest / 2.0)
            .certainty("medium")
            .remedy(Remedy::new("Check other load on these nodes: top, pidstat", "")),
        false => found,
    };
    (!names.is_empty() && share >= 0.005).then(|| RULE.verdict(view, found))
}

/// Bytes that a map reads and writes, and the disk and network time that they need.
fn few_bytes(view: &View<'_>) -> String {
    let maps: Vec<&Attempt> = ran(view.job, "MAP").collect();
    let mean = |of: [&str; 2]| {
        let sum: f64 = maps.iter().map(|a| a.number(of[0]) + a.number(of[1])).sum();
        sum / maps.len().max(1) as f64
    };
    let read = mean(["HDFS_BYTES_READ", "FILE_BYTES_READ"]);
    let written = mean(["HDFS_BYTES_WRITTEN", "FILE_BYTES_WRITTEN"]);
    format!(
        "a map reads {} and writes {}, which needs {} at {}/s assumed; of all task time disks need \
         {} %, the network {} %",
        bytes(read),
        bytes(written),
        duration((read + written) / FLOOR_DISK),
        bytes(FLOOR_DISK),
        num(100.0 * view.floor.disk, 1),
        num(100.0 * view.floor.nic, 2)
    )
}

fn ran<'j>(job: &'j Job, kind: &'j str) -> impl Iterator<Item = &'j Attempt> {
    job.ended().filter(move |a| a.kind == kind && a.duration_s() > 0.0)
}

/// Clues to starved CPUs, at most two.
pub(super) fn clues(job: &Job) -> Vec<Evidence> {
    [late_start(job), starved(job)].into_iter().flatten().collect()
}

/// At least half of the maps' time passed before the first twelfth of their progress.
fn late_start(job: &Job) -> Option<Evidence> {
    let sum = |name: &str| ran(job, "MAP").map(|a| a.number(name)).sum::<f64>();
    let (first, all) = (sum("clockSplits[0]"), sum("clockSplits"));
    let says = |share| format!("{share} of map time passed before the first 1/12 of progress");
    let late = all > 0.0 && first / all >= 0.5;
    late.then(|| counter("clockSplits", says(percent(first / all))))
}

/// Minimum GC time over CPU time of a process, in the median of all. On an idle machine it is 0.2
/// to 0.4; with two other endless loops, 0.8.
const STARVED: f64 = 0.6;

/// GC took long compared with CPU time in the median, and longer than CPU time in one attempt.
fn starved(job: &Job) -> Option<Evidence> {
    let ratio = |a: &Attempt| a.gc() / a.cpu();
    let counted = || job.attempts().filter(|a| a.number("CPU_MILLISECONDS") > 0.0);
    if median(counted().map(ratio).collect())? < STARVED {
        return None;
    }
    let more = counted().filter(|a| a.gc() > a.cpu());
    let worst = more.max_by(|a, b| ratio(a).total_cmp(&ratio(b)).then(b.name.cmp(&a.name)))?;
    let says = format!(
        "{}: GC took {} ms, the whole process got {} ms of CPU",
        job.tasks[worst.task].name,
        num(1e3 * worst.gc(), 0),
        num(1e3 * worst.cpu(), 0)
    );
    Some(counter("counters", says))
}
