//! Runs points on all cores and stores their results. All points use the same seeds (common random
//! numbers).
use super::budget::Budget;
use super::goals::Goals;
use super::space::Space;
use crate::failure::Failure;
use crate::interface::{Progress, RunOptions, SimulatedRun};
use crate::interrupt;
use crate::lab::{Lab, SeedRun};
use crate::pool;
use analysis::{Stat, stat};
use cluster::{Sheet, SystemData};
use engine::Scheduler;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use trace::Better;
use units::Nanos;

/// Loaded data for the runs of a seed. While one thread loads it, only threads with the same seed
/// wait.
type Loaded = Arc<Mutex<Option<SystemData>>>;

type Runs = BTreeMap<u64, SeedRun>;

pub struct Bench<'s, S: Space> {
    pub space: &'s S,
    pub budget: Budget,
    /// First run of the present settings, with its trace.
    pub first: Option<SimulatedRun>,
    /// First fresh run of the present settings, with its trace.
    pub first_fresh: Option<SimulatedRun>,
    now: S::Point,
    lab: Lab,
    objective: String,
    sign: f64,
    seen: BTreeMap<S::Point, Runs>,
    /// Runs with fresh seeds, which the search did not use: the reported figures.
    fresh: BTreeMap<S::Point, Runs>,
    /// Points stopped early since others are far better.
    hopeless: BTreeSet<S::Point>,
    loaded: Mutex<BTreeMap<u64, Loaded>>,
}

enum RunOutcome {
    Whole(Box<(SeedRun, u64, Option<SimulatedRun>)>),
    Hopeless,
}

