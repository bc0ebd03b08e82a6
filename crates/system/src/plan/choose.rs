//! Selects the answer among the points that ran.
use super::bench::Bench;
use super::goals::{Goals, Limit};
use super::space::{Effort, Space};
use crate::advice::{harms, too_dear};
use analysis::stat::SAME;

/// The knee: least effort for this fraction of the best gain.
pub(super) const KNEE: f64 = 0.8;

const HALF: f64 = 0.5;

/// Smallest gain that is worth a change for a deadline, if no gain of 5 % keeps it.
pub(super) const A_LITTLE: f64 = 0.01;

/// Fewest seeds that distinguish a gain from chance.
const SEVERAL: usize = 2;

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

    /// Selects among points that ran with at least `seeds` seeds and can be set today (`ready`) or
    /// not.
    ///
    /// - With a deadline: the least effort that keeps all limits.
    /// - Without: the knee of the points that keep the limits, or the fastest if requested.
    /// - If no point keeps the guard: the fastest of the gentlest points, or the present settings
    ///   if no point is gentler beyond chance.
    ///
    /// After Ctrl-C points with fewer seeds count, too. With one seed of the present settings no
    /// limit is known to be kept.
    pub fn choose(&self, seeds: usize, ready: bool) -> S::Point {
        self.by_rules(&self.known(seeds, ready))
    }

    pub fn so_far(&self) -> S::Point {
        self.by_rules(&self.complete(1, true))
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

    /// Points that ran with at least `seeds` seeds, end, and harm no other metric unacceptably.
    pub fn complete(&self, seeds: usize, ready: bool) -> Vec<&'b S::Point> {
        let bench = self.bench;
        let is_kind = |p: &&S::Point| bench.space.is_ready(p) == ready;
        let all = bench.points().filter(is_kind).filter(|p| bench.runs(p).len() >= seeds);
        let harmless = |p: &&S::Point| self.harms_nothing(p) && !self.is_too_dear(p);
        all.filter(|p| self.ends(p) && !self.is_refuted(p)).filter(harmless).collect()
    }

    /// Compares over common seeds.
    fn harms_nothing(&self, point: &S::Point) -> bool {
        let Some(name) = self.bench.space.never_more() else { return true };
        let both = [point, self.bench.now()];
        let common = both.map(|p| self.bench.runs(p).len()).into_iter().min().unwrap_or(0);
        let [then, now] =
            both.map(|p| self.bench.metric_of(p, name, common).map_or(0.0, |s| s.mean));
        then <= now
    }

    /// Whether another metric becomes worse by more than the objective gains, over the common seeds
    /// of the point and the present settings.
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

    /// [`whole`](Self::whole); with any number of seeds after Ctrl-C, or if the time limit left no
    /// point except the present settings.
    fn known(&self, seeds: usize, ready: bool) -> Vec<&'b S::Point> {
        let all = self.complete(seeds, ready);
        let alone = ready && all.iter().all(|p| *p == self.bench.now());
        match self.bench.is_stopped() || (self.bench.budget.is_late() && alone) {
            true => self.complete(1, ready),
            false => all,
        }
    }

    /// Whether every run has the objective.
    pub fn ends(&self, point: &S::Point) -> bool {
        self.bench.value(point).is_some()
    }

    pub fn effort(&self, point: &S::Point) -> Effort {
        self.bench.space.effort(point)
    }

    /// Whether the upper end of the metric's interval is within the limit. For one seed, see
    /// [`upper`](Self::upper).
    pub fn keeps(&self, point: &S::Point, limit: &Limit) -> bool {
        self.upper(point, &limit.metric).is_some_and(|upper| upper <= limit.most)
    }

    /// Whether the point keeps the deadline; without a deadline, whether it ends.
    pub fn is_in_time(&self, point: &S::Point) -> bool {
        self.goals.deadline().map_or(self.ends(point), |limit| self.keeps(point, limit))
    }

    /// Whether the point keeps the guard, if there is one.
    pub fn is_gentle(&self, point: &S::Point) -> bool {
        self.goals.guard().is_none_or(|limit| self.keeps(point, limit))
    }

    pub fn meets(&self, point: &S::Point) -> bool {
        self.is_in_time(point) && self.is_gentle(point)
    }

    /// Whether a research point is worth reporting: faster than the present settings, or, if these
    /// miss a limit, it keeps the limits or is gentler.
    pub fn helps(&self, point: &S::Point) -> bool {
        let now = self.bench.now();
        let gentler = |limit: &Limit| self.is_gentler(point, now, limit);
        let meets = || self.meets(point) || self.goals.guard().is_some_and(gentler);
        self.bench.mean(point) < self.bench.mean(now) || (!self.meets(now) && meets())
    }

    /// Whether no limit can be judged yet: one seed of the present settings does not show the
    /// spread.
    pub fn is_open(&self) -> bool {
        !self.goals.limits.is_empty() && self.bench.runs(self.bench.now()).len() < SEVERAL
    }

    /// For undecided limits: the present settings, and points that are faster and have no higher
    /// mean of the guarded metric.
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

    /// The least effort that keeps all limits and is faster than the present settings by 5 %. A
    /// smaller gain may miss the deadline by chance. If there is none, the fastest point with a
    /// gain of `A_LITTLE`.
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

    /// The least effort among points as good as the best (or at the knee) without a needless
    /// change. If each has one, the least effort with its needless changes removed.
    fn fast(&self, among: &[&'b S::Point]) -> S::Point {
        let now = self.bench.now();
        let Some(best) = self.fastest_of(among) else { return now.clone() };
        let at_knee = |p: &S::Point| self.is_worth(p, now) && self.gains_of(p, best, KNEE);
        // If the deadline is missed, the knee misses it by more.
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

    /// Whether the gain over the present settings is at least `part` of the gain of `best`.
    pub(super) fn gains_of(&self, point: &S::Point, best: &S::Point, part: f64) -> bool {
        let (bench, now) = (self.bench, self.bench.mean(self.bench.now()));
        now.is_finite() && now - bench.mean(point) >= part * (now - bench.mean(best))
    }

    /// The least effort for half of the best gain, if less than that of the recommended point.
    pub fn half(&self, best: &S::Point, recommended: &S::Point) -> Option<S::Point> {
        let now = self.bench.now();
        let all = self.complete(self.bench.runs(now).len(), true);
        let effort = self.effort(recommended);
        let of = |p: &&S::Point| {
            self.effort(p).order(&effort).is_lt()
                && self.gains_of(p, best, HALF)
                && self.is_worth(p, now)
        };
        let steps: Vec<&S::Point> = all.into_iter().filter(of).collect();
        (!steps.is_empty()).then(|| self.nearest(&steps))
    }

    /// Points that keep all limits; if none, those that keep the guard, which has priority over the
    /// deadline; if none, all. Then only those that gain.
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

    /// If the present settings are in `among`: points worth a change. Otherwise, if they miss the
    /// guard: points gentler beyond chance, if any.
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

    /// Drops points whose gain is below the width of their interval, if others gain more than
    /// theirs.
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

    /// The best of the points as gentle as the gentlest, among those gentler than the present
    /// settings beyond chance; else the present settings.
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

    /// Removes changes without a gain, as long as neither the current nor the first point is worth
    /// more. Also switches to a point with less effort that needs no more.
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

    /// Least effort (see [`Effort::order`]), then best.
    pub fn nearest(&self, points: &[&S::Point]) -> S::Point {
        let order = |a: &&&S::Point, b: &&&S::Point| {
            let by_effort = self.effort(a).order(&self.effort(b));
            by_effort.then(self.bench.mean(a).total_cmp(&self.bench.mean(b)))
        };
        points.iter().min_by(order).map_or_else(|| self.bench.now().clone(), |p| (*p).clone())
    }

    /// The point without one of its changes each, where no run shows that the change gains.
    pub fn unproven(&self, point: &S::Point) -> Vec<S::Point> {
        let all = self.bench.space.without(point).into_iter();
        all.filter(|fewer| !self.change_gains(point, fewer)).collect()
    }

    /// The point without a change that gains nothing, if both ran with as many seeds.
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

    /// The Pareto front of the objective and the traded metric, fastest first. Without a trade:
    /// least effort first, each point better than all before.
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
        let all = self.complete(seeds, true);
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
