//! Which of the points that were run is the answer.
use super::bench::Bench;
use super::goals::{Goals, Limit};
use super::space::{Effort, Space};
use crate::advice::{harms, too_dear};
use analysis::stat::SAME;

/// The knee: the nearest settings that gain this part of what the best do.
pub(super) const KNEE: f64 = 0.8;

const HALF: f64 = 0.5;

/// A gain that is worth a change for a deadline that nothing keeps with more.
pub(super) const A_LITTLE: f64 = 0.01;

/// Seeds that tell a gain from chance at least.
const SEVERAL: usize = 2;

/// What was run, held against what is asked for.
pub struct Judge<'b, 's, S: Space> {
    pub bench: &'b Bench<'s, S>,
    pub goals: &'b Goals,
}

impl<S: Space> Clone for Judge<'_, '_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Space> Copy for Judge<'_, '_, S> {}

impl<'b, 's, S: Space> Judge<'b, 's, S> {
    pub fn new(bench: &'b Bench<'s, S>, goals: &'b Goals) -> Judge<'b, 's, S> {
        Judge { bench, goals }
    }

    /// The answer among the points that can be set today (or, not `ready`, among those that
    /// cannot) and were run from so many seeds. With a deadline the nearest to now that keeps all
    /// limits; without one the knee of those that keep them, or the best where that was asked for.
    /// Where none keeps a guard, the best of those that are as gentle as the gentlest, or now where
    /// nothing is gentler beyond chance. After Ctrl-C the same rules hold for what has any seeds;
    /// of one seed of the present settings no limit is known to be kept.
    pub fn choose(&self, seeds: usize, ready: bool) -> S::Point {
        self.by_rules(&self.known(seeds, ready))
    }

    /// The best answer so far, on the way: by the same rules.
    pub fn so_far(&self) -> S::Point {
        self.by_rules(&self.whole(1, true))
    }

    fn by_rules(&self, all: &[&'b S::Point]) -> S::Point {
        if self.is_open() {
            let goals = self.goals.fastest();
            let fastest = Judge { bench: self.bench, goals: &goals };
            return fastest.by_rules(&self.better(all));
        }
        if self.goals.deadline().is_some()
            && let Some(point) = self.in_time(all)
        {
            return point;
        }
        match self.goals.guard() {
            Some(guard) if !all.iter().any(|p| self.keeps(p, guard)) => self.gentlest(all, guard),
            _ => self.fast(&self.eligible(all)),
        }
    }

    /// Points of a kind that were run from so many seeds at least, end, and have no more than now
    /// of what nothing is worth.
    pub fn whole(&self, seeds: usize, ready: bool) -> Vec<&'b S::Point> {
        let bench = self.bench;
        let is_kind = |p: &&S::Point| bench.space.is_ready(p) == ready;
        let all = bench.points().filter(is_kind).filter(|p| bench.runs(p).len() >= seeds);
        let harmless = |p: &&S::Point| self.harms_nothing(p) && !self.is_too_dear(p);
        all.filter(|p| self.ends(p) && !self.is_refuted(p)).filter(harmless).collect()
    }

    /// In the seeds that it and now have.
    fn harms_nothing(&self, point: &S::Point) -> bool {
        let Some(name) = self.bench.space.never_more() else { return true };
        let both = [point, self.bench.now()];
        let common = both.map(|p| self.bench.runs(p).len()).into_iter().min().unwrap_or(0);
        let [then, now] =
            both.map(|p| self.bench.metric_of(p, name, common).map_or(0.0, |s| s.mean));
        then <= now
    }

    /// Whether another measure becomes worse by more than the objective is worth, in the seeds that
    /// it and now have.
    fn is_too_dear(&self, point: &S::Point) -> bool {
        let (bench, now) = (self.bench, self.bench.now());
        let many = bench.runs(point).len().min(bench.runs(now).len());
        let of = |point: &S::Point, name: &str| -> Option<Vec<f64>> {
            let runs = bench.runs(point).into_iter().take(many);
            runs.map(|run| run.reading.metrics.get(name).copied()).collect()
        };
        let harms = harms(&|name| of(now, name), &|name| of(point, name), bench.space.prices());
        let need = |point| bench.need_of(point, many);
        let gain = (need(now) - need(point)) / need(now).abs().max(f64::MIN_POSITIVE);
        too_dear(&harms, gain).is_some()
    }

