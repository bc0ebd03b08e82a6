//! When each task could have run. YARN's AM requests a task when it is ready. Hadoop 1 logs only
//! starts: maps and reduces can run after the job's setup task, and clean-up after all others.
use super::kinds::Kinds;
use super::phases::AttemptsByTask;
use super::{DOUBT, JobWriter};
use trace::{Evidence, IntervalId};
use units::Nanos;

/// Maximum number of runs that a clean-up's wait names.
const MOST: usize = 1 << 16;

impl<'l> JobWriter<'l> {
    /// Sets `asked`, and adds what tasks of Hadoop 1 waited for until then.
    pub(super) fn before(
        &mut self,
        others: &[&'l str],
        reduces: &[&'l str],
        of: &AttemptsByTask<'l>,
    ) {
        let (job, log) = (self.job, &*self.log);
        let all = || others.iter().chain(reduces);
        let starts = all().filter_map(|id| Some((*id, log.at(job.tasks[*id].start?))));
        self.requested_at = starts.collect();
        if !job.in_slots {
            return;
        }
        let ended = |id: &&'l str| self.ended(id, of.get(*id).map_or(&[][..], Vec::as_slice));
        let is = |id: &str, kind: &str| job.tasks[id].kind == kind;
        let works = |id: &&&'l str| is(id, "MAP") || is(id, "REDUCE");
        let setup: Vec<_> = all().filter(|id| is(id, "SETUP")).filter_map(ended).collect();
        let work: Vec<_> = all().filter(works).filter_map(ended).take(MOST).collect();
        let then: Vec<&'l str> = all().filter(works).copied().collect();
        let last: Vec<&'l str> = all().filter(|id| is(id, "CLEANUP")).copied().collect();
        self.follow(&then, &setup);
        self.follow(&last, &work)
    }

    /// `tasks` wait for the end of `runs`.
    fn follow(&mut self, tasks: &[&'l str], runs: &[(Nanos, IntervalId)]) {
        let (Some(first), Some(until)) = (self.first_task(), runs.iter().map(|run| run.0).max())
        else {
            return;
        };
        let (first, runs) = (self.log.at(first), runs.iter().map(|run| run.1));
        let runs: Vec<IntervalId> = runs.collect();
        for id in tasks {
            // A lost map runs again while other tasks are done: it waits for none of them.
            let Some(asked) = self.requested_at.get_mut(id).filter(|start| until <= **start) else {
                continue;
            };
            *asked = until;
            let (task, trace) = (self.tasks[id], &mut self.log.trace);
            let kind = Kinds::before(trace);
            let wait = trace.interval(kind).of(task).from(first.min(until)).to(until);
            wait.doubt(DOUBT).evidence(Evidence::Log).join(runs.len(), &runs);
        }
    }
}
