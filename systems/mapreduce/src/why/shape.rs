//! The shape of a job: how many tasks ran at once, in how many waves, on how many nodes.
use super::job::{Attempt, Job};
use std::collections::BTreeSet;

/// What a job's own size makes of its time; it is no hold-up.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Shape {
    /// The most attempts that ran at once, of both kinds.
    pub at_once: usize,
    /// Likewise of maps.
    pub maps_at_once: usize,
    /// Likewise of reduces.
    pub reduces_at_once: usize,
    /// Nodes that ran any.
    pub nodes: usize,
    /// The end of the last map that counts, in the trace's time \[s\].
    pub last_map: f64,
    /// When the first attempt started, in the trace's time \[s\].
    pub first: f64,
    /// Starts (+1) and ends (−1) of all attempts by time.
    steps: Vec<(f64, i64)>,
}

impl Shape {
    /// Of a job.
    pub fn of(job: &Job) -> Shape {
        let ran = |kind: Option<bool>| {
            let of = move |a: &&Attempt| kind.is_none_or(|map| (a.kind != "REDUCE") == map);
            steps(job.attempts().filter(of).filter_map(|a| a.run))
        };
        let all = ran(None);
        let good = |a: &&Attempt| a.kind != "REDUCE" && a.outcome == trace::Outcome::Ok;
        let ends = job.attempts().filter(good).filter_map(|a| a.run).map(|(_, to)| to);
        Shape {
            at_once: most(&all),
            maps_at_once: most(&ran(Some(true))),
            reduces_at_once: most(&ran(Some(false))),
            nodes: job.attempts().filter_map(|a| a.node).collect::<BTreeSet<_>>().len(),
            last_map: ends.fold(job.begun, f64::max),
            first: all.first().map_or(job.begun, |(at, _)| *at),
            steps: all,
        }
    }

    /// How many ran at once, in the mean of this time.
    pub fn mean_at_once(&self, from: f64, to: f64) -> f64 {
        let sum: f64 = self.stretches(from, to).map(|(seconds, n)| seconds * n as f64).sum();
        if to > from { sum / (to - from) } else { 0.0 }
    }

    /// Seconds of this time in which fewer than `n` ran.
    pub fn seconds_below(&self, from: f64, to: f64, n: f64) -> f64 {
        let below = self.stretches(from, to).filter(|(_, running)| (*running as f64) < n);
        below.map(|(seconds, _)| seconds).sum()
    }

    /// Stretches of this time: how long, and how many ran.
    fn stretches(&self, from: f64, to: f64) -> impl Iterator<Item = (f64, i64)> + '_ {
        let mut running = 0;
        let ends = self.steps.iter().map(|(at, _)| *at).skip(1).chain([f64::INFINITY]);
        let before = self.steps.first().map_or(to, |(at, _)| at.min(to)) - from;
        let of = move |((at, change), next): (&(f64, i64), f64)| {
            running += change;
            (next.min(to) - at.max(from), running)
        };
        let all = [(before, 0)].into_iter().chain(self.steps.iter().zip(ends).map(of));
        all.filter(|(seconds, _)| *seconds > 0.0)
    }
}

fn steps(runs: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, i64)> {
    let mut all: Vec<(f64, i64)> = runs.flat_map(|(from, to)| [(from, 1), (to, -1)]).collect();
    // Who ends makes room for who begins.
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all
}

fn most(steps: &[(f64, i64)]) -> usize {
    let (mut now, mut most) = (0i64, 0i64);
    for (_, change) in steps {
        now += change;
        most = most.max(now)
    }
    usize::try_from(most).unwrap_or(0)
}
