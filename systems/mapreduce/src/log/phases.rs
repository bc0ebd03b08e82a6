//! Waits of tasks, and phases of their runs.
use super::kinds::Kinds;
use super::{DOUBT, JobWriter, outcome};
use crate::import::history::Attempt;
use std::collections::BTreeMap;
use trace::{Cause, EntityId, Evidence, IntervalId, IntervalKind, Outcome, TraceBuilder};
use units::Nanos;

/// Attempts by task, in order of start.
pub(super) type AttemptsByTask<'l> = BTreeMap<&'l str, Vec<(&'l str, &'l Attempt)>>;

/// End and run of each finished map, in order of end.
type FinishedMaps = Vec<(Nanos, IntervalId)>;

/// Maximum number of rows in which reduces of a job name the maps they wait for.
const MOST_ROWS: usize = 1 << 20;

impl<'l> JobWriter<'l> {
    pub(super) fn phases(&mut self, of_task: &AttemptsByTask<'l>) {
        let kind = |id: &str| self.job.tasks[id].kind.as_str();
        let ids = || self.job.tasks.keys().map(String::as_str);
        let reduces: Vec<&'l str> = ids().filter(|id| kind(id) == "REDUCE").collect();
        let others: Vec<&'l str> = ids().filter(|id| kind(id) != "REDUCE").collect();
        let mut done: FinishedMaps = Vec::new();
        self.add_report_waits(of_task);
        self.before(&others, &reduces, of_task);
        for id in &others {
            let tries = of_task.get(id).map_or(&[][..], Vec::as_slice);
            self.waits(self.tasks[id], tries, self.requested_at.get(id).copied(), &Vec::new());
            for (attempt_id, attempt) in tries {
                self.map(attempt_id, attempt)
            }
            if self.job.tasks[*id].kind == "MAP" {
                done.extend(self.ended(id, tries))
            }
        }
        done.sort_unstable();
        for id in &reduces {
            let tries = of_task.get(id).map_or(&[][..], Vec::as_slice);
            self.reduce(id, tries, &done)
        }
        let all: Vec<&'l str> = others.into_iter().chain(reduces).collect();
        let last = self.awaited(&all, of_task);
        if let (Some(first), false) = (self.first_task(), last.is_empty()) {
            let (kind, end) = (self.log.kinds.tasks, self.end);
            let first = self.log.at(first).min(end);
            let wait = self.log.trace.interval(kind).of(self.entity).from(first).to(end);
            wait.doubt(DOUBT).evidence(Evidence::Log).join(last.len(), &last);
        }
    }