impl<'s, S: Space> Bench<'s, S> {
    pub fn new(lab: Lab, space: &'s S, goals: &Goals, budget: Budget) -> Bench<'s, S> {
        Bench {
            now: space.now(),
            space,
            budget,
            first: None,
            first_fresh: None,
            lab,
            objective: goals.objective.clone(),
            sign: if goals.better == Better::Less { 1.0 } else { -1.0 },
            seen: BTreeMap::new(),
            fresh: BTreeMap::new(),
            hopeless: BTreeSet::new(),
            loaded: Mutex::default(),
        }
    }

    pub fn now(&self) -> &S::Point {
        &self.now
    }

    /// Runs missing combinations of `points` × `seeds`. After Ctrl-C or the time limit some are
    /// missing; a point always has the first seeds, so points are comparable seed by seed.
    pub fn run(&mut self, points: &[S::Point], seeds: &[u64]) -> Result<(), Failure> {
        self.run_until(points, seeds, None)
    }

    /// [`run`](Self::run); a point whose run exceeds the simulated time `limit` becomes hopeless.
    pub fn run_until(
        &mut self,
        points: &[S::Point],
        seeds: &[u64],
        limit: Option<Nanos>,
    ) -> Result<(), Failure> {
        let jobs = self.jobs(points, seeds);
        let whole = |job: &(S::Point, u64)| self.first.is_none() && job.0 == self.now;
        let threads = self.threads(points)?;
        let results = pool::run_on(
            threads,
            &jobs,
            |job| self.one(job, limit, whole(job)).transpose(),
            |_| (),
        );
        let mut broken: Option<S::Point> = None;
        for ((point, seed), result) in jobs.into_iter().zip(results) {
            if broken.as_ref() == Some(&point) {
                continue;
            }
            match result.transpose()? {
                None => {
                    if !interrupt::is_requested() {
                        self.budget.mark_cut()
                    }
                    broken = Some(point)
                }
                Some(RunOutcome::Hopeless) => {
                    self.hopeless.insert(point.clone());
                    broken = Some(point)
                }
                Some(RunOutcome::Whole(done)) => self.keep(point, seed, *done),
            }
        }
        Ok(())
    }

    /// Number of runs that fit into memory at once.
    fn threads(&self, points: &[S::Point]) -> Result<usize, Failure> {
        let mut threads = pool::threads();
        for point in points {
            threads = threads.min(self.lab.parallel_runs(&self.space.sheet(point)?)?)
        }
        Ok(threads)
    }

    /// Missing runs in the order of the points.
    fn jobs(&self, points: &[S::Point], seeds: &[u64]) -> Vec<(S::Point, u64)> {
        let mut known = BTreeSet::new();
        let mut jobs = Vec::new();
        for point in points.iter().filter(|point| !self.hopeless.contains(*point)) {
            let runs = self.seen.get(point);
            let new = |seed: &&u64| runs.is_none_or(|runs| !runs.contains_key(seed));
            if known.insert(point) {
                jobs.extend(seeds.iter().filter(new).map(|seed| (point.clone(), *seed)))
            }
        }
        jobs
    }

    /// `None` if interrupted or out of time.
    fn one(
        &self,
        (point, seed): &(S::Point, u64),
        limit: Option<Nanos>,
        whole: bool,
    ) -> Result<Option<RunOutcome>, Failure> {
        if self.budget.is_over() {
            return Ok(None);
        }
        let sheet = self.space.sheet(point)?;
        let loaded = self.load(&sheet, *seed)?;
        let mut is_hopeless = false;
        let mut tell = |p: Progress| {
            is_hopeless = limit.is_some_and(|limit| p.now > limit);
            match is_hopeless || self.budget.is_over() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let how = RunOptions {
            keep_trace: whole || self.space.reads_traces(),
            progress: Some(&mut tell),
            loaded,
            ..RunOptions::by(Scheduler::Sequential)
        };
        let Some(done) = self.lab.run_once(&sheet, *seed, how)? else {
            return Ok(is_hopeless.then_some(RunOutcome::Hopeless));
        };
        let (kept, cost) = (self.space.keep(*seed, &done), self.space.cost(&done));
        Ok(Some(RunOutcome::Whole(Box::new((kept, cost, whole.then_some(done))))))
    }

    /// Loaded data of a run; the points of a seed share it.
    fn load(&self, sheet: &Sheet, seed: u64) -> Result<SystemData, Failure> {
        // Data that does not depend on the seed is loaded once.
        let key = if self.lab.shares(sheet).is_some() { 0 } else { seed };
        let known = {
            let mut all = self.loaded.lock().expect("no thread panics while holding it");
            Arc::clone(all.entry(key).or_default())
        };
        let mut known = known.lock().expect("no thread panics while holding it");
        if let Some(loaded) = &*known {
            return Ok(loaded.clone());
        }
        let loaded = self.lab.load(sheet, seed)?;
        *known = Some(loaded.clone());
        Ok(loaded)
    }

    fn keep(
        &mut self,
        point: S::Point,
        seed: u64,
        (run, cost, whole): (SeedRun, u64, Option<SimulatedRun>),
    ) {
        self.budget.charge(cost);
        // Several seeds of the present settings may run at once; the first result is kept.
        if self.first.is_none() {
            self.first = whole
        }
        self.seen.entry(point).or_default().insert(seed, run);
    }

    /// Runs `points` with `many` fresh seeds after the last of `seeds`. Results count only if all
    /// points have all of them.
    pub fn run_fresh(
        &mut self,
        points: &[S::Point],
        seeds: &[u64],
        many: usize,
    ) -> Result<(), Failure> {
        let last = seeds.iter().copied().max().unwrap_or(0);
        let further: Vec<u64> = (1..=many as u64).map(|seed| last + seed).collect();
        let chosen = self.first.take();
        let done = self.run(points, &further);
        let fresh = std::mem::replace(&mut self.first, chosen);
        self.first_fresh = self.first_fresh.take().or(fresh);
        done?;
        let mut split = |point: &S::Point| {
            let runs = self.seen.get_mut(point).map(|runs| runs.split_off(&(last + 1)));
            (point.clone(), runs.unwrap_or_default())
        };
        let runs: Vec<(S::Point, Runs)> = points.iter().map(&mut split).collect();
        self.loaded.lock().expect("as above").retain(|seed, _| *seed <= last);
        if runs.iter().all(|(_, runs)| runs.len() == many) {
            self.fresh.extend(runs)
        }
        Ok(())
    }

    /// Whether the point ran with fresh seeds.
    pub fn is_fresh(&self, point: &S::Point) -> bool {
        self.fresh.contains_key(point)
    }

    pub fn fresh_seeds(&self) -> Option<usize> {
        self.fresh.values().next().map(BTreeMap::len)
    }

    pub fn fresh_runs(&self, point: &S::Point) -> Vec<&SeedRun> {
        self.fresh.get(point).into_iter().flat_map(|runs| runs.values()).collect()
    }

    /// Runs in the order of seeds.
    pub fn runs(&self, point: &S::Point) -> Vec<&SeedRun> {
        self.seen.get(point).into_iter().flat_map(|runs| runs.values()).collect()
    }

    /// Points with at least one complete run.
    pub fn points(&self) -> impl Iterator<Item = &S::Point> {
        self.seen.iter().filter(|(_, runs)| !runs.is_empty()).map(|(point, _)| point)
    }

    pub fn has_run(&self, point: &S::Point) -> bool {
        self.seen.contains_key(point) || self.hopeless.contains(point)
    }

    /// Whether the point was stopped early since others are far better.
    pub fn is_hopeless(&self, point: &S::Point) -> bool {
        self.hopeless.contains(point)
    }

    /// Includes hopeless points.
    pub fn tried(&self) -> usize {
        self.seen.keys().chain(&self.hopeless).collect::<BTreeSet<_>>().len()
    }

    pub fn is_stopped(&self) -> bool {
        interrupt::is_requested()
    }

    /// The objective, negated if more is better, so that less is always better. `None` if the run
    /// lacks it.
    pub fn need(&self, run: &SeedRun) -> Option<f64> {
        run.reading.metrics.get(&self.objective).map(|value| self.sign * value)
    }

    /// Mean of [`need`](Self::need) over the first `seeds` seeds; infinite if a run or a value is
    /// missing.
    pub fn need_of(&self, point: &S::Point, seeds: usize) -> f64 {
        let runs = self.runs(point);
        let all: Option<Vec<f64>> = runs.iter().take(seeds).map(|run| self.need(run)).collect();
        let all = all.filter(|all| !all.is_empty() && all.len() == seeds);
        all.map_or(f64::INFINITY, |all| stat(&all).mean)
    }

    /// [`need_of`](Self::need_of) all seeds.
    pub fn mean(&self, point: &S::Point) -> f64 {
        self.need_of(point, self.runs(point).len())
    }

    /// The objective over the seeds, in its own unit and sign.
    pub fn value(&self, point: &S::Point) -> Option<Stat> {
        self.metric(point, &self.objective)
    }

    /// `None` unless all seeds have the metric.
    pub fn metric(&self, point: &S::Point, name: &str) -> Option<Stat> {
        over(&self.runs(point), name)
    }

    /// For the first `seeds` seeds; `None` if there are fewer.
    pub fn metric_of(&self, point: &S::Point, name: &str, seeds: usize) -> Option<Stat> {
        let runs = self.runs(point);
        over(runs.get(..seeds)?, name)
    }

    /// The largest bottleneck over the seeds.
    pub fn holder(&self, point: &S::Point) -> Option<String> {
        let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
        for held in self.runs(point).into_iter().flat_map(|run| &run.reading.held) {
            *shares.entry(&held.holder).or_default() += held.waited_s
        }
        let most = shares.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        most.map(|(holder, _)| holder.to_string())
    }
}

/// `None` unless there is a run and all have the metric.
pub(super) fn over(runs: &[&SeedRun], name: &str) -> Option<Stat> {
    let all: Option<Vec<f64>> =
        runs.iter().map(|run| run.reading.metrics.get(name).copied()).collect();
    all.filter(|all| !all.is_empty()).map(|all| stat(&all))
}
