//! Runs by their settings, and values of them by seed.
use super::{Band, ReproduceRequest, Seeds};
use crate::failure::Failure;
use crate::interrupt;
use crate::lab::{self, Lab, RowRuns};
use crate::vary::Set;
use analysis::stat::jointly;
use analysis::{Stat, stat};
use cluster::Sheet;
use page::{Cell as Shown, Origin, Point, Points};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::{Div, Sub};
use std::path::Path;
use std::rc::Rc;
use units::usize_of;

/// A scenario of a paper; runs override its keys.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BaseScenario {
    pub name: &'static str,
    /// File name in error messages.
    pub file: &'static str,
    pub text: &'static str,
}

/// A run by its settings. Claims that name the same run share it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Run {
    base: BaseScenario,
    sets: Vec<Set>,
    /// Most seeds; a few suffice if chance has little effect.
    seeds: u32,
}

impl Run {
    pub fn of(base: BaseScenario, sets: &[(&str, &str)]) -> Run {
        Run { base, sets: Vec::new(), seeds: u32::MAX }.with(sets)
    }

    pub fn with(mut self, sets: &[(&str, &str)]) -> Run {
        sets.iter().for_each(|(key, value)| self.set(key, value));
        self
    }

    /// Settings that override the base.
    pub fn sets(&self) -> &[Set] {
        &self.sets
    }

    /// Most seeds.
    pub fn most(&self) -> u32 {
        self.seeds
    }

    pub fn seeds(self, most: u32) -> Run {
        Run { seeds: most, ..self }
    }

    /// Scenario and settings, without the number of seeds.
    fn key(&self) -> (BaseScenario, Vec<Set>) {
        (self.base, self.sets.clone())
    }

    fn set(&mut self, key: &str, value: &str) {
        self.sets.retain(|(known, _)| known != key);
        self.sets.push((key.into(), value.into()))
    }

    /// The lab's row; `over` are the user's settings. Fails if one of them is invalid.
    pub fn row(&self, lab: &Lab, over: &[Set]) -> Result<lab::Row, Failure> {
        let set: Vec<Set> = self.sets.iter().chain(over).cloned().collect();
        let sheet = lab.read_text(self.base.text, Path::new(self.base.file), &set)?;
        Ok(lab::Row { name: format!("{} {:?}", self.base.name, self.sets), set, sheet })
    }

    /// The objective of each seed.
    pub fn value(&self) -> Value {
        let run = self.clone();
        Value::by(move |runs| runs.each(&run, |of| of.reading.value.unwrap_or(f64::NAN)))
    }

    /// 0 if a run lacks the metric.
    pub fn metric(&self, name: &'static str) -> Value {
        let run = self.clone();
        let of = move |of: &lab::SeedRun| of.reading.metrics.get(name).copied().unwrap_or(0.0);
        Value::by(move |runs| runs.each(&run, of))
    }
}

