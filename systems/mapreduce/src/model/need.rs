//! The time at which a job needs its reduces.
use super::tracker::Tracker;
use engine::*;

impl Tracker {
    /// How long a reduce that started now would wait for its job's last map after it has fetched
    /// the other outputs \[s\]. `None`: all maps are done, or no rule needs it.
    pub(super) fn early(&self, number: u32, now: Nanos) -> Option<f64> {
        let settings = &self.settings;
        let job = self.jobs.get(&number).filter(|_| settings.scheduling.needs_progress())?;
        let (all, done) = (f64::from(settings.maps), job.done.of(true).len() as f64);
        if done >= all {
            return None;
        }
        let left = (now - job.submitted).as_secs() * (all - done) / done.max(f64::MIN_POSITIVE);
        Some(left - settings.fetch_time())
    }

    /// Another job has all its map outputs, and reduces without a slot.
    pub(super) fn is_ready_elsewhere(&self, number: u32) -> bool {
        let maps = self.settings.maps as usize;
        let ready = |job: &super::jobs::Job| {
            job.done.of(true).len() == maps && !job.pending.of(false).is_empty()
        };
        self.jobs.iter().any(|(other, job)| *other != number && ready(job))
    }
}
