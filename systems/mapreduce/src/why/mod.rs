//! Explains why jobs took long. All input is in the trace, so that the same rules explain simulated
//! jobs.
pub mod causes;
mod curves;
mod data_notes;
mod job;
mod path;
mod replay;
mod serving_times;
mod shape;
mod stats;
mod stragglers;
mod verdicts;
mod withheld;
pub use crate::words::{lines, text};
pub use curves::{Curves, SaturatedTime};
pub(crate) use job::host;
pub use job::{Attempt, Fetch, Job, Phase, Task};
pub use path::{Step, StepKind};
pub use serving_times::ServingTimes;
pub(crate) use stats::{grouped, median};
pub use stragglers::{Kind, Straggler};
pub use verdicts::{Evidence, FLOOR_DISK, FLOOR_NIC, Floor, Remedy, Verdict};
pub use withheld::{Rules, WithheldTime};

use crate::log::stores;
use serde::Serialize;
use trace::Trace;
use trace::walk::Lanes;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Explanation {
    pub jobs: Vec<JobExplanation>,
}

/// A job's explanation: the output of `tenbin why --json`, and skipped fields for pages.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct JobExplanation {
    pub id: String,
    pub name: String,
    /// SUCCEEDED, FAILED or KILLED; UNKNOWN: the history has no end.
    pub status: String,
    pub start_ms: i64,
    pub finish_ms: i64,
    pub maps: u64,
    pub reduces: u64,
    /// Includes attempts that never started.
    pub attempts: u64,
    pub failed: u64,
    pub killed: u64,
    pub tasks_failed: u64,
    pub tasks_killed: u64,
    pub speculative: u64,
    /// Killed because the job ended; part of `killed`.
    pub stopped: u64,
    /// Running at the end of the history.
    pub running: u64,
    /// Map attempts that ran on a node with their data; `None`: not recorded.
    pub data_local: Option<u64>,
    /// Ranked, most important first.
    pub verdicts: Vec<Verdict>,
    /// Fraction of task time that no counter covers, 0–1.
    pub unexplained_share: f64,
    /// In order of time.
    pub critical_path: Vec<Step>,
    /// Limits of the data: several clocks, or a history without its end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Empty without the ResourceManager's log.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<WithheldTime>,
    /// Map attempts requested with a preferred node; `data_local` is a part of them. 0: no map had
    /// one.
    #[serde(skip)]
    pub placed: u64,
    #[serde(skip)]
    pub job: Job,
    #[serde(skip)]
    pub floor: Floor,
    #[serde(skip)]
    pub split: SaturatedTime,
    /// Times of tasks by kind, with those over three times the median.
    #[serde(skip)]
    pub stragglers: Vec<Kind>,
}

impl Explanation {
    pub fn of(trace: &Trace) -> Explanation {
        let lanes = Lanes::of(trace);
        let zero = crate::curves::zero_ms(trace);
        let curves = Curves::of(trace);
        let of = |job| JobExplanation::of(trace, &lanes, &curves, zero, job);
        Explanation { jobs: Job::all(trace).into_iter().map(of).collect() }
    }
}

impl JobExplanation {
    fn of(trace: &Trace, lanes: &Lanes, curves: &Curves, zero: i64, job: Job) -> JobExplanation {
        let path = path::path(trace, lanes, &job);
        let floor = Floor::of(&job);
        let view = causes::View::of(&job, &path, &floor, curves);
        let verdicts = by_their_stores(&job, causes::of(&view));
        let stragglers = stragglers::of(&view, &verdicts);
        let count = |of: &dyn Fn(&Attempt) -> bool| job.attempts().filter(|a| of(a)).count() as u64;
        let tasks = |of: &dyn Fn(&Task) -> bool| job.tasks.iter().filter(|t| of(t)).count() as u64;
        let ms = |seconds: f64| zero + units::rounded_u64(1e3 * seconds).cast_signed();
        JobExplanation {
            id: job.id.clone(),
            name: job.name.clone(),
            status: job.status.clone(),
            start_ms: ms(job.begun),
            finish_ms: ms(job.end),
            maps: job.tasks_of("MAP").count() as u64,
            reduces: job.tasks_of("REDUCE").count() as u64,
            attempts: count(&|_| true),
            failed: count(&|a| a.outcome == trace::Outcome::Failed),
            killed: count(&|a| a.outcome == trace::Outcome::Killed),
            tasks_failed: tasks(&|task| task.outcome == trace::Outcome::Failed),
            tasks_killed: tasks(&|task| task.outcome == trace::Outcome::Killed),
            speculative: count(&|a| a.speculative),
            stopped: count(&|a| a.stopped),
            running: job.running().count() as u64,
            data_local: data_local(&job),
            placed: placed(&job),
            verdicts,
            split: curves.of_job(&job),
            unexplained_share: job.unexplained(),
            critical_path: path,
            notes: data_notes::notes(&job),
            withheld: job.rules.all.clone(),
            job,
            floor,
            stragglers,
        }
    }
}

/// Renames counters of bytes in evidence to the job's own file system.
fn by_their_stores(job: &Job, verdicts: Vec<Verdict>) -> Vec<Verdict> {
    let numbers: Vec<_> = job.attempts().map(|a| &a.numbers).collect();
    let evidence = |one: Evidence| match one.source {
        "HDFS_BYTES_READ" | "HDFS_BYTES_WRITTEN" => {
            Evidence { source: stores::main_counter(one.source, &numbers), ..one }
        }
        _ => one,
    };
    let of = |verdict: Verdict| {
        let evidence = verdict.evidence.into_iter().map(evidence).collect();
        Verdict { evidence, ..verdict }
    };
    verdicts.into_iter().map(of).collect()
}

/// Map attempts on a node with their data: from the attempts, else from the job's counter, the only
/// source in Hadoop 1.
fn data_local(job: &Job) -> Option<u64> {
    let told = job.attempts().any(|a| a.kind == "MAP" && !a.locality.is_empty());
    let counter = || {
        let counters = ["JobCounter.DATA_LOCAL_MAPS", "JobInProgress$Counter.DATA_LOCAL_MAPS"];
        counters.iter().find_map(|name| job.numbers.get(*name)).copied().map(units::rounded_u64)
    };
    if told { Some(job.tasks.iter().map(local_attempts).sum()) } else { counter() }
}

/// Map attempts that could have been data-local; 0 if no map has hosts of its input.
fn placed(job: &Job) -> u64 {
    let maps = || job.tasks_of("MAP");
    let ran = |task: &Task| first_ones(task).iter().filter(|a| a.run.is_some()).count() as u64;
    let any = maps().any(|task| !task.holders.is_empty() || local_attempts(task) > 0);
    // The job's counter may include more attempts than the history.
    let all = maps().map(ran).sum::<u64>();
    if any { all.max(data_local(job).unwrap_or(0)) } else { 0 }
}

/// Data-local attempts at a map. A map retried after a failure is requested without a node. The AM
/// counts it as "other local map" wherever it runs (RMContainerAllocator, assignToFailedMap), and
/// so do we.
fn local_attempts(task: &Task) -> u64 {
    let local = |a: &&Attempt| task.kind == "MAP" && a.locality == "NODE_LOCAL";
    first_ones(task).iter().filter(local).count() as u64
}

/// Attempts up to and including the first failed one.
fn first_ones(task: &Task) -> &[Attempt] {
    let failed = task.attempts.iter().position(|a| a.outcome == trace::Outcome::Failed);
    &task.attempts[..failed.map_or(task.attempts.len(), |at| at + 1)]
}
