//! Why jobs took so long, as far as a trace proves it. Everything is read from the trace, so that
//! simulated jobs are explained by the same rules.
pub mod causes;
mod curves;
mod job;
mod open;
mod path;
mod replay;
mod served;
mod shape;
mod stats;
mod stragglers;
mod verdicts;
mod withheld;
pub use crate::words::{lines, text};
pub use curves::{Curves, Split};
pub(crate) use job::host;
pub use job::{Attempt, Fetch, Job, Phase, Task};
pub use path::{Is, Step};
pub use served::Served;
pub(crate) use stats::{grouped, median};
pub use stragglers::{Kind, Straggler};
pub use verdicts::{Cure, Evidence, FLOOR_DISK, FLOOR_NIC, Floor, Verdict};
pub use withheld::{Rules, Withheld};

use crate::log::stores;
use serde::Serialize;
use trace::Trace;
use trace::walk::Lanes;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Why {
    /// In the order of the trace.
    pub jobs: Vec<JobWhy>,
}

/// One job: what `tenbin why --json` prints, and what screens need besides.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct JobWhy {
    /// `job_…`
    pub id: String,
    /// As its user called it.
    pub name: String,
    /// SUCCEEDED, FAILED, KILLED; UNKNOWN where the history has no end.
    pub status: String,
    pub start_ms: i64,
    pub finish_ms: i64,
    pub maps: u64,
    pub reduces: u64,
    /// All attempts, also those that never started.
    pub attempts: u64,
    pub failed: u64,
    pub killed: u64,
    pub tasks_failed: u64,
    pub tasks_killed: u64,
    pub speculative: u64,
    /// Attempts that were killed because the job ended; part of `killed`.
    pub stopped: u64,
    /// Attempts that still ran when the history ends.
    pub running: u64,
    /// Attempts at maps whose data lay on their node; `None`: nobody says.
    pub data_local: Option<u64>,
    /// The most first.
    pub verdicts: Vec<Verdict>,
    /// Of the task time, 0–1: what no counter covers.
    pub unexplained_share: f64,
    /// In the order of time.
    pub critical_path: Vec<Step>,
    /// What its figures stand on, where that is less than a whole history by one clock.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What rules withheld meanwhile, where the ResourceManager's log was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<Withheld>,
    /// Attempts at maps of which `data_local` is a part: those that were asked for where their data
    /// lay. 0: no map had a place where it should run.
    #[serde(skip)]
    pub placed: u64,
    /// The job as the trace has it.
    #[serde(skip)]
    pub job: Job,
    /// The least time that the counted bytes need.
    #[serde(skip)]
    pub floor: Floor,
    #[serde(skip)]
    pub split: Split,
    /// Tasks over three times the median of their kind.
    #[serde(skip)]
    pub stragglers: Vec<Kind>,
}

impl Why {
    /// Explains all jobs of a trace.
    pub fn of(trace: &Trace) -> Why {
        let lanes = Lanes::of(trace);
        let zero = crate::curves::zero_ms(trace);
        let curves = Curves::of(trace);
        let of = |job| JobWhy::of(trace, &lanes, &curves, zero, job);
        Why { jobs: Job::all(trace).into_iter().map(of).collect() }
    }
}

impl JobWhy {
    fn of(trace: &Trace, lanes: &Lanes, curves: &Curves, zero: i64, job: Job) -> JobWhy {
        let path = path::path(trace, lanes, &job);
        let floor = Floor::of(&job);
        let view = causes::View::of(&job, &path, &floor, curves);
        let verdicts = by_their_stores(&job, causes::of(&view));
        let stragglers = stragglers::of(&view, &verdicts);
        let count = |of: &dyn Fn(&Attempt) -> bool| job.attempts().filter(|a| of(a)).count() as u64;
        let tasks = |of: &dyn Fn(&Task) -> bool| job.tasks.iter().filter(|t| of(t)).count() as u64;
        let ms = |seconds: f64| zero + units::rounded_u64(1e3 * seconds).cast_signed();
        JobWhy {
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
            notes: open::notes(&job),
            withheld: job.rules.all.clone(),
            job,
            floor,
            stragglers,
        }
    }
}

/// Verdicts whose evidence names counters of bytes by the job's own store.
fn by_their_stores(job: &Job, verdicts: Vec<Verdict>) -> Vec<Verdict> {
    let numbers: Vec<_> = job.attempts().map(|a| &a.numbers).collect();
    let evidence = |one: Evidence| match one.source {
        "HDFS_BYTES_READ" | "HDFS_BYTES_WRITTEN" => {
            Evidence { source: stores::named(one.source, &numbers), ..one }
        }
        _ => one,
    };
    let of = |verdict: Verdict| {
        let evidence = verdict.evidence.into_iter().map(evidence).collect();
        Verdict { evidence, ..verdict }
    };
    verdicts.into_iter().map(of).collect()
}

/// Attempts at maps whose data lay on their node: as attempts say it, else as the job's counter
/// does (Hadoop 1 says it nowhere else).
fn data_local(job: &Job) -> Option<u64> {
    let told = job.attempts().any(|a| a.kind == "MAP" && !a.locality.is_empty());
    let counter = || {
        let counters = ["JobCounter.DATA_LOCAL_MAPS", "JobInProgress$Counter.DATA_LOCAL_MAPS"];
        counters.iter().find_map(|name| job.numbers.get(*name)).copied().map(units::rounded_u64)
    };
    if told { Some(job.tasks.iter().map(local_attempts).sum()) } else { counter() }
}

/// Attempts that could have been local: none where no map says who holds its input.
fn placed(job: &Job) -> u64 {
    let maps = || job.tasks_of("MAP");
    let ran = |task: &Task| first_ones(task).iter().filter(|a| a.run.is_some()).count() as u64;
    let any = maps().any(|task| !task.holders.is_empty() || local_attempts(task) > 0);
    // Where the job's counter tells, what was local may be more than what is in the history.
    let all = maps().map(ran).sum::<u64>();
    if any { all.max(data_local(job).unwrap_or(0)) } else { 0 }
}

/// Attempts at a map whose data lay on their node. A map that is tried again after a failure is
/// asked for without a place and counted as an "other local map" by the application master
/// (RMContainerAllocator, assignToFailedMap), wherever it then runs; so here.
fn local_attempts(task: &Task) -> u64 {
    let local = |a: &&Attempt| task.kind == "MAP" && a.locality == "NODE_LOCAL";
    first_ones(task).iter().filter(local).count() as u64
}

/// Attempts up to the first that failed.
fn first_ones(task: &Task) -> &[Attempt] {
    let failed = task.attempts.iter().position(|a| a.outcome == trace::Outcome::Failed);
    &task.attempts[..failed.map_or(task.attempts.len(), |at| at + 1)]
}
