//! Whether one point is better than another beyond chance, compared seed by seed.
use super::bench::over;
use super::choose::{A_LITTLE, Judge};
use super::goals::Limit;
use super::space::Space;
use crate::lab::SeedRun;
use analysis::advice::paired;
use analysis::stat::{SAME, further};
use analysis::{Stat, stat};

/// Smallest relative gain of a change that needs a restart.
const RESTART_GAIN: f64 = 0.10;

impl<S: Space> Judge<'_, '_, S> {
    /// The difference `to` − `from` over common seeds, including fresh ones, and the changeable
    /// part of `from` as its base. `None` if a run does not end, or without common seeds.
    fn paired(&self, from: &S::Point, to: &S::Point) -> Option<(Stat, f64)> {
        let of = |point| -> Option<Vec<f64>> {
            let fresh = [from, to].iter().all(|point| self.bench.is_fresh(point));
            let runs = common(self.bench.runs(point), [from, to].map(|p| self.bench.runs(p).len()));
            let more = if fresh { self.bench.fresh_runs(point) } else { Vec::new() };
            runs.into_iter().chain(more).map(|run| self.bench.need(run)).collect()
        };
        let (before, after) = (of(from)?, of(to)?);
        if before.is_empty() || after.is_empty() {
            return None;
        }
        Some((paired(&before, &after), self.part_of(stat(&before).mean)))
    }

    /// The part of `need` that settings can change.
    pub(super) fn part_of(&self, need: f64) -> f64 {
        let fixed = self.bench.space.fixed(&self.bench.runs(self.bench.now()));
        (need.abs() - fixed).max(0.0)
    }

    /// Whether `point` gains at least the fraction `least` over `than`, beyond chance; or ends
    /// while `than` does not.
    pub fn gains(&self, point: &S::Point, than: &S::Point, least: f64) -> bool {
        match self.paired(than, point) {
            Some((by, of)) => -by.mean >= least * of && -by.mean > by.ci95,
            None => self.ends(point) && !self.ends(than),
        }
    }

    /// Compares means over common seeds.
    pub(super) fn needs_no_more(&self, point: &S::Point, than: &S::Point) -> bool {
        self.paired(than, point).is_some_and(|(by, _)| by.mean <= 0.0)
    }

    /// At least 5 % faster, beyond chance.
    pub fn is_faster(&self, point: &S::Point, than: &S::Point) -> bool {
        self.gains(point, than, SAME)
    }

    /// Whether `point` gains enough over `than`: 5 %, or 10 % if it needs more restarts.
    pub fn is_worth(&self, point: &S::Point, than: &S::Point) -> bool {
        self.gains(point, than, self.least(point, than))
    }

    fn least(&self, point: &S::Point, than: &S::Point) -> f64 {
        let (here, there) = (self.effort(point), self.effort(than));
        if here.restarts > there.restarts { RESTART_GAIN } else { SAME }
    }

    /// Needs at most 5 % more than the best; or 10 %, if within chance or if the best needs more
    /// restarts for no sufficient gain.
    pub fn is_as_good(&self, point: &S::Point, best: &S::Point) -> bool {
        if !self.ends(best) {
            return true;
        }
        let Some((by, of)) = self.paired(best, point) else { return false };
        let part = by.mean / of.max(f64::MIN_POSITIVE);
        let fewer = self.effort(point).restarts < self.effort(best).restarts;
        let chance = by.mean <= by.ci95;
        part <= SAME || (part <= 2.0 * SAME && (chance || (fewer && !self.is_worth(best, point))))
    }

    /// Whether fresh seeds show a gain too small for a change, or, together with the others, within
    /// chance. With a guard never: speed was not the reason to choose the point.
    pub fn is_refuted(&self, point: &S::Point) -> bool {
        let now = self.bench.now();
        let fresh = self.bench.is_fresh(point) && self.bench.is_fresh(now);
        if point == now || !fresh || self.goals.guard().is_some() {
            return false;
        }
        let need = |p| -> Option<Vec<f64>> {
            self.bench.fresh_runs(p).into_iter().map(|run| self.bench.need(run)).collect()
        };
        let (Some(before), Some(after)) = (need(now), need(point)) else {
            return need(point).is_none();
        };
        let least = if self.goals.deadline().is_some() { A_LITTLE } else { SAME };
        let gain = stat(&before).mean - stat(&after).mean;
        gain < least * self.part_of(stat(&before).mean) || !self.gains(point, now, 0.0)
    }

    /// Less of the limited metric, beyond the paired interval; for one seed, beyond the spread of
    /// single seeds.
    pub fn is_gentler(&self, point: &S::Point, than: &S::Point, limit: &Limit) -> bool {
        let all = |p| -> Option<Vec<f64>> {
            let of = |run: &SeedRun| run.reading.metrics.get(&limit.measure).copied();
            self.bench.runs(p).into_iter().map(of).collect()
        };
        let (Some(here), Some(there)) = (all(point), all(than)) else { return false };
        let differences: Vec<f64> = here.iter().zip(&there).map(|(h, t)| h - t).collect();
        match differences.as_slice() {
            [] => false,
            [one] => self.one_seed(&limit.measure).is_some_and(|off| one + off < 0.0),
            all => {
                let by = stat(all);
                by.mean + by.ci95 < 0.0
            }
        }
    }

    /// At most 10 % more of the limited metric, or within chance of it.
    pub fn is_as_gentle(&self, point: &S::Point, least: &S::Point, limit: &Limit) -> bool {
        let wait = |p| self.bench.metric(p, &limit.measure).map_or(f64::INFINITY, |s| s.mean);
        wait(point) <= wait(least) * (1.0 + 2.0 * SAME) && !self.is_gentler(least, point, limit)
    }

    /// Half width of the range of one seed, from seeds of the present settings; `None` if these
    /// have only one.
    pub(super) fn one_seed(&self, name: &str) -> Option<f64> {
        let of = |run: &SeedRun| run.reading.metrics.get(name).copied();
        let all: Vec<f64> = self.bench.runs(self.bench.now()).into_iter().filter_map(of).collect();
        further(&all)
    }

    /// Upper end of a metric's interval, over fresh seeds if there are any; `None` if unknown.
    pub fn upper(&self, point: &S::Point, name: &str) -> Option<f64> {
        let runs = match self.bench.is_fresh(point) {
            true => self.bench.fresh_runs(point),
            false => self.bench.runs(point),
        };
        let of = over(&runs, name)?;
        Some(of.mean + if runs.len() == 1 { self.one_seed(name)? } else { of.ci95 })
    }
}

/// The first runs, up to the smaller count.
fn common(mut runs: Vec<&SeedRun>, counts: [usize; 2]) -> Vec<&SeedRun> {
    runs.truncate(counts[0].min(counts[1]));
    runs
}
