//! A finished job as the reference of a comparison.
use super::verdict;
use crate::plain::{printable, when};
use crate::why::{Explanation, Job, JobExplanation, Step, StepKind};
use std::collections::BTreeMap;
use system::FinishedJob;
use trace::reading::{HolderShare, Role};

/// Only a hint to Hadoop: not compared.
const HINT: &str = "mapreduce.job.maps";

/// The first job of a run; its time is the run's objective.
pub(super) fn of(why: &Explanation) -> Option<FinishedJob> {
    let first = why.jobs.first()?;
    let job = &first.job;
    let name = if first.name.is_empty() { &first.id } else { &first.name };
    let n = why.jobs.len();
    let note = format!("only the first of its {n} jobs is compared; import another with --job");
    let settings = job.conf.iter().filter(|(key, _)| *key != HINT);
    Some(FinishedJob {
        what: "job".into(),
        name: printable(name),
        note: when(n > 1, || note),
        broke_off: abort_note(&first.status),
        input: input(job),
        verdict: page::plain(&verdict(first).done()),
        figures: figures(first),
        held: held(first),
        settings: settings.map(|(key, value)| (key.clone(), printable(value))).collect(),
    })
}

fn abort_note(status: &str) -> Option<String> {
    let how = match status {
        "SUCCEEDED" => return None,
        "KILLED" => "was killed",
        "UNKNOWN" => "has no end in its history",
        _ => "failed",
    };
    Some(how.into())
}

/// Input records of the maps, else the number of maps. Bytes read are less useful: jobs that
/// generate their input read only descriptions of splits.
fn input(job: &Job) -> BTreeMap<String, f64> {
    match read(job, "MAP_INPUT_RECORDS") {
        0.0 => [("maps".to_string(), tasks(job, "MAP"))].into(),
        records => [("map_input_records".to_string(), records)].into(),
    }
}

/// Sum of a counter over successful maps.
fn read(job: &Job, name: &str) -> f64 {
    job.successful("MAP").map(|a| a.number(name)).sum()
}

fn tasks(job: &Job, kind: &str) -> f64 {
    job.tasks_of(kind).count() as f64
}

fn figures(why: &JobExplanation) -> BTreeMap<String, f64> {
    let job = &why.job;
    let own = [
        ("maps", tasks(job, "MAP")),
        ("reduces", tasks(job, "REDUCE")),
        ("hdfs_bytes_read", read(job, "HDFS_BYTES_READ")),
        ("attempts_failed", why.failed as f64),
        ("attempts_killed", why.killed as f64),
        ("task_time_s", job.task_time()),
        ("cpu_s", job.cpu()),
        ("gc_s", job.gc()),
    ];
    let own = own.into_iter().map(|(key, value)| (key.to_string(), value));
    own.chain(input(job)).collect()
}

fn held(why: &JobExplanation) -> Vec<HolderShare> {
    let mut parts: Vec<(String, Role, f64)> = Vec::new();
    for step in &why.critical_path {
        let (name, role) = part(&why.job, step);
        match parts.iter_mut().find(|part| part.0 == name) {
            Some(part) => part.2 += step.seconds,
            None => parts.push((name, role, step.seconds)),
        }
    }
    let whole = why.job.duration_s().max(f64::MIN_POSITIVE);
    let held = |(name, role, seconds)| HolderShare::part(name, role, seconds / whole, seconds);
    parts.into_iter().map(held).collect()
}

fn part(job: &Job, step: &Step) -> (String, Role) {
    let kind = step.of.map_or("", |(task, _)| job.tasks[task].kind.as_str());
    let name = match (step.kind, kind) {
        (StepKind::AmStart, _) if job.in_slots => "submission to the first task",
        (StepKind::AmStart, _) => "start of the application master",
        (StepKind::Container | StepKind::Gap, _) if job.in_slots => "slot wait",
        (StepKind::Container | StepKind::Gap, _) => "container wait",
        (StepKind::SlowStart, _) => return (crate::import::conf::SLOW_START.into(), Role::Setting),
        (StepKind::Run, "MAP") => "runs of maps",
        (StepKind::Run, "REDUCE") => "runs of reduces",
        (StepKind::Run | StepKind::Open, _) => "runs of tasks",
        (StepKind::Lost, _) => "attempts that broke off",
        (StepKind::Stopped, _) => "attempts that were stopped with the job",
        (StepKind::Held, _) => "map outputs that were lost",
        (StepKind::Reported, _) => "the JobTracker’s heartbeats",
        (StepKind::Commit, _) => "the job’s commit",
        (StepKind::Rest, _) => return ("unexplained".into(), Role::Unexplained),
    };
    (name.into(), Role::Wait)
}
