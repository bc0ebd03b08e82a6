//! Runs points and remembers what came out: every point from the same seeds (common random
//! numbers), on all cores.
use super::budget::{self, Budget};
use super::point::Point;
use crate::failure::Failure;
use crate::job::{self, Done, Sets};
use crate::{about, interrupt, pool};
use engine::{Nanos, Scheduler};
use hdfs_model::hdfs::{Options, Progress};
use hdfs_reading::attribution::Held;
use hdfs_reading::stat::of_metric;
use hdfs_reading::{Run, Stat, VariantRuns, shares};
use hdfs_scenario::{BlockMap, Blocks, Scenario};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Makes a scenario of keys and their values.
pub type Read<'a> = dyn Fn(&[(String, String)]) -> Result<Scenario, Failure> + Sync + 'a;

/// A map, once it is drawn: who draws it holds up those alone that want the same.
type Drawn = Arc<Mutex<Option<Arc<BlockMap>>>>;

/// From the declaration until every block that can be repaired has its replicas.
pub const RECOVERY: &str = "recovery_s";

/// From the declaration until no block stands at one replica.
pub const LAST_COPY: &str = "last_copy_s";

/// The workbench of one plan.
pub struct Lab<'a> {
    read: &'a Read<'a>,
    /// As the cluster is set.
    pub now: Point,
    /// By seed; a map in a file is the same for all.
    maps: Mutex<BTreeMap<u64, Drawn>>,
    seen: BTreeMap<Point, BTreeMap<u64, Run>>,
    /// From further seeds, which nothing shows: they say whether a gain was luck.
    afresh: BTreeMap<Point, BTreeMap<u64, Run>>,
    /// From seeds that chose nothing, as many for each: what is told of the answer.
    told: BTreeMap<Point, BTreeMap<u64, Run>>,
    /// Points that were stopped: others are far better.
    hopeless: BTreeMap<Point, Nanos>,
    /// The trace of the present settings from the first seed.
    pub first: Option<Done>,
    /// The same from the first seed of what is told.
    pub first_told: Option<Done>,
    /// The metric that is to be short.
    pub objective: &'static str,
    /// What the search may cost.
    pub budget: Budget,
    busiest: BTreeMap<Point, Busiest>,
    clients: bool,
    /// The version that runs there, as far as the import told.
    pub hadoop: Option<String>,
    /// Nodes that rest in maintenance, or will: what they hold comes back with them.
    pub resting: usize,
}

/// Parts of the repair in which the busiest ones are in use.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Busiest {
    /// Of the disks.
    pub disk: f64,
    /// Of the NICs and uplinks.
    pub network: f64,
}

/// What is kept of a run.
struct Outcome {
    read: Run,
    work: u64,
    /// Beside clients.
    busiest: Option<Busiest>,
    /// Of the first run of the present settings.
    whole: Option<Done>,
}

impl Outcome {
    fn of(mut done: Done, is_first: bool, is_known: bool) -> Outcome {
        count_repairable(&mut done.read);
        let beside = hdfs_trace::has_requests(&done.trace) && !is_known;
        let busiest = || {
            let found = hdfs_reading::metrics::busiest(&done.trace, &done.read.moments);
            let (disk, network) = found.unwrap_or_default();
            Busiest { disk: disk.unwrap_or(0.0), network: network.unwrap_or(0.0) }
        };
        Outcome {
            read: done.read.clone(),
            work: budget::work(&done),
            busiest: beside.then(busiest),
            whole: is_first.then_some(done),
        }
    }
}

