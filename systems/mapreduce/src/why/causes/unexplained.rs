//! Time of runs on the path that no counter covers. What clues point to is said, not claimed.
//!
//! # What it looks at
//! Time of attempts against their CPU and GC. Two clues point to CPU starvation: most of the maps'
//! time passed before their first records, and collecting garbage took long beside the CPU that
//! the whole process got, in the median: others had the cores. With both it can be the headline.
//!
//! # The bound
//! That time, less what causes within runs explain.
//!
//! # What to do
//! Nothing before its cause is known: add node curves. Where clues point to starved CPUs, look at
//! what else ran on the nodes (`top`, `pidstat`).
//!
//! # What would confirm it
//! Node curves (`tenbin import node-curves`).
use super::super::job::{Attempt, Job};
use super::super::verdicts::{CURVES, Cure, FLOOR_DISK, Verdict, plain};
use super::Found;
use super::view::{View, counter};
use crate::why::{Evidence, Is};
use page::words::{bytes, duration, num, percent};

pub const NAME: &str = "unexplained";

/// Finds it, after what causes explain (a part of the job's time).
pub(super) fn find(view: &View<'_>, explained: f64) -> Option<Verdict> {
    let job = view.job;
    let good = || view.runs().filter(|(step, _)| step.is == Is::Run);
    let open = |(step, a): (&super::super::Step, &Attempt)| {
        (step.seconds - f64::max(a.cpu(), a.gc())).max(0.0)
    };
    let seconds: f64 = good().map(open).sum();
    let names: Vec<&str> = good().map(|(step, _)| step.what.as_str()).take(5).collect();
    let mut evidence = vec![counter(
        "CPU_MILLISECONDS, GC_TIME_MILLIS",
        format!(
            "CPU {} and GC {} of {} of task time: {} unexplained",
            plain(duration(job.cpu())),
            plain(duration(job.gc())),
            plain(duration(job.ended_time())),
            plain(percent(job.unexplained())),
        ),
    )];
    if view.floor.is_neither() {
        evidence.push(counter("bytes", few_bytes(view)))
    }
    let clues: Vec<Evidence> = [late_start(job), starved(job)].into_iter().flatten().collect();
    let points = match clues.len() {
        0 => "",
        _ => "; points to CPU starvation or slow JVM start",
    };
    let two = clues.len() >= 2;
    let certainty = if two { "medium" } else { "low" };
    evidence.extend(clues);
    let share = (seconds / view.whole - explained).max(0.0);
    // How much of it starvation took nobody knows: half of it, where two clues say so.
    let gain = if two { share * view.whole / 2.0 } else { 0.0 };
    let found = Found {
        gain,
        cause: NAME,
        by: "what no counter covers".into(),
        holder: format!("runs of {}{points}", names.join(", ")),
        bound: share * view.whole,
        certainty,
        surer: CURVES,
        cure: if two {
            Cure::new("Look at what else ran on these nodes: top, pidstat", "")
        } else {
            Cure::default()
        },
        evidence,
        ..Found::default()
    };
    (!names.is_empty() && share >= 0.005).then(|| found.verdict(view))
}

/// "2.5 MB read and 2.9 MB written a map".
fn few_bytes(view: &View<'_>) -> String {
    let maps: Vec<&Attempt> = ran(view.job, "MAP").collect();
    let mean = |of: &dyn Fn(&Attempt) -> f64| {
        maps.iter().map(|a| of(a)).sum::<f64>() / maps.len().max(1) as f64
    };
    let read = mean(&|a| a.number("HDFS_BYTES_READ") + a.number("FILE_BYTES_READ"));
    let written = mean(&|a| a.number("HDFS_BYTES_WRITTEN") + a.number("FILE_BYTES_WRITTEN"));
    let needs = (read + written) / FLOOR_DISK;
    format!(
        "a map reads {} and writes {}, which needs {} at {}/s assumed; of all task time disks need \
         {} %, the network {} %",
        plain(bytes(read)),
        plain(bytes(written)),
        plain(duration(needs)),
        plain(bytes(FLOOR_DISK)),
        num(100.0 * view.floor.disk, 1),
        num(100.0 * view.floor.nic, 2)
    )
}

/// Attempts of a kind that ran and ended.
fn ran<'j>(job: &'j Job, kind: &'j str) -> impl Iterator<Item = &'j Attempt> {
    job.ended().filter(move |a| a.kind == kind && a.took() > 0.0)
}

/// Most of the time of maps passed before the first twelfth of their progress.
pub(crate) fn late_start(job: &Job) -> Option<Evidence> {
    let sum = |name: &str| ran(job, "MAP").map(|a| a.number(name)).sum::<f64>();
    let (first, all) = (sum("clockSplits[0]"), sum("clockSplits"));
    (all > 0.0 && first / all >= 0.5).then(|| {
        let share = plain(percent(first / all));
        counter(
            "clockSplits",
            format!("{share} of map time passed before the first 1/12 of progress"),
        )
    })
}

/// Collecting for this part of the CPU of a whole process, in the median of all: others had the
/// cores. On a quiet machine it is 0.2 to 0.4, beside two endless loops 0.8.
const STARVED: f64 = 0.6;

/// Processes collected garbage for long beside the CPU they got, and one for longer.
pub(crate) fn starved(job: &Job) -> Option<Evidence> {
    let counted = job.attempts().filter(|a| a.number("CPU_MILLISECONDS") > 0.0);
    let ratios = counted.map(|a| a.gc() / a.cpu()).collect();
    if super::super::stragglers::median(ratios)? < STARVED {
        return None;
    }
    let more = |a: &&Attempt| a.number("CPU_MILLISECONDS") > 0.0 && a.gc() > a.cpu();
    let worst = job.attempts().filter(more).max_by(|a, b| {
        (a.gc() / a.cpu()).total_cmp(&(b.gc() / b.cpu())).then(b.name.cmp(&a.name))
    })?;
    Some(counter(
        "counters",
        format!(
            "{}: GC took {} ms, the whole process got {} ms of CPU",
            job.tasks[worst.task].name,
            plain(num(1e3 * worst.gc(), 0)),
            plain(num(1e3 * worst.cpu(), 0))
        ),
    ))
}
