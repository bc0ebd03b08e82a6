//! Whether one point is better than another one, or only looks so: seed by seed.
use super::bench::over;
use super::choose::{A_LITTLE, Judge};
use super::goals::Limit;
use super::space::Space;
use crate::lab::SeedRun;
use analysis::advice::paired;
use analysis::stat::{SAME, further};
use analysis::{Stat, stat};

/// What needs a restart has to gain this part at least.
const RESTART_GAIN: f64 = 0.10;

impl<S: Space> Judge<'_, '_, S> {
    /// What `to` needs more than `from` in the seeds that both have, those that chose nothing
    /// included, and what parts are counted of: what settings can change of `from`'s. `None` if one
    /// never ends, or they have no seed in common.
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

    /// What settings can change of so much.
    pub(super) fn part_of(&self, need: f64) -> f64 {
        let fixed = self.bench.space.fixed(&self.bench.runs(self.bench.now()));
        (need.abs() - fixed).max(0.0)
    }

    /// Whether a point gains such a part over another one, and by more than chance; whatever ends,
    /// where the other one does not.
    pub fn gains(&self, point: &S::Point, than: &S::Point, least: f64) -> bool {
        match self.paired(than, point) {
            Some((by, of)) => -by.mean >= least * of && -by.mean > by.ci95,
            None => self.ends(point) && !self.ends(than),
        }
    }

    /// Whether a point needs no more than another one, on the mean of the seeds that both have.
    pub(super) fn needs_no_more(&self, point: &S::Point, than: &S::Point) -> bool {
        self.paired(than, point).is_some_and(|(by, _)| by.mean <= 0.0)
    }

    /// By 5 % and by more than chance.
    pub fn is_faster(&self, point: &S::Point, than: &S::Point) -> bool {
        self.gains(point, than, SAME)
    }

    /// Whether a point is worth what it asks for more than another one does: it gains 5 %, and
    /// 10 % where more has to be restarted for it.
    pub fn is_worth(&self, point: &S::Point, than: &S::Point) -> bool {
        self.gains(point, than, self.least(point, than))
    }

    fn least(&self, point: &S::Point, than: &S::Point) -> f64 {
        let (here, there) = (self.effort(point), self.effort(than));
        if here.restarts > there.restarts { RESTART_GAIN } else { SAME }
    }

    /// Needs 5 % more than the best at most; or 10 %, if chance may be the reason, or if the best
    /// asks for more restarts.
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

    /// Whether the seeds that chose nothing say that a point gains less than a change is worth, or,
    /// together with the others, no more than chance. What is gentler and slower was not chosen for
    /// its speed.
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

    /// Seed by seed, less of what a limit is about, beyond the interval of the difference; of one
    /// seed by more than one may be off.
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

    /// More of it by 10 % at most, and by no more than chance.
    pub fn is_as_gentle(&self, point: &S::Point, least: &S::Point, limit: &Limit) -> bool {
        let wait = |p| self.bench.metric(p, &limit.measure).map_or(f64::INFINITY, |s| s.mean);
        wait(point) <= wait(least) * (1.0 + 2.0 * SAME) && !self.is_gentler(least, point, limit)
    }

    /// By how much a metric of one seed may be off: as further seeds of the present settings;
    /// `None` where these have but one.
    pub(super) fn one_seed(&self, name: &str) -> Option<f64> {
        let of = |run: &SeedRun| run.reading.metrics.get(name).copied();
        let all: Vec<f64> = self.bench.runs(self.bench.now()).into_iter().filter_map(of).collect();
        further(&all)
    }

    /// What is held against a limit: the upper end of a metric's interval, over the seeds that
    /// chose nothing where there are any; `None` where that is not known.
    pub fn upper(&self, point: &S::Point, name: &str) -> Option<f64> {
        let runs = match self.bench.is_fresh(point) {
            true => self.bench.fresh_runs(point),
            false => self.bench.runs(point),
        };
        let of = over(&runs, name)?;
        Some(of.mean + if runs.len() == 1 { self.one_seed(name)? } else { of.ci95 })
    }
}

/// The first runs, as many as both have.
fn common(mut runs: Vec<&SeedRun>, counts: [usize; 2]) -> Vec<&SeedRun> {
    runs.truncate(counts[0].min(counts[1]));
    runs
}
