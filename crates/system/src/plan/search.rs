//! The search: successive halving, then neighbours of the answer, then fresh seeds.
use super::bench::Bench;
use super::choose::{Judge, KNEE};
use super::goals::Goals;
use super::space::Space;
use crate::failure::Failure;
use std::collections::BTreeSet;

/// One in this number of points gets more seeds.
const ETA: usize = 3;

/// Points that get more seeds in any case: the best, the knee, and those near a limit.
const SURE: usize = 6;

/// Seeds of the second stage.
const FEW: usize = 3;

/// Rounds of neighbours with the first seed.
const STEPS: usize = 2;

/// Points per round with all seeds: two of the best, and two that may be the knee.
const WAVE: usize = 4;

/// Most rounds of neighbours of the answer.
const ROUNDS: usize = 8;

/// Most answers that are checked with fresh seeds.
const ANSWERS: usize = 12;

/// Research points that get all seeds.
const RESEARCH: usize = 4;

/// Factors of the knee's gain, since few seeds are inaccurate.
const LUCK: [f64; 3] = [0.95, 1.0, 1.1];

/// Fractions of the budget spent at the end of each stage; the rest is for fresh seeds.
const COARSE_PART: f64 = 0.25;
const STEPS_PART: f64 = 0.33;
const FEW_PART: f64 = 0.42;
const ALL_PART: f64 = 0.52;
const ROUNDS_PART: f64 = 0.65;
const RESEARCH_PART: f64 = 0.72;

/// Receives the best point so far.
pub type PlanProgress<'t, S> = dyn Fn(&Bench<'_, S>, Option<&<S as Space>::Point>) + 't;

#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult<P> {
    /// The present settings if no change is worth it.
    pub answer: P,
    /// The best point regardless of effort.
    pub fastest: P,
    /// Without a limit: least effort for half of the best gain.
    pub half: Option<P>,
    /// The best research point, if it helps.
    pub research: Option<P>,
    pub seeds: usize,
}

impl<P: Clone + PartialEq> SearchResult<P> {
    /// Points with reported figures, without duplicates.
    fn reported<S: Space<Point = P>>(&self, bench: &Bench<'_, S>) -> Vec<P> {
        let mut all = vec![bench.now().clone(), self.answer.clone(), self.fastest.clone()];
        all.extend(self.half.iter().chain(&self.research).cloned());
        all.extend(self.research.iter().flat_map(|p| bench.space.without(p)).take(1));
        let mut each: Vec<P> = Vec::new();
        for point in all {
            if !each.contains(&point) {
                each.push(point)
            }
        }
        each
    }
}

struct Search<'b, 's, S: Space> {
    bench: &'b mut Bench<'s, S>,
    goals: &'b Goals,
    seeds: &'b [u64],
    progress: &'b PlanProgress<'b, S>,
}

/// After Ctrl-C returns the best so far; `None` if the present settings did not run once.
pub fn search<S: Space>(
    bench: &mut Bench<'_, S>,
    goals: &Goals,
    seeds: &[u64],
    progress: &PlanProgress<'_, S>,
) -> Result<Option<SearchResult<S::Point>>, Failure> {
    let now = bench.now().clone();
    bench.run(std::slice::from_ref(&now), &seeds[..1])?;
    if bench.runs(&now).is_empty() {
        return Ok(None);
    }
    progress(bench, Some(&now));
    let many = bench.budget.affords(seeds.len(), WAVE, ALL_PART, FEW);
    let seeds = &seeds[..many.max(1)];
    let mut search = Search { bench, goals, seeds, progress };
    search.coarse(&now)?;
    search.halve()?;
    search.settle()?;
    search.research()?;
    search.report().map(Some)
}

impl<S: Space> Search<'_, '_, S> {
    fn judge(&self) -> Judge<'_, '_, S> {
        Judge::new(self.bench, self.goals)
    }