pub(super) fn owned(sets: &[(&str, &str)]) -> Vec<Set> {
    sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

/// A number per seed. All runs of a seed draw the same random numbers, so ratios and differences
/// are paired.
#[derive(Clone)]
pub struct Value(Rc<Evaluate>);

type Evaluate = dyn Fn(&Runs<'_>) -> Vec<f64>;

impl Value {
    pub fn by(of: impl Fn(&Runs<'_>) -> Vec<f64> + 'static) -> Value {
        Value(Rc::new(of))
    }

    pub fn exactly(number: f64) -> Value {
        Value::by(move |_| vec![number])
    }

    /// Combines several values, seed by seed.
    pub fn each<const N: usize>(
        values: [Value; N],
        of: impl Fn([f64; N]) -> f64 + 'static,
    ) -> Value {
        Value::by(move |runs| {
            let all = values.each_ref().map(|value| value.of(runs));
            let seeds = all.iter().map(Vec::len).min().unwrap_or(0);
            (0..seeds).map(|seed| of(all.each_ref().map(|one| one[seed]))).collect()
        })
    }

    pub fn of(&self, runs: &Runs<'_>) -> Vec<f64> {
        (self.0)(runs)
    }

    pub fn stat(&self, runs: &Runs<'_>) -> Stat {
        stat(&self.of(runs))
    }

    pub fn cell(&self, runs: &Runs<'_>) -> Shown {
        self.clone().named("").cell(runs)
    }

    /// The value of the same runs with these settings.
    pub fn with(&self, sets: &[(&str, &str)]) -> Value {
        let (value, sets) = (self.clone(), owned(sets));
        Value::by(move |runs| value.of(&runs.under(&sets, u32::MAX)))
    }

    /// Mean of several values, seed by seed.
    pub fn mean(values: Vec<Value>) -> Value {
        Value::by(move |runs| {
            let all: Vec<Vec<f64>> = values.iter().map(|value| value.of(runs)).collect();
            let seeds = all.iter().map(Vec::len).min().unwrap_or(0);
            let of = |seed: usize| all.iter().map(|one| one[seed]).sum::<f64>() / all.len() as f64;
            (0..seeds).map(of).collect()
        })
    }

    /// 1 − `self` / `other`.
    pub fn less_than(self, other: Value) -> Value {
        Value::each([self, other], |[ours, theirs]| 1.0 - ours / theirs)
    }

    pub fn named(self, key: &'static str) -> Figure {
        self.at(key, "")
    }

    /// One of several figures with this key; `place` names it.
    pub fn at(self, key: &'static str, place: impl ToString) -> Figure {
        let (place, scale) = (place.to_string(), (1.0, 1.0));
        Figure { key, place, value: self, scale, band: None, limits: None }
    }
}

impl Div for Value {
    type Output = Value;

    fn div(self, under: Value) -> Value {
        Value::each([self, under], |[over, under]| over / under)
    }
}

impl Sub for Value {
    type Output = Value;

    fn sub(self, less: Value) -> Value {
        Value::each([self, less], |[from, less]| from - less)
    }
}

/// A number of a claim. With a band, the paper makes its statement here; otherwise only the reason
/// uses it.
#[derive(Clone)]
pub struct Figure {
    pub(super) key: &'static str,
    pub(super) place: String,
    pub(super) value: Value,
    /// Factor and divisor of the value.
    pub(super) scale: (f64, f64),
    pub(super) band: Option<Band>,
    pub(super) limits: Option<Band>,
}

impl Figure {
    /// The value is shown against these limits; they decide nothing.
    pub fn shown_in(self, limits: Band) -> Figure {
        Figure { limits: Some(limits), ..self }
    }

    /// The band's limits are in percent, too.
    pub fn percent(self) -> Figure {
        Figure { scale: (100.0, 1.0), ..self }
    }

    /// The band is for the quotient.
    pub fn per(self, number: f64) -> Figure {
        Figure { scale: (1.0, number), ..self }
    }

    pub(super) fn scaled(&self, values: &[f64]) -> Stat {
        let Stat { mean, ci95, min, max } = stat(values);
        let (times, over) = self.scale;
        let [mean, ci95, min, max] = [mean, ci95, min, max].map(|number| number * times / over);
        Stat { mean, ci95, min, max }
    }

    pub fn cell(&self, runs: &Runs<'_>) -> Shown {
        let Stat { mean, ci95, .. } = self.scaled(&self.value.of(runs));
        Shown::mean(mean, ci95)
    }

    pub fn is(self, band: Band) -> Figure {
        Figure { band: Some(band), ..self }
    }

    pub fn above(self, low: f64) -> Figure {
        self.is(Band::above(low))
    }

    pub fn below(self, high: f64) -> Figure {
        self.is(Band::below(high))
    }

    pub fn within(self, low: f64, high: f64) -> Figure {
        self.is(Band::new(low, high))
    }

    pub fn near(self, value: f64, part: f64) -> Figure {
        self.is(Band::near(value, part))
    }
}

/// Finished runs by their settings.
pub struct Runs<'r> {
    store: &'r Store,
    /// Settings over those of each run.
    over: Vec<Set>,
    seeds: u32,
    /// Looks at a claim, which together err in 5 %; `None`: means decide, without intervals.
    looks: Option<usize>,
}

impl Runs<'_> {
    /// The estimate with the interval that decides at this look.
    pub(super) fn at_this_look(&self, of: &Stat, values: usize) -> Stat {
        let factor = self.looks.map_or(0.0, |looks| jointly(values, looks));
        Stat { ci95: of.ci95 * factor, ..*of }
    }

    /// The same runs with these settings, and at most `most` seeds.
    pub(super) fn under(&self, sets: &[Set], most: u32) -> Runs<'_> {
        let over = self.over.iter().chain(sets).cloned().collect();
        // With a fixed number of seeds there is one look.
        let looks = if most == u32::MAX { self.looks } else { Some(1) };
        Runs { store: self.store, over, seeds: self.seeds.min(most), looks }
    }

    /// Means decide, without their intervals.
    pub(super) fn by_means(self) -> Self {
        Runs { looks: None, ..self }
    }

    /// Reads a value from each seed of a run. A missing run is recorded and yields 1 for each seed;
    /// the caller discards the result.
    fn each(&self, run: &Run, of: impl Fn(&lab::SeedRun) -> f64) -> Vec<f64> {
        let count = usize_of(self.store.count(&self.resolved(run)).into());
        match self.find(run) {
            Some(made) => made.runs.runs[..count].iter().map(of).collect(),
            None => vec![1.0; count],
        }
    }

    /// The run with the settings and seeds of this view.
    fn resolved(&self, run: &Run) -> Run {
        let mut run = run.clone().seeds(run.seeds.min(self.seeds));
        self.over.iter().for_each(|(key, value)| run.set(key, value));
        run
    }

    /// Joined points, each with its 95 % interval.
    pub fn line(
        &self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, Value)>,
    ) -> Points {
        let point = |(x, value): (f64, Value)| {
            let Stat { mean, ci95, .. } = value.stat(self);
            let (low, high) = (Some(mean - ci95), Some(mean + ci95));
            Point { x, y: mean, low, high, name: String::new() }
        };
        let points = points.into_iter().map(point).collect();
        Points { name: name.into(), origin: Origin::Ours, kind: None, joined: true, points }
    }

    pub fn sheet(&self, run: &Run) -> Option<&Sheet> {
        self.find(run).map(|made| &made.sheet)
    }

    fn find(&self, run: &Run) -> Option<&FinishedRun> {
        let run = self.resolved(run);
        let count = usize_of(self.store.count(&run).into());
        let made = self.store.finished.get(&run.key());
        let made = made.filter(|made| made.runs.runs.len() >= count);
        if made.is_none() {
            self.store.misses.set(self.store.misses.get() + 1);
            let mut wanted = self.store.missing.borrow_mut();
            let same = |known: &&mut Run| (known.base, &known.sets) == (run.base, &run.sets);
            match wanted.iter_mut().find(same) {
                Some(known) => known.seeds = known.seeds.max(run.seeds),
                None => wanted.push(run),
            }
        }
        made
    }

    /// The result of `of`, unless it read a missing run.
    pub(super) fn whole<T>(&self, of: impl FnOnce() -> T) -> Option<T> {
        let before = self.store.misses.get();
        let made = of();
        (self.store.misses.get() == before).then_some(made)
    }
}

