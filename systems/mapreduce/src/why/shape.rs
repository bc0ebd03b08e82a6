//! The shape of a job: concurrent tasks and nodes.
use super::job::{Attempt, Job};
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct JobShape {
    /// Maximum of concurrent attempts of all kinds.
    pub at_once: usize,
    pub maps_at_once: usize,
    pub reduces_at_once: usize,
    pub nodes: usize,
    /// End of the last successful map, in the trace's time \[s\].
    pub last_map: f64,
    /// Start of the first attempt, in the trace's time \[s\].
    pub first: f64,
    /// Starts (+1) and ends (−1) of all attempts, in order of time.
    steps: Vec<CountChange>,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RunningTasks {
    pub maps: i64,
    pub reduces: i64,
    /// Setup and clean-up tasks of Hadoop 1.
    pub others: i64,
}

impl RunningTasks {
    pub fn all(self) -> i64 {
        self.maps + self.reduces + self.others
    }

    fn of(kind: &str, change: i64) -> RunningTasks {
        let none = RunningTasks::default();
        match kind {
            "MAP" => RunningTasks { maps: change, ..none },
            "REDUCE" => RunningTasks { reduces: change, ..none },
            _ => RunningTasks { others: change, ..none },
        }
    }

    fn with(self, other: RunningTasks) -> RunningTasks {
        RunningTasks {
            maps: self.maps + other.maps,
            reduces: self.reduces + other.reduces,
            others: self.others + other.others,
        }
    }
}

/// Time \[s\]; starts (+1) or ends (−1).
type CountChange = (f64, RunningTasks);

impl JobShape {
    pub fn of(job: &Job) -> JobShape {
        let steps = steps(job.attempts());
        let most = |of: fn(RunningTasks) -> i64| {
            usize::try_from(sums(&steps).map(of).max().unwrap_or(0)).unwrap_or(0)
        };
        let ends = job.successful("MAP").filter_map(|a| a.run).map(|(_, to)| to);
        JobShape {
            at_once: most(RunningTasks::all),
            maps_at_once: most(|running| running.maps),
            reduces_at_once: most(|running| running.reduces),
            nodes: job.attempts().filter_map(|a| a.node).collect::<BTreeSet<_>>().len(),
            last_map: ends.fold(job.begun, f64::max),
            first: steps.first().map_or(job.begun, |(at, _)| *at),
            steps,
        }
    }

    pub fn mean_at_once(&self, from: f64, to: f64) -> f64 {
        let of = |(seconds, running): (f64, RunningTasks)| seconds * running.all() as f64;
        let sum: f64 = self.stretches(from, to).map(of).sum();
        if to > from { sum / (to - from) } else { 0.0 }
    }

    /// Time within `from` to `to` \[s\] during which `is` holds.
    pub fn seconds_while(&self, from: f64, to: f64, is: impl Fn(RunningTasks) -> bool) -> f64 {
        self.stretches(from, to).filter(|(_, running)| is(*running)).map(|one| one.0).sum()
    }

    /// Maximum of a weight over time.
    pub fn most_of(&self, weight: impl Fn(RunningTasks) -> f64) -> f64 {
        sums(&self.steps).map(weight).fold(0.0, f64::max)
    }

    /// Periods with a constant number of running attempts: duration \[s\], attempts.
    fn stretches(&self, from: f64, to: f64) -> impl Iterator<Item = (f64, RunningTasks)> + '_ {
        let mut running = RunningTasks::default();
        let ends = self.steps.iter().map(|(at, _)| *at).skip(1).chain([f64::INFINITY]);
        let before = self.steps.first().map_or(to, |(at, _)| at.min(to)) - from;
        let of = move |((at, change), next): (&CountChange, f64)| {
            running = running.with(*change);
            (next.min(to) - at.max(from), running)
        };
        let all = [(before, running)].into_iter().chain(self.steps.iter().zip(ends).map(of));
        all.filter(|(seconds, _)| *seconds > 0.0)
    }
}

fn steps<'j>(all: impl Iterator<Item = &'j Attempt>) -> Vec<CountChange> {
    let ran = all.filter_map(|a| Some((a.kind.as_str(), a.run?)));
    let both = |(kind, (from, to)): (&str, (f64, f64))| {
        [(from, RunningTasks::of(kind, 1)), (to, RunningTasks::of(kind, -1))]
    };
    let mut all: Vec<CountChange> = ran.flat_map(both).collect();
    // Ends come first: they free containers for starts at the same time.
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.all().cmp(&b.1.all())));
    all
}

/// Attempts running after each change.
fn sums(steps: &[CountChange]) -> impl Iterator<Item = RunningTasks> {
    steps.iter().scan(RunningTasks::default(), |now, (_, change)| {
        *now = now.with(*change);
        Some(*now)
    })
}