    /// The grid and the neighbours of its best, with the first seed. Then all seeds for the present
    /// settings, which show the spread.
    fn coarse(&mut self, now: &S::Point) -> Result<(), Failure> {
        let coarse = self.bench.space.coarse();
        self.first_seed(coarse, COARSE_PART, FEW)?;
        for _ in 0..STEPS {
            let best = self.promising(&self.field(), 1, 2);
            let near = best.iter().flat_map(|p| self.near(p)).collect();
            self.first_seed(near, STEPS_PART, 0)?
        }
        if self.bench.is_stopped() {
            return Ok(());
        }
        self.bench.run(std::slice::from_ref(now), self.seeds)
    }

    /// A third of the field runs with a few seeds, a third of these with all.
    fn halve(&mut self) -> Result<(), Failure> {
        let mut field = self.field();
        let few = FEW.min(self.seeds.len());
        let steps = [(1, few, FEW_PART, SURE), (few, self.seeds.len(), ALL_PART, WAVE)];
        for (had, seeds, part, least) in steps {
            let keep = field.len().div_ceil(ETA).max(SURE);
            field = self.promising(&field, had, keep);
            let many = self.bench.budget.affords(field.len(), seeds - had, part, least);
            field.truncate(many);
            self.run(&field, seeds)?
        }
        Ok(())
    }

    /// Neighbours of the answer, and the answer without each of its changes, until no new point
    /// remains.
    fn settle(&mut self) -> Result<(), Failure> {
        for _ in 0..ROUNDS {
            let seeds = self.seeds.len();
            let answer = self.judge().choose(seeds, true);
            let best = self.fastest();
            let mut round = self.near(&answer);
            if best != answer {
                round.extend(self.near(&best))
            }
            // The bottleneck of the best may be absent in the first seed.
            let holder = self.bench.holder(&best);
            round.extend(self.bench.space.near(self.bench.now(), holder.as_deref()));
            self.first_seed(round.clone(), ROUNDS_PART, 0)?;
            let mut fewer = self.bench.space.without(&answer);
            fewer.extend(self.bench.space.without(&best));
            let mut known = BTreeSet::new();
            fewer.retain(|p| self.bench.space.is_ready(p) && known.insert(p.clone()));
            round.retain(|p| self.lacks(p, 1) && !fewer.contains(p));
            let mut next = fewer;
            next.retain(|p| self.lacks(p, 0));
            next.extend(self.promising(&round, 1, WAVE));
            let many = self.bench.budget.affords(next.len(), seeds, ROUNDS_PART, 0);
            if many == 0 || self.bench.is_stopped() {
                break;
            }
            self.run(&next[..many], seeds)?
        }
        Ok(())
    }

    /// Whether a point has at least `least` seeds, but not all.
    fn lacks(&self, point: &S::Point, least: usize) -> bool {
        let had = self.bench.runs(point).len();
        !self.bench.is_hopeless(point) && (least..self.seeds.len()).contains(&had)
    }

    /// Research points with the first seed; then the best of them, and their settings alone, with
    /// all.
    fn research(&mut self) -> Result<(), Failure> {
        let (answer, best) = (self.judge().choose(self.seeds.len(), true), self.fastest());
        let all = self.bench.space.research(&[answer, best, self.bench.now().clone()]);
        self.first_seed(all.clone(), RESEARCH_PART, 1)?;
        let mut next = self.promising(&all, 1, RESEARCH);
        let many = self.bench.budget.affords(next.len(), self.seeds.len(), RESEARCH_PART, 1);
        next.truncate(many);
        let alone: Vec<S::Point> =
            next.iter().flat_map(|p| self.bench.space.without(p).into_iter().take(1)).collect();
        next.extend(alone);
        self.run(&next, self.seeds.len())
    }