/// A run with seeds 1 to `seeds`; after an interruption some are missing.
struct FinishedRun {
    sheet: Sheet,
    seeds: u32,
    runs: RowRuns,
}

/// All finished runs of a paper.
pub(super) struct Store {
    lab: Lab,
    what: &'static str,
    needs: &'static [&'static str],
    finished: BTreeMap<(BaseScenario, Vec<Set>), FinishedRun>,
    missing: RefCell<Vec<Run>>,
    misses: Cell<usize>,
    seeds: Seeds,
    /// The user's settings.
    over: Vec<Set>,
}

impl Store {
    /// `what` labels the progress bar. Each run must have the metrics in `needs`.
    pub(super) fn of(
        lab: Lab,
        what: &'static str,
        needs: &'static [&'static str],
        request: &ReproduceRequest<'_>,
    ) -> Store {
        let (finished, missing, misses) = Default::default();
        let (seeds, over) = (request.seeds, request.sets.to_vec());
        Store { lab, what, needs, finished, missing, misses, seeds, over }
    }

    /// Runs with at most `seeds` seeds.
    pub(super) fn runs(&self, seeds: u32) -> Runs<'_> {
        Runs { store: self, over: Vec::new(), seeds, looks: Some(self.seeds.looks()) }
    }

    fn count(&self, run: &Run) -> u32 {
        self.seeds.most.min(run.seeds)
    }

    /// Seeds of a run that exist.
    fn made(&self, run: &Run) -> u32 {
        self.finished.get(&run.key()).map_or(0, |made| made.seeds)
    }

    /// Runs that were read but are missing, most seeds first.
    pub(super) fn take_missing(&self) -> Vec<Run> {
        let mut wanted = self.missing.take();
        wanted.sort_by_key(|run| (std::cmp::Reverse(run.seeds), self.made(run)));
        wanted
    }

    pub(super) fn rows(&self, wanted: &[Run]) -> Result<Vec<lab::Row>, Failure> {
        wanted.iter().map(|run| run.row(&self.lab, &self.over)).collect()
    }

    /// Makes the seeds that the runs lack. After an interruption, finished runs remain.
    pub(super) fn make(&mut self, wanted: &[Run]) -> Result<(), Failure> {
        let of = |run: &Run| (self.made(run), self.count(run));
        let groups: Vec<_> =
            wanted.chunk_by(|a, b| of(a) == of(b)).map(|g| (of(&g[0]), g)).collect();
        for ((made, count), group) in groups {
            let rows = self.rows(group)?;
            let seeds: Vec<u64> = (u64::from(made) + 1..=u64::from(count)).collect();
            let done = self.lab.run(&rows, &seeds, false, self.what)?;
            let lacks = |row: &&RowRuns, name: &str| row.metric(name).is_none();
            for name in self.needs {
                if let Some(row) = done.rows.iter().find(|row| lacks(row, name)) {
                    let row = &row.name;
                    let why = format!("{row}: a run has no {name}; it did not end");
                    return Err(Failure::Failed(why));
                }
            }
            for ((run, row), runs) in group.iter().zip(rows).zip(done.rows) {
                self.add(run, count, row.sheet, runs)
            }
            interrupt::check()?
        }
        Ok(())
    }

    fn add(&mut self, run: &Run, seeds: u32, sheet: Sheet, runs: RowRuns) {
        match self.finished.get_mut(&run.key()) {
            Some(made) => {
                made.runs.runs.extend(runs.runs);
                made.seeds = seeds
            }
            None => {
                self.finished.insert(run.key(), FinishedRun { sheet, seeds, runs });
            }
        }
    }

    /// The largest number of seeds, and the runs with it; some may be incomplete.
    pub(super) fn most(&self) -> (u32, Vec<RowRuns>) {
        let most = self.finished.values().map(|made| made.seeds).max().unwrap_or(0);
        let made = self.finished.values().filter(|made| made.seeds == most);
        (most, made.map(|made| made.runs.clone()).collect())
    }
}