    /// The same; after Ctrl-C, and where the clock left no other point than now all of its seeds,
    /// from however many.
    fn known(&self, seeds: usize, ready: bool) -> Vec<&'b S::Point> {
        let all = self.whole(seeds, ready);
        let alone = ready && all.iter().all(|p| *p == self.bench.now());
        match self.bench.stopped() || (self.bench.budget.was_late() && alone) {
            true => self.whole(1, ready),
            false => all,
        }
    }

    /// Whether every run of a point has the objective.
    pub fn ends(&self, point: &S::Point) -> bool {
        self.bench.value(point).is_some()
    }

    pub fn effort(&self, point: &S::Point) -> Effort {
        self.bench.space.effort(point)
    }

    /// Whether a limit is kept: the upper end of the metric's interval is within it; of one seed,
    /// what further ones may add.
    pub fn keeps(&self, point: &S::Point, limit: &Limit) -> bool {
        self.upper(point, &limit.metric).is_some_and(|upper| upper <= limit.most)
    }

    /// Whether a point ends in time, if there is a deadline; else whether it ends.
    pub fn is_in_time(&self, point: &S::Point) -> bool {
        self.goals.deadline().map_or(self.ends(point), |limit| self.keeps(point, limit))
    }

    /// Whether it keeps the guard, if there is one.
    pub fn is_gentle(&self, point: &S::Point) -> bool {
        self.goals.guard().is_none_or(|limit| self.keeps(point, limit))
    }

    pub fn meets(&self, point: &S::Point) -> bool {
        self.is_in_time(point) && self.is_gentle(point)
    }

    /// Whether what nobody can set is worth a line beside the answer: better than the present
    /// settings; or, where these miss a limit, what keeps it or is gentler than they are.
    pub fn helps(&self, point: &S::Point) -> bool {
        let now = self.bench.now();
        let gentler = |limit: &Limit| self.is_gentler(point, now, limit);
        let meets = || self.meets(point) || self.goals.guard().is_some_and(gentler);
        self.bench.mean(point) < self.bench.mean(now) || (!self.meets(now) && meets())
    }

    /// Whether nothing can be held against them yet: one seed of the present settings does not tell
    /// how far off one may be.
    pub fn is_open(&self) -> bool {
        !self.goals.limits.is_empty() && self.bench.runs(self.bench.now()).len() < SEVERAL
    }

    /// Where it is not known what keeps the limits: what is better on the face of it, faster than
    /// the present settings, and no harder on what is guarded.
    fn better(&self, all: &[&'b S::Point]) -> Vec<&'b S::Point> {
        let now = self.bench.now();
        let slow = |p: &S::Point, limit: &Limit| {
            self.bench.metric(p, &limit.metric).map_or(f64::INFINITY, |s| s.mean)
        };
        let guard = self.goals.guard();
        let spares = |p: &S::Point| guard.is_none_or(|limit| slow(p, limit) <= slow(now, limit));
        let is = |p: &&&S::Point| **p == now || (self.is_worth(p, now) && spares(p));
        all.iter().filter(is).copied().collect()
    }

    /// The nearest that keeps all limits and is clearly faster than now: what is at the edge of a
    /// deadline now, and would be behind it by chance, is not worth a change. If none is, the
    /// fastest of those that gain a little.
    pub fn in_time(&self, all: &[&'b S::Point]) -> Option<S::Point> {
        let now = self.bench.now();
        let met: Vec<&S::Point> = all.iter().copied().filter(|p| self.meets(p)).collect();
        if self.is_in_time(now) {
            return (!met.is_empty()).then(|| self.nearest(&met));
        }
        let by = |least: f64| -> Vec<&'b S::Point> {
            all.iter().copied().filter(|p| self.meets(p) && self.gains(p, now, least)).collect()
        };
        let clear = by(SAME);
        match clear.is_empty() {
            true => self.fastest_of(&by(A_LITTLE)).cloned(),
            false => Some(self.with_fewer(self.nearest(&clear), &clear)),
        }
    }

    /// The nearest of those as good as the best (or at the knee), each of whose changes gains
    /// something, as far as it was run without it; where there is none such, the nearest without
    /// what gains nothing.
    fn fast(&self, among: &[&'b S::Point]) -> S::Point {
        let now = self.bench.now();
        let Some(best) = self.fastest_of(among) else { return now.clone() };
        let at_knee = |p: &S::Point| self.is_worth(p, now) && self.gains_of(p, best, KNEE);
        // Where a deadline is missed, the knee misses it by more.
        let knee = !self.goals.fastest && self.goals.deadline().is_none();
        let is_enough = |p: &&S::Point| self.is_as_good(p, best) || (knee && at_knee(p));
        let mut good: Vec<&S::Point> = among.iter().copied().filter(is_enough).collect();
        let mut point = self.with_fewer(self.nearest(&good), among);
        if self.needless(&point).is_none() {
            return point;
        }
        good.retain(|p| self.needless(p).is_none());
        if !good.is_empty() {
            return self.nearest(&good);
        }
        while let Some(fewer) = self.needless(&point).filter(|p| among.contains(&p)) {
            point = fewer
        }
        point
    }

    /// Whether a point gains this part of what another one gains over now.
    pub(super) fn gains_of(&self, point: &S::Point, best: &S::Point, part: f64) -> bool {
        let (bench, now) = (self.bench, self.bench.mean(self.bench.now()));
        now.is_finite() && now - bench.mean(point) >= part * (now - bench.mean(best))
    }

    /// The nearest settings that gain half of what the best do, if they ask for less than those
    /// that are recommended.
    pub fn half(&self, best: &S::Point, recommended: &S::Point) -> Option<S::Point> {
        let now = self.bench.now();
        let all = self.whole(self.bench.runs(now).len(), true);
        let effort = self.effort(recommended);
        let of = |p: &&S::Point| {
            self.effort(p).order(&effort).is_lt()
                && self.gains_of(p, best, HALF)
                && self.is_worth(p, now)
        };
        let steps: Vec<&S::Point> = all.into_iter().filter(of).collect();
        (!steps.is_empty()).then(|| self.nearest(&steps))
    }

    /// Of points those that keep all limits; else those that keep the guard, for where each can be
    /// kept, but not both, the guard comes first; else all. Of these those that gain something.
    fn eligible(&self, all: &[&'b S::Point]) -> Vec<&'b S::Point> {
        let of = |is: &dyn Fn(&S::Point) -> bool| -> Vec<&'b S::Point> {
            all.iter().copied().filter(|p| is(p)).collect()
        };
        let guard = self.goals.guard();
        let spares = |p: &S::Point| guard.is_some_and(|limit| self.keeps(p, limit));
        let kinds = [of(&|p| self.meets(p)), of(&spares), all.to_vec()];
        let among = kinds.into_iter().find(|of| !of.is_empty()).unwrap_or_default();
        self.gaining(self.surer(among))
    }

    /// Those that are faster than now, where now is among them; else, since there is a guard, those
    /// that are gentler, if any is beyond chance.
    fn gaining(&self, among: Vec<&'b S::Point>) -> Vec<&'b S::Point> {
        let now = self.bench.now();
        if among.contains(&now) {
            let better = |p: &&S::Point| *p == now || self.is_worth(p, now);
            return among.into_iter().filter(better).collect();
        }
        let Some(guard) = self.goals.guard().filter(|limit| !self.keeps(now, limit)) else {
            return among;
        };
        let gentler: Vec<&S::Point> =
            among.iter().copied().filter(|p| self.is_gentler(p, now, guard)).collect();
        if gentler.is_empty() { among } else { gentler }
    }

    /// Without those whose interval is wider than what they gain, where others gain more than
    /// theirs is wide.
    fn surer(&self, points: Vec<&'b S::Point>) -> Vec<&'b S::Point> {
        let now = self.bench.now();
        let of_now = self.bench.mean(now);
        if !of_now.is_finite() {
            return points;
        }
        let least = SAME * self.part_of(of_now);
        let sure = |p: &S::Point| {
            let gain = of_now - self.bench.mean(p);
            gain > least && self.bench.value(p).is_some_and(|s| gain >= s.ci95)
        };
        match points.iter().any(|p| sure(p)) {
            true => points.into_iter().filter(|p| *p == now || sure(p)).collect(),
            false => points,
        }
    }

    fn fastest_of(&self, points: &[&'b S::Point]) -> Option<&'b S::Point> {
        let mean = |p: &&&S::Point| self.bench.mean(p);
        points.iter().min_by(|a, b| mean(a).total_cmp(&mean(b))).copied()
    }

    /// Of those that are gentler than now by more than chance the best of those that are as gentle
    /// as the gentlest; now, where there is none.
    fn gentlest(&self, points: &[&'b S::Point], guard: &Limit) -> S::Point {
        let now = self.bench.now();
        let mut gentler: Vec<&S::Point> =
            points.iter().copied().filter(|p| self.is_gentler(p, now, guard)).collect();
        let slow =
            |p: &S::Point| self.bench.metric(p, &guard.metric).map_or(f64::INFINITY, |s| s.mean);
        let least = gentler.iter().copied().min_by(|a, b| slow(a).total_cmp(&slow(b)));
        let Some(least) = least else { return now.clone() };
        gentler.retain(|p| self.is_as_gentle(p, least, guard));
        self.fast(&gentler)
    }

    /// Without changes that gain nothing: one is taken back as long as neither what was before it
    /// nor what it began with is worth it; and what another point has that asks for less is taken
    /// from it.
    fn with_fewer(&self, chosen: S::Point, among: &[&'b S::Point]) -> S::Point {
        let (now, mut point) = (self.bench.now(), chosen.clone());
        let has_now = among.contains(&now);
        loop {
            let needless = |other: &S::Point| {
                !self.is_worth(&point, other)
                    && !self.is_worth(&chosen, other)
                    && (other == now || self.is_faster(other, now) || !has_now)
            };
            let fewer = self.bench.space.without(&point);
            let effort = self.effort(&point);
            let beats = |p: &S::Point| {
                let less = self.effort(p).is_less(&effort);
                less && self.needs_no_more(p, &point)
            };
            let is_better = |p: &&S::Point| (fewer.contains(p) && needless(p)) || beats(p);
            let better: Vec<&S::Point> = among.iter().copied().filter(is_better).collect();
            if better.is_empty() {
                return point;
            }
            point = self.nearest(&better)
        }
    }

    /// The nearest to now: fewest restarts, then least changed, then best.
    pub fn nearest(&self, points: &[&S::Point]) -> S::Point {
        let order = |a: &&&S::Point, b: &&&S::Point| {
            let by_effort = self.effort(a).order(&self.effort(b));
            by_effort.then(self.bench.mean(a).total_cmp(&self.bench.mean(b)))
        };
        points.iter().min_by(order).map_or_else(|| self.bench.now().clone(), |p| (*p).clone())
    }

    /// Points without one change each of a point, of which nothing shows that it gains anything.
    pub fn unproven(&self, point: &S::Point) -> Vec<S::Point> {
        let all = self.bench.space.without(point).into_iter();
        all.filter(|fewer| !self.change_gains(point, fewer)).collect()
    }

    /// A change of a point that gains nothing, though it was run without it from as many seeds: the
    /// point without it.
    fn needless(&self, point: &S::Point) -> Option<S::Point> {
        let seeds = self.bench.runs(point).len();
        let all = self.bench.space.without(point).into_iter();
        let mut known = all.filter(|p| seeds >= SEVERAL && self.bench.runs(p).len() >= seeds);
        known.find(|fewer| !self.change_gains(point, fewer))
    }

    fn change_gains(&self, point: &S::Point, fewer: &S::Point) -> bool {
        if self.bench.is_hopeless(fewer) {
            return true;
        }
        let seeds = [point, fewer].map(|p| self.bench.runs(p).len()).into_iter().min();
        if seeds.unwrap_or(0) < SEVERAL {
            return false;
        }
        let asked = !self.goals.limits.is_empty();
        let meets = asked && self.meets(point) && !self.meets(fewer);
        let guard = self.goals.guard();
        let spares = guard.is_some_and(|limit| self.is_gentler(point, fewer, limit));
        meets || spares || self.is_worth(point, fewer)
    }

    /// Points than which no other is better in both: the objective, and what is traded for it; the
    /// fastest first. Without a trade: the nearest to now first, each better than all before it.
    pub fn front(&self, seeds: usize) -> Vec<&'b S::Point> {
        let bench = self.bench;
        let far = |p: &S::Point| bench.space.effort(p).distance;
        let trade = |p: &S::Point| match bench.space.trade() {
            Some(name) => bench.metric(p, name).map(|s| s.mean),
            None => Some(bench.mean(p)),
        };
        let first = |p: &S::Point| match bench.space.trade() {
            Some(_) => bench.mean(p),
            None => far(p),
        };
        let all = self.whole(seeds, true);
        let mut all: Vec<(&S::Point, f64, f64)> =
            all.into_iter().filter_map(|p| Some((p, first(p), trade(p)?))).collect();
        all.sort_by(|a, b| {
            let by = a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2));
            by.then(far(a.0).total_cmp(&far(b.0)))
        });
        let mut least = f64::INFINITY;
        all.retain(|(_, _, value)| {
            let is_less = *value < least;
            least = least.min(*value);
            is_less
        });
        all.into_iter().map(|(point, ..)| point).collect()
    }
}