    /// The selection favours lucky points, so the reported figures come from fresh seeds. An answer
    /// without a gain, or beyond a limit, is replaced by the next.
    fn report(&mut self) -> Result<SearchResult<S::Point>, Failure> {
        for _ in 0..ANSWERS {
            let found = self.found();
            let mut new = found.reported(self.bench);
            new.retain(|p| !self.bench.is_fresh(p) && !self.bench.runs(p).is_empty());
            if new.is_empty() || self.bench.is_stopped() || self.bench.budget.is_over() {
                break;
            }
            let afforded = |bench: &mut Bench<'_, S>, seeds: usize| {
                bench.budget.affords(seeds, new.len(), 1.0, 2)
            };
            let many = match self.bench.fresh_seeds() {
                Some(many) => many,
                None => afforded(self.bench, self.seeds.len()),
            };
            self.bench.run_fresh(&new, self.seeds, many)?
        }
        Ok(self.found())
    }

    fn found(&self) -> SearchResult<S::Point> {
        let (judge, seeds) = (self.judge(), self.seeds.len());
        let (answer, fastest) = (judge.choose(seeds, true), self.fastest());
        let half = match self.goals.limits.is_empty() {
            true => judge.half(&fastest, &answer),
            false => None,
        };
        let research = judge.choose(seeds, false);
        let is_some = !self.bench.space.is_ready(&research) && judge.helps(&research);
        SearchResult { answer, fastest, half, research: is_some.then_some(research), seeds }
    }

    fn fastest(&self) -> S::Point {
        let goals = self.goals.fastest();
        Judge::new(self.bench, &goals).choose(self.seeds.len(), true)
    }

    /// Ready points that ran.
    fn field(&self) -> Vec<S::Point> {
        let ready = |p: &&S::Point| self.bench.space.is_ready(p);
        self.bench.points().filter(ready).cloned().collect()
    }

    fn near(&self, point: &S::Point) -> Vec<S::Point> {
        self.bench.space.near(point, self.bench.holder(point).as_deref())
    }

    /// Runs new points of a batch with the first seed: the first ones that the budget allows, at
    /// least `least`. Stops points much slower than the present settings, unless there is a guard.
    fn first_seed(&mut self, batch: Vec<S::Point>, part: f64, least: usize) -> Result<(), Failure> {
        let mut known = BTreeSet::new();
        let mut new = batch;
        new.retain(|p| !self.bench.has_run(p) && known.insert(p.clone()));
        let many = self.bench.budget.affords(new.len(), 1, part, least);
        if self.bench.is_stopped() || many == 0 {
            return Ok(());
        }
        let now = self.bench.runs(self.bench.now())[0];
        let limit = match self.goals.guard() {
            Some(_) => None,
            None => self.bench.space.hopeless(now),
        };
        self.bench.run_until(&new[..many], &self.seeds[..1], limit)?;
        self.show();
        Ok(())
    }

    fn run(&mut self, points: &[S::Point], seeds: usize) -> Result<(), Failure> {
        if self.bench.is_stopped() {
            return Ok(());
        }
        self.bench.run(points, &self.seeds[..seeds])?;
        self.show();
        Ok(())
    }

    fn show(&self) {
        (self.progress)(self.bench, Some(&self.judge().so_far()))
    }

    /// Selects points for more seeds, round-robin: near the limits, the best, near the knee, and on
    /// the front of a trade.
    fn promising(&self, field: &[S::Point], seeds: usize, keep: usize) -> Vec<S::Point> {
        let ended: Vec<&S::Point> =
            field.iter().filter(|p| self.bench.need_of(p, seeds).is_finite()).collect();
        let orders = [
            self.by_limits(&ended, seeds),
            self.by_need(&ended, seeds),
            self.by_knee(&ended, seeds),
            self.by_front(&ended, seeds),
        ];
        let mut orders = orders.map(Vec::into_iter);
        let mut all: Vec<S::Point> = Vec::new();
        while orders.iter().any(|order| order.len() > 0) {
            let next: Vec<&S::Point> = orders.iter_mut().filter_map(Iterator::next).collect();
            for point in next {
                if !all.contains(point) {
                    all.push(point.clone())
                }
            }
        }
        all.truncate(keep);
        all
    }

    fn by_need<'p>(&self, field: &[&'p S::Point], seeds: usize) -> Vec<&'p S::Point> {
        let far = |p: &S::Point| self.bench.space.effort(p).distance;
        let mut all = field.to_vec();
        let need = |p: &S::Point| self.bench.need_of(p, seeds);
        all.sort_by(|a, b| need(a).total_cmp(&need(b)).then(far(a).total_cmp(&far(b))));
        all
    }

    /// Points that probably keep all limits first: with a guard by objective, with a deadline only
    /// by effort. Then by how much they miss.
    fn by_limits<'p>(&self, field: &[&'p S::Point], seeds: usize) -> Vec<&'p S::Point> {
        if self.goals.limits.is_empty() {
            return Vec::new();
        }
        let misses = |p: &S::Point| -> f64 {
            let of = |limit: &super::goals::Limit| {
                let found = self.bench.metric_of(p, &limit.metric, seeds);
                let off = self.judge().one_seed(&limit.metric).unwrap_or(0.1 * limit.most.abs());
                let off = off / (seeds as f64).sqrt();
                found.map_or(f64::INFINITY, |s| (s.mean - limit.most - off).max(0.0))
            };
            self.goals.limits.iter().map(of).sum()
        };
        let guarded = self.goals.guard().is_some();
        let mut all: Vec<(f64, &S::Point)> = field.iter().map(|p| (misses(p), *p)).collect();
        all.sort_by(|(a, p), (b, q)| {
            let by = match guarded {
                true => self.bench.need_of(p, seeds).total_cmp(&self.bench.need_of(q, seeds)),
                false => self.judge().effort(p).order(&self.judge().effort(q)),
            };
            a.total_cmp(b).then(by)
        });
        all.into_iter().map(|(_, point)| point).collect()
    }

    /// Least effort for the gain of the knee, for slightly less and for slightly more. One of each
    /// comes first, since other seeds move the bound.
    fn by_knee<'p>(&self, field: &[&'p S::Point], seeds: usize) -> Vec<&'p S::Point> {
        if !self.goals.limits.is_empty() || self.goals.fastest {
            return Vec::new();
        }
        let need = |p: &S::Point| self.bench.need_of(p, seeds);
        let best = field.iter().map(|p| need(p)).fold(f64::INFINITY, f64::min);
        let now = need(self.bench.now());
        let mut all = field.to_vec();
        all.retain(|p| *p != self.bench.now());
        all.sort_by(|a, b| self.judge().effort(a).order(&self.judge().effort(b)));
        let enough = |p: &&S::Point, luck: f64| now - need(p) >= KNEE * luck * (now - best);
        let of_each = LUCK.iter().filter_map(|luck| all.iter().find(|p| enough(p, *luck)));
        let rest = all.iter().filter(|p| enough(p, LUCK[0]));
        of_each.chain(rest).copied().collect()
    }

    /// The Pareto front of the objective and the traded metric.
    fn by_front<'p>(&self, field: &[&'p S::Point], seeds: usize) -> Vec<&'p S::Point> {
        let Some(trade) = self.bench.space.trade() else { return Vec::new() };
        let mut least = f64::INFINITY;
        let mut all = self.by_need(field, seeds);
        all.retain(|p| {
            let of = self.bench.metric_of(p, trade, seeds).map_or(f64::INFINITY, |s| s.mean);
            let is_less = of < least;
            least = least.min(of);
            is_less
        });
        // Alternates from both ends of the front.
        let (mut front, mut turned) = (std::collections::VecDeque::from(all), Vec::new());
        while let Some(point) = front.pop_back() {
            turned.push(point);
            turned.extend(front.pop_front())
        }
        turned
    }
}
