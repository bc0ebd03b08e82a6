//! The critical path as named steps of a job.
use super::job::Job;
use crate::log::kinds::interval;
use crate::plain::count;
use serde::Serialize;
use trace::walk::{Lane, Lanes, Piece, Start, path as walk};
use trace::{IntervalId, Outcome, Trace};
use units::Nanos;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Step {
    /// "container for m_000007".
    pub what: String,
    pub seconds: f64,
    #[serde(skip)]
    pub kind: StepKind,
    /// Start, in the trace's time \[s\].
    #[serde(skip)]
    pub from: f64,
    /// Index of its task, and of the attempt for a run.
    #[serde(skip)]
    pub of: Option<(usize, Option<usize>)>,
}

impl Step {
    pub fn hue(&self) -> page::Kind {
        match self.kind {
            StepKind::SlowStart => page::Kind::Setting,
            StepKind::Lost => page::Kind::Risk,
            StepKind::Run | StepKind::Stopped | StepKind::Open | StepKind::Rest => {
                page::Kind::Unexplained
            }
            _ => page::Kind::Wait,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// From submission to the first request.
    AmStart,
    Container,
    /// Between the end of a task and the start of the next, which waits for its container.
    Gap,
    SlowStart,
    /// A run of an attempt that succeeded.
    Run,
    /// A run of an attempt that broke off.
    Lost,
    /// A run stopped because its job ended.
    Stopped,
    /// A run without an end in the history.
    Open,
    /// An attempt's output was on its node until it was lost.
    Held,
    Reported,
    /// From the last task to the end of the job.
    Commit,
    Rest,
}

/// Steps below this fraction of the job's time are summed into one.
const SHORT: f64 = 0.005;

/// The job's critical path; the steps sum to the job's time.
pub(super) fn path(trace: &Trace, lanes: &Lanes, job: &Job) -> Vec<Step> {
    let Some(entity) = job.entity else { return Vec::new() };
    let row = &trace.entities[entity.at()];
    let begun = row.begun.unwrap_or_default();
    let end = row.end.unwrap_or(begun).max(begun);
    let lane = Some(Lane::Subject(entity));
    let start = Start { lane, top: end, floor: begun, tree: Some(entity), idle: None };
    let mut steps: Vec<Step> = Vec::new();
    let mut last = None;
    for piece in walk(lanes, start).pieces.iter().rev() {
        let top = piece.interval.map(|id| top_of(trace, id));
        match steps.last_mut() {
            Some(step) if last == Some(top) => step.seconds += piece.length().as_secs(),
            _ => steps.push(step(trace, job, piece, top)),
        }
        last = Some(top)
    }
    named(job, &mut steps);
    fold(steps, (end - begun).as_secs())
}

/// The outermost interval that contains this one.
fn top_of(trace: &Trace, mut id: IntervalId) -> IntervalId {
    // Parents may form a cycle in a damaged trace.
    for _ in 0..64 {
        match trace.intervals[id.at()].parent.filter(|p| p.at() < trace.intervals.len()) {
            Some(parent) => id = parent,
            None => break,
        }
    }
    id
}

fn step(trace: &Trace, job: &Job, piece: &Piece, top: Option<IntervalId>) -> Step {
    let seconds = piece.length().as_secs();
    let from = piece.start.as_secs();
    let Some(row) = top.map(|id| &trace.intervals[id.at()]) else {
        return Step {
            what: "nothing logged".into(),
            seconds,
            kind: StepKind::Rest,
            from,
            of: None,
        };
    };
    let whose = row.subject.map(|subject| trace.entity_name(subject)).unwrap_or_default();
    let task = || job.tasks.iter().position(|task| task.name == whose);
    let (is, of) = match trace.interval_kind(row.kind).name.as_str() {
        interval::AM_START => (StepKind::AmStart, None),
        interval::CONTAINER => (StepKind::Container, task().map(|task| (task, None))),
        interval::SLOW_START => (StepKind::SlowStart, task().map(|task| (task, None))),
        interval::RUN => {
            let of = attempt_of(job, &whose);
            let attempt = of.and_then(|(task, at)| Some(&job.tasks[task].attempts[at?]));
            let stopped = attempt.is_some_and(|attempt| attempt.stopped);
            let is = match row.outcome {
                Outcome::Ok => StepKind::Run,
                Outcome::Cut => StepKind::Open,
                _ if stopped => StepKind::Stopped,
                _ => StepKind::Lost,
            };
            (is, of)
        }
        interval::HELD => (StepKind::Held, attempt_of(job, &whose)),
        interval::REPORTED => (StepKind::Reported, task().map(|task| (task, None))),
        interval::TASKS => (StepKind::Commit, None),
        _ => (StepKind::Rest, None),
    };
    Step { what: String::new(), seconds, kind: is, from, of }
}

/// Indexes of an attempt's task, and of the attempt in it.
fn attempt_of(job: &Job, whose: &str) -> Option<(usize, Option<usize>)> {
    let name = whose.rsplit_once('_').map_or(whose, |(task, _)| task);
    let task = job.tasks.iter().position(|task| task.name == name)?;
    Some((task, job.tasks[task].attempts.iter().position(|attempt| attempt.name == whose)))
}

fn named(job: &Job, steps: &mut [Step]) {
    let mut ran = false;
    let place = if job.in_slots { "slot" } else { "container" };
    for step in steps {
        let task = step.of.map_or("a task", |(task, _)| job.tasks[task].name.as_str());
        let attempt = || match step.of {
            Some((task, Some(at))) => job.tasks[task].attempts[at].name.as_str(),
            _ => task,
        };
        // The wait began during the run before it, so the step is only its rest.
        if step.kind == StepKind::Container && ran {
            step.kind = StepKind::Gap
        }
        step.what = match step.kind {
            StepKind::AmStart if job.in_slots => "submission to the first task".into(),
            StepKind::AmStart => "AM start to the first task request".into(),
            StepKind::Container => format!("{place} for {task}"),
            StepKind::Gap => format!("gap: {place} for {task}"),
            StepKind::SlowStart => format!("slow-start holds {task} back"),
            StepKind::Run => task.to_string(),
            StepKind::Lost => format!("{} (broke off)", attempt()),
            StepKind::Stopped => format!("{} (stopped with the job)", attempt()),
            StepKind::Open if job.has_end() => format!("{} (its end is not logged)", attempt()),
            StepKind::Open => format!("{} (still running)", attempt()),
            StepKind::Held => format!("{} was done, until its output was lost", attempt()),
            StepKind::Reported => format!("until the JobTracker receives {task}'s end"),
            StepKind::Commit if job.is_aborted() => "end of the job after its last task".into(),
            StepKind::Commit => "job commit after the last task".into(),
            StepKind::Rest => "nothing logged".into(),
        };
        ran = ran || matches!(step.kind, StepKind::Run | StepKind::Lost | StepKind::Held)
    }
}

/// Sums short steps into one last step.
fn fold(steps: Vec<Step>, whole: f64) -> Vec<Step> {
    let (short, mut long): (Vec<Step>, Vec<Step>) =
        steps.into_iter().partition(|step| step.seconds < SHORT * whole);
    let seconds: f64 = short.iter().map(|step| step.seconds).sum();
    if seconds > Nanos::micros(1).as_secs() {
        let what = format!("{} shorter than {} % each", count(short.len(), "step"), 100.0 * SHORT);
        long.push(Step { what, seconds, kind: StepKind::Rest, from: whole, of: None })
    }
    long
}