    /// Runs that the job's end waited for: those of all tasks. In a failed job, only the run that
    /// failed it, since the job stopped the others. In an unfinished job, the attempt that started
    /// last: it has most left to do.
    fn awaited(&self, all: &[&'l str], of_task: &AttemptsByTask<'l>) -> Vec<IntervalId> {
        if let Some(run) = self.open_run(of_task) {
            return vec![run];
        }
        let failed = outcome(&self.job.status) == Outcome::Failed;
        let tasks = all.iter().map(|id| (*id, &self.job.tasks[*id]));
        let failing = tasks
            .filter(|(_, task)| failed && task.status == "FAILED")
            .max_by_key(|(_, task)| task.finish);
        let ended = |id: &&str| self.ended(id, of_task.get(*id).map_or(&[][..], Vec::as_slice));
        let of = failing.map_or_else(|| all.to_vec(), |(id, _)| vec![id]);
        of.iter().filter_map(ended).map(|(_, run)| run).collect()
    }

    /// In a job without an end: the open run that started last, maps first. If it has no duration
    /// yet, its task's last wait.
    fn open_run(&self, of_task: &AttemptsByTask<'l>) -> Option<IntervalId> {
        let still = |(_, attempt): &&(&'l str, &'l Attempt)| attempt.status.is_empty();
        let open = of_task.values().flatten().filter(still);
        let of = |(id, attempt): &(&'l str, &'l Attempt)| {
            let is_map = self.job.tasks.get(&attempt.task)?.kind == "MAP";
            let task = *self.tasks.get(attempt.task.as_str())?;
            Some(((is_map, attempt.start?), *self.runs.get(id)?, task))
        };
        let last = open.filter_map(of).filter(|_| self.job.finish.is_none());
        // Of equal starts, the first.
        let (_, run, task) = last.reduce(|a, b| if b.0 > a.0 { b } else { a })?;
        let (from, to) = self.span(run);
        let rows = &self.log.trace.so_far().intervals;
        let waited = || rows.iter().rposition(|row| row.subject == Some(task));
        match from < to {
            true => Some(run),
            false => waited().map(IntervalId::of).or(Some(run)),
        }
    }

    /// Hadoop 1: adds the time from each task's end until the JobTracker received it.
    fn add_report_waits(&mut self, of_task: &AttemptsByTask<'l>) {
        let job = self.job;
        for (id, task) in job.tasks.iter().filter(|_| job.in_slots) {
            let id = id.as_str();
            let tries = of_task.get(id).map_or(&[][..], Vec::as_slice);
            let reported =
                task.finish.filter(|_| task.status == "SUCCEEDED").map(|ms| self.log.at(ms));
            let run = self.ended(id, tries);
            let Some((run, reported)) =
                run.zip(reported).filter(|(run, reported)| run.0 < *reported)
            else {
                continue;
            };
            let (from, _) = self.span(run.1);
            let kind = Kinds::report_kind(&mut self.log.trace);
            let wait = self.log.trace.interval(kind).of(self.tasks[id]).from(from).to(reported);
            let wait = wait.doubt(DOUBT).evidence(Evidence::Log).join(1, &[run.1]);
            self.reports.insert(id, (reported, wait));
        }
    }

    /// The run that ended the task: the attempt that made it succeed or fail, else the last.
    pub(super) fn ended(
        &self,
        task: &str,
        tries: &[(&'l str, &'l Attempt)],
    ) -> Option<(Nanos, IntervalId)> {
        if let Some(reported) = self.reports.get(task) {
            return Some(*reported);
        }
        let task = &self.job.tasks[task];
        let counts = task.successful.as_deref().or(task.failed_by.as_deref());
        let named = tries.iter().find(|(id, _)| Some(*id) == counts);
        let right = || tries.iter().find(|(_, attempt)| attempt.status == "SUCCEEDED");
        let (id, _) = named.or_else(right).or_else(|| tries.last())?;
        let run = *self.runs.get(id)?;
        Some((self.log.trace.so_far().intervals[run.at()].end, run))
    }

    /// Adds waits for containers: from the request to the first attempt, and from a broken-off
    /// attempt to the next. Requests of speculative attempts are not logged. A reduce preempted for
    /// maps waits for those in `done` first.
    fn waits(
        &mut self,
        task: EntityId,
        tries: &[(&'l str, &'l Attempt)],
        asked: Option<Nanos>,
        done: &FinishedMaps,
    ) {
        let is_open = self.job.finish.is_none() && tries.is_empty() && !self.job.in_slots;
        if let (Some(since), true) = (asked, is_open) {
            let wait = self.log.trace.interval(self.log.kinds.container).of(task);
            let wait = wait.from(since).to(self.end.max(since)).outcome(Outcome::Cut);
            wait.cause(Cause::Phase).doubt(DOUBT).evidence(Evidence::Log).push_if_long();
        }
        for (at, (_, attempt)) in tries.iter().enumerate() {
            let Some(ms) = attempt.start else { continue };
            let before = &tries[..at];
            let since = before.iter().filter_map(|(_, a)| broke_off(a)).filter(|at| *at <= ms);
            let since = since.max().map(|ms| self.log.at(ms)).or(asked);
            if let (Some(mut since), false) = (since, is_beside(attempt, before)) {
                let (kind, start) = (self.log.kinds.container, self.log.at(ms));
                let last = done.last().map(|(last, _)| *last);
                let last = last.filter(|last| since < *last && *last <= start);
                if let (Some(last), true) = (last, before.last().is_some_and(made_room)) {
                    let (of, kind) = (self.needed(done), self.log.kinds.maps);
                    let wait = self.log.trace.interval(kind).of(task).from(since).to(last);
                    wait.doubt(DOUBT).evidence(Evidence::Log).join(of.len(), &of);
                    since = last
                }
                let wait = self.log.trace.interval(kind).of(task).from(since).to(start);
                wait.cause(Cause::Phase).doubt(DOUBT).evidence(Evidence::Log).push_if_long();
            }
        }
    }

    /// End of a phase by the AM's clock, within the run; `None`: not recorded, or the node's clock
    /// offset is unknown.
    fn phase(&self, attempt: &Attempt, own_clock: Option<i64>) -> Option<Nanos> {
        let (start, end) = (attempt.start?, attempt.finish?);
        let offset = self.log.clocks.offset(attempt.node.as_ref()?)?;
        Some(self.log.at((own_clock? - offset).clamp(start, end)))
    }

    fn span(&self, run: IntervalId) -> (Nanos, Nanos) {
        let run = &self.log.trace.so_far().intervals[run.at()];
        (run.start, run.end)
    }

    fn map(&mut self, id: &str, attempt: &Attempt) {
        let (Some(run), Some(mapped)) =
            (self.runs.get(id).copied(), self.phase(attempt, attempt.map_finish))
        else {
            return;
        };
        let (start, end) = self.span(run);
        let trace = &mut self.log.trace;
        part(trace, self.log.kinds.map, run, (start, mapped));
        part(trace, self.log.kinds.commit, run, (mapped, end));
    }

    fn reduce(&mut self, id: &'l str, tries: &[(&'l str, &'l Attempt)], done: &FinishedMaps) {
        let task = self.tasks[id];
        let Some(begun) = self.requested_at.get(id).copied() else { return };
        let (setting, share) = self.slow_start;
        let maps = self.job.maps.map_or(done.len(), |maps| usize::try_from(maps).unwrap_or(0));
        let enough = units::usize_of(units::floored_u64((share * maps as f64).ceil())).max(1);
        let met = done.get(enough - 1).map_or(begun, |(at, _)| *at).max(begun);
        let begins = tries.iter().filter_map(|(_, a)| a.start).min().map(|ms| self.log.at(ms));
        let met = met.min(begins.unwrap_or(met));
        let is_held = self.job.finish.is_none() && begins.is_none() && done.len() < enough;
        let met = if is_held { self.end.max(begun) } else { met };
        let slow = self.log.trace.interval(self.log.kinds.slow_start).of(task).from(begun).to(met);
        slow.cause(Cause::Setting(setting)).doubt(DOUBT).evidence(Evidence::Log).push_if_long();
        self.waits(task, tries, Some(met).filter(|_| !is_held), done);
        let Some(begins) = begins else { return };
        let late = done.last().filter(|(last, _)| *last > begins).copied();
        if let (None, Some((last, _))) = (late, done.last()) {
            let (of, kind) = (self.needed(done), self.log.kinds.maps);
            if *last > begun {
                let wait = self.log.trace.interval(kind).of(task).from(begun).to(*last);
                wait.doubt(DOUBT).evidence(Evidence::Log).join(of.len(), &of);
            }
        }
        for (id, attempt) in tries {
            self.shuffle(id, attempt, late.map(|(last, _)| last), done)
        }
    }

    /// Maps that a reduce's wait names: all, or only the last if that would exceed `MOST_ROWS`.
    fn needed(&self, done: &FinishedMaps) -> Vec<IntervalId> {
        let reduces = self.job.tasks.len().saturating_sub(done.len());
        let from = if done.len() * reduces > MOST_ROWS { done.len().saturating_sub(1) } else { 0 };
        done[from..].iter().map(|(_, run)| *run).collect()
    }

    /// Adds phases of a reduce's run; it waits for maps until `last`.
    fn shuffle(&mut self, id: &str, attempt: &Attempt, last: Option<Nanos>, done: &FinishedMaps) {
        let (Some(run), Some(copied), Some(merged)) = (
            self.runs.get(id).copied(),
            self.phase(attempt, attempt.shuffle_finish),
            self.phase(attempt, attempt.sort_finish),
        ) else {
            return;
        };
        let (start, end) = self.span(run);
        let merged = merged.max(copied);
        let (of, kinds) = (self.needed(done), self.log.kinds);
        let trace = &mut self.log.trace;
        let mut since = start;
        if let Some(last) = last.filter(|last| *last > start) {
            since = last.min(copied);
            if since > start {
                let wait = trace.interval(kinds.maps).within(run).from(start).to(since);
                wait.doubt(DOUBT).evidence(Evidence::Log).join(of.len(), &of);
            }
        }
        part(trace, kinds.copy, run, (since, copied));
        part(trace, kinds.merge, run, (copied, merged));
        part(trace, kinds.reduce, run, (merged, end));
    }
}

/// When an attempt failed, was killed or lost its output \[ms\]; `None`: it counts, or is running.
fn broke_off(attempt: &Attempt) -> Option<i64> {
    let broke = !matches!(attempt.status.as_str(), "" | "SUCCEEDED");
    attempt.undone.or(attempt.finish).filter(|_| broke)
}

/// The AM preempted it for waiting maps.
fn made_room((_, attempt): &(&str, &Attempt)) -> bool {
    attempt.error.as_deref().is_some_and(|text| text.contains("preempted to make room"))
}

/// It is speculative. Without a recorded `avataar`: another attempt was running at its start.
fn is_beside(attempt: &Attempt, before: &[(&str, &Attempt)]) -> bool {
    let ran = |other: &Attempt| other.finish.is_none_or(|finish| Some(finish) > attempt.start);
    match attempt.avataar.as_deref() {
        Some(said) => said == "SPECULATIVE",
        None => before.iter().any(|(_, other)| other.start.is_some() && ran(other)),
    }
}

fn part(trace: &mut TraceBuilder, kind: IntervalKind, run: IntervalId, span: (Nanos, Nanos)) {
    let part = trace.interval(kind).within(run).from(span.0).to(span.1);
    part.doubt(DOUBT).evidence(Evidence::Log).push_if_long();
}