impl<'a> Lab<'a> {
    /// Nothing has been run yet.
    ///
    /// # Errors
    /// Bad input.
    pub fn new(read: &'a Read<'a>) -> Result<Lab<'a>, Failure> {
        let base = read(&[])?;
        let now = Point::of(&base);
        let nodes = base.cluster.nodes.len();
        let budget = Budget::start().on(nodes);
        Ok(Lab {
            clients: base.foreground.is_some(),
            resting: super::lost::resting(&base),
            hadoop: about::imported(&base).and_then(|file| file.hadoop),
            budget: match base.foreground {
                Some(_) => budget.beside_clients(nodes),
                None => budget,
            },
            read,
            now,
            maps: Mutex::default(),
            seen: BTreeMap::new(),
            afresh: BTreeMap::new(),
            told: BTreeMap::new(),
            hopeless: BTreeMap::new(),
            first: None,
            first_told: None,
            objective: RECOVERY,
            busiest: BTreeMap::new(),
        })
    }

    /// Ends the search after so long.
    pub fn limit(&mut self, clock: Duration) {
        let budget = std::mem::replace(&mut self.budget, Budget::start());
        self.budget = budget.within(clock)
    }

    /// Runs what has not been run of `points` × `seeds`. A run that is not over at `limit` is
    /// stopped, and its point is hopeless. After Ctrl-C some are missing, and where the budget's
    /// clock has run out; but what a point has is always of the first seeds, so that any two can be
    /// compared seed by seed.
    ///
    /// # Errors
    /// Bad input; a failed run.
    pub fn run(
        &mut self,
        points: &[Point],
        seeds: &[u64],
        limit: Option<Nanos>,
    ) -> Result<(), Failure> {
        let new = |point: &&Point, seed: u64| {
            !self.hopeless.contains_key(*point)
                && !self.is_beyond(point)
                && !self.seen.get(*point).is_some_and(|runs| runs.contains_key(&seed))
        };
        let mut jobs: Vec<(Point, u64)> = Vec::new();
        for point in points {
            let seeds = seeds.iter().filter(|&&seed| new(&point, seed));
            jobs.extend(seeds.map(|&seed| (point.clone(), seed)))
        }
        jobs.sort();
        jobs.dedup();
        let results = pool::run(&jobs, |(point, seed)| self.one(point, *seed, limit), |_| ());
        let mut broken: Option<Point> = None;
        for ((point, seed), result) in jobs.into_iter().zip(results) {
            if broken.as_ref() == Some(&point) {
                continue;
            }
            let Some(done) = result else {
                self.budget.broke_off(interrupt::asked());
                broken = Some(point);
                continue;
            };
            self.keep(point, seed, *done?, limit)
        }
        Ok(())
    }

    /// Runs points from as many seeds again as there are, and keeps that apart.
    ///
    /// # Errors
    /// As [`Lab::run`].
    pub fn run_afresh(&mut self, points: &[Point], seeds: &[u64]) -> Result<(), Failure> {
        let last = seeds.iter().copied().max().unwrap_or(0);
        let further: Vec<u64> = seeds.iter().map(|seed| last + seed).collect();
        let new: Vec<Point> =
            points.iter().filter(|p| !self.afresh.contains_key(*p)).cloned().collect();
        self.run(&new, &further, None)?;
        for point in new {
            let runs = self.seen.get_mut(&point).map(|runs| runs.split_off(&(last + 1)));
            self.afresh.insert(point, runs.unwrap_or_default());
        }
        let mut maps = self.maps.lock().expect("nobody panics while holding it");
        maps.retain(|seed, _| *seed <= last);
        Ok(())
    }

    /// Runs points from `many` seeds that chose nothing: neither one of `seeds` nor of those that
    /// are run afresh. Either all of them get all of these seeds, or nothing is told of any.
    ///
    /// # Errors
    /// As [`Lab::run`].
    pub fn run_to_tell(
        &mut self,
        points: &[Point],
        seeds: &[u64],
        many: usize,
    ) -> Result<(), Failure> {
        let last = 2 * seeds.iter().copied().max().unwrap_or(0);
        let further: Vec<u64> = (1..=many as u64).map(|seed| last + seed).collect();
        let now = self.now.clone();
        if points.contains(&now) {
            let first = self.first.take();
            let done = self.run(std::slice::from_ref(&now), &further[..1], None);
            self.first_told = std::mem::replace(&mut self.first, first);
            done?
        }
        self.run(points, &further, None)?;
        let mut split = |point: &Point| {
            let runs = self.seen.get_mut(point).map(|runs| runs.split_off(&(last + 1)));
            (point.clone(), runs.unwrap_or_default())
        };
        let runs: Vec<_> = points.iter().map(&mut split).collect();
        let mut maps = self.maps.lock().expect("nobody panics while holding it");
        maps.retain(|seed, _| *seed <= last);
        if runs.iter().all(|(_, runs)| runs.len() == many) {
            self.told.extend(runs)
        }
        Ok(())
    }

    /// Whether a point was run from seeds that chose nothing.
    pub fn is_told(&self, point: &Point) -> bool {
        self.told.contains_key(point)
    }

    /// From how many.
    pub fn seeds_told(&self) -> Option<usize> {
        self.told.values().next().map(BTreeMap::len)
    }

    /// What is told of a point.
    pub fn runs_told(&self, point: &Point) -> Vec<&Run> {
        self.told.get(point).into_iter().flat_map(|runs| runs.values()).collect()
    }

    /// Whether a point was run from further seeds.
    pub fn was_run_afresh(&self, point: &Point) -> bool {
        self.afresh.contains_key(point)
    }

    /// The trace is read here and goes, or those of a whole batch would be in memory at once.
    fn one(
        &self,
        point: &Point,
        seed: u64,
        limit: Option<Nanos>,
    ) -> Option<Result<Box<Outcome>, Failure>> {
        let run = || {
            if self.budget.is_over() {
                return Ok(None);
            }
            let mut scenario = self.scenario(point)?;
            let blocks = self.map(&scenario, seed)?;
            scenario.run.until = limit.or(scenario.run.until);
            let options =
                Options { execution: Scheduler::Sequential.into(), check: false, observer: None };
            let start = scenario.foreground.as_ref().map(|clients| clients.start);
            let mut began = None;
            let mut goes_on = |progress: Progress| {
                let since = start.filter(|start| progress.now > *start);
                let hopeless = since.is_some_and(|start| {
                    let wall = began.get_or_insert_with(crate::clock::now).elapsed();
                    self.budget.is_hopeless(wall, progress.now.saturating_sub(start), before())
                });
                !hopeless && !self.budget.is_over()
            };
            job::run_while(&scenario, blocks, seed, options, &mut goes_on)
        };
        let is_first = *point == self.now && self.first.is_none();
        let known = self.busiest.contains_key(point);
        run().transpose().map(|done| Ok(Box::new(Outcome::of(done?, is_first, known))))
    }

    fn map(&self, scenario: &Scenario, seed: u64) -> Result<Arc<BlockMap>, Failure> {
        let key = if matches!(scenario.blocks, Blocks::Parquet { .. }) { 0 } else { seed };
        let drawn = {
            let mut maps = self.maps.lock().expect("nobody panics while holding it");
            Arc::clone(maps.entry(key).or_default())
        };
        let mut drawn = drawn.lock().expect("nobody panics while holding it");
        if let Some(map) = &*drawn {
            return Ok(Arc::clone(map));
        }
        let map = job::blocks(scenario, seed)?;
        *drawn = Some(Arc::clone(&map));
        Ok(map)
    }

    fn keep(&mut self, point: Point, seed: u64, done: Outcome, limit: Option<Nanos>) {
        self.budget.took(&point, done.work);
        let cut = done.read.recovery_s().is_none();
        if let Some(busiest) = done.busiest {
            self.busiest.entry(point.clone()).or_insert(busiest);
        }
        if let Some(limit) = limit.filter(|_| cut) {
            self.hopeless.insert(point, limit);
            return;
        }
        if self.first.is_none() {
            self.first = done.whole
        }
        self.seen.entry(point).or_default().insert(seed, done.read);
    }

    /// The scenario of a point.
    ///
    /// # Errors
    /// Bad input.
    pub fn scenario(&self, point: &Point) -> Result<Scenario, Failure> {
        let sets: Sets = point.sets(&self.now);
        (self.read)(&sets)
    }

    /// What is known of a point, seed by seed.
    pub fn runs(&self, point: &Point) -> Vec<&Run> {
        self.seen.get(point).into_iter().flat_map(|runs| runs.values()).collect()
    }

    /// The same with what was run afresh.
    pub fn all_runs(&self, point: &Point) -> Vec<&Run> {
        let afresh = self.afresh.get(point).into_iter().flat_map(|runs| runs.values());
        self.runs(point).into_iter().chain(afresh).collect()
    }

    /// All points that were run to their end.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        self.seen.keys()
    }

    /// Whether a point was tried, or is none that the Hadoop there can be set to.
    pub fn knows(&self, point: &Point) -> bool {
        self.is_beyond(point) || self.seen.contains_key(point) || self.hopeless.contains_key(point)
    }

    /// Whether a point was stopped, others being far better.
    pub fn is_hopeless(&self, point: &Point) -> bool {
        self.hopeless.contains_key(point)
    }

    /// Whether a point was run from some seeds, but not from so many.
    pub fn has_fewer(&self, point: &Point, seeds: usize) -> bool {
        (1..seeds).contains(&self.runs(point).len())
    }

    /// Whether a point changes what the Hadoop that runs there does not know.
    fn is_beyond(&self, point: &Point) -> bool {
        point.changes(&self.now).any(|(knob, ..)| !knob.is_in(self.hadoop.as_deref()))
    }

    /// Points that were tried, hopeless ones included.
    pub fn tried(&self) -> usize {
        let cut = self.hopeless.keys().filter(|point| !self.seen.contains_key(*point));
        self.seen.len() + cut.count()
    }

    /// What is to be short, over the seeds that were run \[s\]: the recovery, or what else is the
    /// objective; `None` if one never ends, or none was run.
    pub fn recovery(&self, point: &Point) -> Option<Stat> {
        self.metric(point, self.objective)
    }

    /// The same from one seed.
    pub fn recovery_in(&self, point: &Point, seed: u64) -> Option<f64> {
        self.judged(self.seen.get(point)?.get(&seed)?)
    }

    /// The same of one run.
    pub fn judged(&self, run: &Run) -> Option<f64> {
        run.metrics.get(self.objective).copied()
    }

    /// A metric's mean over the first seeds of a point; `None` unless all of them have it.
    pub fn mean_of_first(&self, point: &Point, seeds: usize, name: &str) -> Option<f64> {
        let runs = self.runs(point);
        (runs.len() >= seeds)
            .then(|| of_metric(runs.into_iter().take(seeds), name))?
            .map(|s| s.mean)
    }

    /// What is busiest during the repair, on average over it; known beside clients, who wait for
    /// it.
    pub fn busiest(&self, point: &Point) -> Option<Busiest> {
        self.busiest.get(point).copied()
    }

    /// What holds it up most.
    pub fn holder(&self, point: &Point) -> Option<Held> {
        shares::of_variant(&self.variant(point)).shares.into_iter().next()
    }

    /// Clients' 99th percentile during the repair \[ms\]; `None` without clients, or of too few
    /// requests.
    pub fn p99(&self, point: &Point) -> Option<Stat> {
        self.metric(point, "foreground_p99_ms")
    }

    /// The same before the repair, which is the same for all settings: of the present ones.
    pub fn p99_before(&self) -> Option<Stat> {
        self.metric(&self.now, "foreground_before_p99_ms")
    }

    /// By what part the p99 is longer during the repair than before it, over seeds.
    pub fn slowdown(&self, point: &Point) -> Option<Stat> {
        self.metric(point, "foreground_slowdown")
    }

    fn metric(&self, point: &Point, name: &str) -> Option<Stat> {
        of_metric(self.runs(point), name)
    }

    /// From the declaration of the first loss to that of the last, over the seeds of the present
    /// settings \[s\].
    pub fn unnoticed(&self) -> f64 {
        self.unnoticed_in(self.runs(&self.now))
    }

    /// The same over these runs.
    pub fn unnoticed_in(&self, runs: Vec<&Run>) -> f64 {
        let between = |run: &Run| {
            let moments = &run.moments;
            Some(moments.noticed?.saturating_sub(moments.declared?).as_secs())
        };
        let all: Option<Vec<f64>> = runs.into_iter().map(between).collect();
        all.filter(|all| !all.is_empty()).map_or(0.0, |all| hdfs_reading::stat(&all).mean)
    }

    /// Whether clients are given, whether or not they asked for anything meanwhile.
    pub fn has_clients(&self) -> bool {
        self.clients
    }

    /// As a row of a page.
    pub fn variant(&self, point: &Point) -> VariantRuns {
        self.variant_of(point, self.runs(point))
    }

    /// The same of some runs.
    pub fn variant_of(&self, point: &Point, runs: Vec<&Run>) -> VariantRuns {
        VariantRuns {
            name: point.name(&self.now),
            set: point.sets(&self.now),
            runs: runs.into_iter().cloned().collect(),
        }
    }

    /// Whether the user wants to stop.
    pub fn stopped(&self) -> bool {
        interrupt::asked()
    }
}

/// Clients are seen so long before there is anything to repair.
fn before() -> Nanos {
    super::loss::BEFORE.parse().expect("a time")
}

/// A plan is about what can be repaired: where blocks are lost the repair ends when all others are
/// safe. What is lost is counted beside it.
fn count_repairable(run: &mut Run) {
    if let (Some(declared), Some(mended)) = (run.moments.declared, run.moments.mended) {
        let repair = mended.saturating_sub(declared).as_secs();
        run.metrics.entry("recovery_s".into()).or_insert(repair);
    }
}
