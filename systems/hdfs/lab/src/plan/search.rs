//! The search: a coarse grid, then finer steps round the best, then all seeds for whatever may be
//! the answer.
use super::answer::Answer;
use super::choose::{self, choose, so_far};
use super::decide::decide;
use super::effort::Effort;
use super::finalists::{best_of, interleaved, limit, steps};
use super::gain::is_surely_worth;
use super::goals::Goals;
use super::grid;
use super::knob::Knob;
use super::lab::Lab;
use super::point::Point;
use super::refine;
use super::trade;
use crate::failure::Failure;
use std::collections::BTreeSet;

/// The same of a deadline: a first seed that misses it by so little may be unlucky.
const CLOSE: f64 = 1.1;

/// Points that are run from all seeds.
const FINALISTS: usize = 8;

/// Of these so many are in any case: the fastest alone would be the answer, however near the knee
/// is.
const SURE: usize = 4;

/// Points below the fastest that are, since they may be the knee.
const STEPS: usize = 4;

/// Plug-ins that are, the best of the first seed.
const PLUGINS: usize = 4;

/// Points that are held against a deadline at a time, the nearest first.
const WAVE: usize = 4;

/// How often the search looks at what holds the best up over all seeds.
const FREED: usize = 3;

/// How many answers, one after the other, are run without what they change: what gains nothing
/// makes way for the next.
const ANSWERS: usize = 12;

/// Rows that an answer has usually.
const TOLD: usize = 5;

/// Seeds that thin out the front before all seeds.
const FEW: usize = 3;

/// Parts of the budget after which a stage ends: the grid, the front of a few seeds, all seeds, the
/// plug-ins from one.
const GRID_PART: f64 = 0.35;
const FEW_PART: f64 = 0.5;
const SEEDS_PART: f64 = 0.75;
const PLUGINS_PART: f64 = 0.85;

/// Steps towards a goal for clients, and by what part the budget grows for them.
const ROUNDS: usize = 5;
const REFINED: f64 = 0.25;

/// What is asked for where only the fastest counts.
const FASTEST: Goals = Goals { within: None, slowdown: None, fastest: true };

/// A search on its way.
struct Search<'s, 'l> {
    lab: &'s mut Lab<'l>,
    goals: &'s Goals,
    seeds: &'s [u64],
    tell: &'s dyn Fn(&Lab<'_>, Option<&Point>),
}

/// Searches. After Ctrl-C the answer is the best so far; `None` if there is none yet.
///
/// # Errors
/// Bad input; a loss that nothing can repair; a failed run.
pub fn search(
    lab: &mut Lab<'_>,
    goals: &Goals,
    seeds: &[u64],
    tell: &dyn Fn(&Lab<'_>, Option<&Point>),
) -> Result<Option<Answer>, Failure> {
    let now = lab.now.clone();
    super::lost::refuse_to_empty(&lab.scenario(&now)?)?;
    let present = std::slice::from_ref(&now);
    lab.run(present, &seeds[..1], None)?;
    super::beside::refuse_too_many(lab)?;
    if lab.runs(&now).is_empty() {
        return Ok(None);
    }
    if super::lost::refuse(lab).is_err() {
        // Other seeds may draw another loss.
        lab.run(present, seeds, None)?;
        super::lost::refuse(lab)?
    }
    tell(lab, Some(&now));
    super::beside::refuse_too_few(lab, goals)?;
    let mut search = Search { lab, goals, seeds, tell };
    search.climb(&now)?;
    let seeds = search.seeds.len();
    search.explore(&now)?;
    search.keep_the_deadline()?;
    search.all_seeds()?;
    search.free_the_mean(&now)?;
    search.refine()?;
    search.settle(&now)?;
    let best = choose(search.lab, &FASTEST, seeds, settings_only);
    let settings = choose(search.lab, goals, seeds, settings_only);
    search.plugins(&now, &settings, &best)?;
    search.take_back(Point::needs_plugin)?;
    // What a plug-in was held against may be the answer itself.
    search.settle(&now)?;
    let answer = search.decide();
    search.tell_of(answer).map(Some)
}

/// Not a plug-in.
pub fn settings_only(point: &Point, now: &Point) -> bool {
    !point.needs_plugin(now)
}

impl Search<'_, '_> {
    /// Both limits together, the low ones first: what they reach bounds what the high ones, of
    /// which a run takes longest, are worth. Then it is known how many seeds there is time for, and
    /// the present settings get them.
    fn climb(&mut self, now: &Point) -> Result<(), Failure> {
        let all = grid::diagonal(now);
        for some in all.chunks(all.len().div_ceil(2)) {
            self.try_out(some, &self.seeds[..1])?
        }
        let part = SEEDS_PART - GRID_PART;
        let seeds = self.lab.budget.seeds(self.seeds.len(), WAVE, part, FEW);
        self.seeds = &self.seeds[..seeds.max(self.lab.runs(now).len())];
        self.lab.budget.keep(TOLD * self.seeds.len());
        self.lab.run(std::slice::from_ref(now), self.seeds, None)
    }

    /// The rest of the grid and what lies round its best, from the first seed.
    fn explore(&mut self, now: &Point) -> Result<(), Failure> {
        let first = &self.seeds[..1];
        let few = if self.lab.budget.is_pressed() { 0 } else { FEW };
        if self.goals.slowdown.is_some() {
            self.lab.budget.grow(REFINED);
            self.spare(now)?;
            self.keep_the_wish()?;
            self.refine()?
        }
        let pairs = grid::pairs(now);
        let whole = self.lab.budget.affords(&pairs, 1, GRID_PART, 0) == pairs.len();
        let best = self.best().unwrap_or(now.clone());
        match whole {
            true => self.try_out(&pairs, first)?,
            false => self.afford(grid::cross(now, &best), GRID_PART, few)?,
        }
        for least in [few, 0] {
            let Some(best) = self.best() else { break };
            let freed = [self.freed(now), self.freed(&best)].concat();
            self.afford([freed, grid::around(now, &best)].concat(), GRID_PART, least)?
        }
        let best = self.best().unwrap_or(now.clone());
        self.afford(grid::balanced(now, &best), FEW_PART, FEW)?;
        if self.lab.p99_before().is_some() {
            self.spare(now)?;
            let best = self.best().unwrap_or(now.clone());
            self.afford(grid::limited(now, &best), FEW_PART, 0)?
        }
        Ok(())
    }

    /// The gentlest of both limits, however slow they are, and what is gentler still; where that is
    /// what is asked for, however slow, too.
    fn spare(&mut self, now: &Point) -> Result<(), Failure> {
        let first = &self.seeds[..1];
        self.lab.run(&grid::ends(now), first, None)?;
        let mut gentler = grid::gentler(now);
        gentler.retain(|point| !self.lab.knows(point));
        let many = self.lab.budget.affords(&gentler, 1, FEW_PART, FEW);
        match self.goals.slowdown {
            Some(_) => self.lab.run(&gentler[..many], first, None),
            None => self.try_out(&gentler[..many], first),
        }
    }

    /// All seeds for what may spare clients as is asked, the soonest done first, until one does;
    /// or else for the gentlest; before there is a look at what is faster.
    fn keep_the_wish(&mut self) -> Result<(), Failure> {
        let few = &self.seeds[..FEW.min(self.seeds.len())];
        let mut maybe = trade::candidates(self.lab, &settings_only, 1, self.goals.slowdown);
        maybe.truncate(2 * FINALISTS);
        let many = self.lab.budget.affords(&maybe, few.len(), FEW_PART, 1);
        self.try_out(&maybe[..many], few)?;
        for _ in 0..ROUNDS {
            if self.lab.stopped() || self.spares() {
                break;
            }
            let of = few.len();
            let mut maybe = trade::candidates(self.lab, &settings_only, of, self.goals.slowdown);
            maybe.retain(|point| self.lab.runs(point).len() < self.seeds.len());
            maybe.truncate(WAVE);
            let many = self.lab.budget.affords(&maybe, self.seeds.len(), FEW_PART, 1);
            if many == 0 {
                break;
            }
            self.try_out(&maybe[..many], self.seeds)?
        }
        Ok(())
    }

    /// Whether anything that was run from all seeds spares clients as is asked.
    fn spares(&self) -> bool {
        let all = choose::whole(self.lab, self.seeds.len(), settings_only);
        all.iter().any(|p| self.goals.is_gentle(self.lab, p))
    }

    /// What holds the best up over all seeds may be nothing in the first one: other values of that
    /// setting get all seeds, with the best, with the present settings, and with what was fastest
    /// in the first seed.
    fn free_the_mean(&mut self, now: &Point) -> Result<(), Failure> {
        for _ in 0..FREED {
            let (seeds, first) = (self.seeds.len(), self.seeds[0]);
            if self.lab.stopped() {
                break;
            }
            let best = choose(self.lab, &FASTEST, seeds, settings_only);
            let holder = self.lab.holder(&best);
            let Some(knob) = holder.and_then(|held| Knob::of_holder(&held.holder)) else { break };
            let fast = best_of(self.lab, first, settings_only, FEW);
            let mut new: Vec<Point> = Vec::new();
            for base in [best, now.clone()].into_iter().chain(fast) {
                let freed = grid::freed(&base, knob).into_iter();
                new.extend(freed.filter(|p| !self.lab.knows(p) || self.lab.has_fewer(p, seeds)))
            }
            let mut seen = BTreeSet::new();
            new.retain(|point| seen.insert(point.clone()));
            match self.lab.budget.affords(&new, seeds, SEEDS_PART, 1) {
                0 => break,
                many => self.try_out(&new[..many], self.seeds)?,
            }
        }
        self.go_back()
    }

    /// From the first seed as many of a batch as there is time for, the first ones, `least` in any
    /// case.
    fn afford(&mut self, batch: Vec<Point>, part: f64, least: usize) -> Result<(), Failure> {
        let mut new: Vec<Point> = Vec::new();
        for point in batch {
            if !self.lab.knows(&point) && !new.contains(&point) {
                new.push(point)
            }
        }
        let many = self.lab.budget.affords(&new, 1, part, least);
        self.try_out(&new[..many], &self.seeds[..1])
    }

    fn best(&self) -> Option<Point> {
        let first = self.seeds[0];
        let time = |p: &&Point| self.lab.recovery_in(p, first).unwrap_or(f64::INFINITY);
        let all = self.lab.points().filter(|p| settings_only(p, &self.lab.now));
        all.filter(|p| time(p).is_finite()).min_by(|a, b| time(a).total_cmp(&time(b))).cloned()
    }

    fn freed(&self, point: &Point) -> Vec<Point> {
        let holder = self.lab.holder(point).and_then(|held| Knob::of_holder(&held.holder));
        holder.map_or(Vec::new(), |knob| grid::freed(point, knob))
    }

    /// Runs a batch; a point much slower than the best so far is not followed to its end.
    fn try_out(&mut self, batch: &[Point], seeds: &[u64]) -> Result<(), Failure> {
        if self.lab.stopped() {
            return Ok(());
        }
        // Seeds differ in when the loss is noticed, so a limit is one seed's.
        let limit = if seeds.len() == 1 { limit(self.lab, seeds[0]) } else { None };
        self.lab.run(batch, seeds, limit)?;
        (self.tell)(self.lab, Some(&so_far(self.lab, self.goals)));
        Ok(())
    }

    /// All seeds for the fastest; beside clients for all that may be on the front, too.
    fn all_seeds(&mut self) -> Result<(), Failure> {
        let first = self.seeds[0];
        let mut finalists = best_of(self.lab, first, settings_only, FINALISTS);
        if !self.goals.are_any() {
            // The fastest and the knee first: where there is time for few, for these.
            let knee = steps(self.lab, first, choose::KNEE, STEPS);
            let half = steps(self.lab, first, choose::HALF, STEPS / 2);
            finalists = interleaved(finalists, [knee, half].concat())
        }
        if self.lab.p99_before().is_some() {
            let goal = self.goals.slowdown;
            let ends = grid::ends(&self.lab.now);
            self.try_out(&ends, self.seeds)?;
            let few = &self.seeds[..FEW.min(self.seeds.len())];
            let maybe = trade::candidates(self.lab, &settings_only, 1, goal);
            let many = self.lab.budget.affords(&maybe, few.len(), FEW_PART, WAVE);
            self.try_out(&maybe[..many], few)?;
            let maybe = trade::candidates(self.lab, &settings_only, few.len(), goal);
            finalists = interleaved(finalists, maybe)
        }
        let each = self.seeds.len() - 1;
        let least = if self.goals.are_any() { 1 } else { SURE };
        let many = self.lab.budget.affords(&finalists, each, SEEDS_PART, least);
        self.try_out(&finalists[..many], self.seeds)
    }

    /// All seeds for the nearest that meet a deadline in the first, until one does in all; then
    /// back towards the present settings as far as it is met.
    fn keep_the_deadline(&mut self) -> Result<(), Failure> {
        let Some(within) = self.goals.within else { return Ok(()) };
        let (mut waiting, mut least) = (self.hopeful(within), 1);
        loop {
            // What is met bounds what is worth a look.
            if let Some(met) = self.met() {
                let far = Effort::of(self.lab, &met);
                waiting.retain(|p| Effort::of(self.lab, p).order(&far).is_lt())
            }
            if waiting.is_empty() || self.lab.stopped() {
                break;
            }
            let wave = WAVE.min(waiting.len());
            let each = self.seeds.len();
            match self.lab.budget.affords(&waiting[..wave], each, SEEDS_PART, least) {
                0 => break,
                many => {
                    let wave: Vec<Point> = waiting.drain(..many).collect();
                    self.try_out(&wave, self.seeds)?
                }
            }
            least = 0
        }
        self.go_back()
    }

    /// Of what meets a deadline, back towards the present settings as far as it is met.
    fn go_back(&mut self) -> Result<(), Failure> {
        if self.goals.within.is_none() {
            return Ok(());
        }
        for _ in 0..4 {
            let Some(met) = self.met() else { break };
            let back = grid::back(&self.lab.now, &met);
            let new: Vec<Point> =
                back.into_iter().filter(|p| self.lab.runs(p).len() < self.seeds.len()).collect();
            let many = self.lab.budget.affords(&new, self.seeds.len(), SEEDS_PART, 0);
            if many == 0 {
                break;
            }
            self.try_out(&new[..many], self.seeds)?
        }
        Ok(())
    }

    /// What meets a deadline in the first seed, or almost: the nearest first.
    fn hopeful(&self, within: f64) -> Vec<Point> {
        let (first, lab) = (self.seeds[0], &*self.lab);
        let near = |p: &&Point| {
            let time = lab.recovery_in(p, first);
            settings_only(p, &lab.now) && time.is_some_and(|s| s <= within * CLOSE)
        };
        let new = |p: &&Point| lab.runs(p).len() < self.seeds.len();
        let mut all: Vec<Point> = lab.points().filter(near).filter(new).cloned().collect();
        all.sort_by(|a, b| Effort::of(lab, a).order(&Effort::of(lab, b)));
        all
    }

    /// The nearest that meets all goals in all seeds.
    fn met(&self) -> Option<Point> {
        let all = choose::whole(self.lab, self.seeds.len(), settings_only);
        choose::in_time(self.lab, self.goals, &all)
    }

    /// Between what meets the goal for clients and what does not, until there is nothing between.
    fn refine(&mut self) -> Result<(), Failure> {
        if self.goals.slowdown.is_none() {
            return Ok(());
        }
        for _ in 0..ROUNDS {
            let seeds = self.seeds.len();
            let met = choose(self.lab, self.goals, seeds, settings_only);
            if self.lab.stopped() || !self.goals.are_met(self.lab, &met) {
                break;
            }
            let mut new = refine::points(self.lab, self.goals, &met);
            new.retain(|point| !self.lab.knows(point));
            match self.lab.budget.affords(&new, seeds, SEEDS_PART, 0) {
                0 => break,
                many => self.try_out(&new[..many], self.seeds)?,
            }
        }
        Ok(())
    }

    /// The answer by what was run so far.
    fn decide(&self) -> Answer {
        let (seeds, lab) = (self.seeds.len(), &*self.lab);
        let best = choose(lab, &FASTEST, seeds, settings_only);
        let settings = choose(lab, self.goals, seeds, settings_only);
        decide(lab, self.goals, seeds, settings, best)
    }

    /// What was chosen by some seeds looks better in them than it is: what is told of the answer is
    /// from others. Where it misses by these what is asked for, there is another choice.
    fn tell_of(&mut self, mut answer: Answer) -> Result<Answer, Failure> {
        for _ in 0..ANSWERS {
            let lab = &mut *self.lab;
            let mut new = answer.shown();
            new.retain(|p| !lab.is_told(p) && !lab.runs(p).is_empty());
            if new.is_empty() || lab.stopped() || lab.budget.is_over() {
                break;
            }
            let rest = lab.budget.of_the_rest(&new, self.seeds.len());
            let many = lab.seeds_told().unwrap_or(rest.max(2).min(self.seeds.len()));
            lab.run_to_tell(&new, self.seeds, many)?;
            answer = self.decide()
        }
        Ok(answer)
    }

    /// What would be the answer, without what gains nothing, and by no luck.
    fn settle(&mut self, now: &Point) -> Result<(), Failure> {
        self.take_back(settings_only)?;
        self.confirm(now)
    }

    /// Whatever changes something should gain by it: each change of what would be the answer is
    /// taken back, and a plug-in, from the first seed, and from all where that is not hopeless.
    fn take_back(&mut self, kind: fn(&Point, &Point) -> bool) -> Result<(), Failure> {
        for _ in 0..ANSWERS {
            let (seeds, lab) = (self.seeds.len(), &mut *self.lab);
            let answer = choose(lab, self.goals, seeds, kind);
            let mut new = grid::without(&lab.now, &answer);
            new.push(answer.with_policy(&lab.now.policy));
            new.retain(|p| !lab.knows(p) || lab.has_fewer(p, seeds));
            if new.is_empty() || lab.stopped() {
                break;
            }
            let dear = lab.has_clients() && !kind(&lab.now, &lab.now);
            let least = if dear { 1 } else { FEW };
            let alone = |p: &Point| !p.needs_plugin(&lab.now);
            let effort = |p: &Point| Effort::of(lab, p);
            new.sort_by(|a, b| {
                let by_kind = alone(b).cmp(&alone(a));
                by_kind.then_with(|| effort(a).order(&effort(b)))
            });
            let many = lab.budget.affords(&new, 1, PLUGINS_PART, least);
            self.try_out(&new[..many], &self.seeds[..1])?;
            new.retain(|point| !self.lab.runs(point).is_empty());
            let many = self.lab.budget.affords(&new, seeds - 1, PLUGINS_PART, least);
            if many == 0 {
                break;
            }
            self.try_out(&new[..many], self.seeds)?
        }
        Ok(())
    }

    /// The best of many is it by luck, too: as long as the answer may gain less than a change is
    /// worth, it and the present settings get as many seeds again, and what they say of it counts.
    fn confirm(&mut self, now: &Point) -> Result<(), Failure> {
        for _ in 0..FREED {
            let (seeds, lab) = (self.seeds.len(), &mut *self.lab);
            let answer = choose(lab, self.goals, seeds, settings_only);
            let sure = self.goals.are_any() || is_surely_worth(lab, &answer, now);
            if answer == *now || sure || lab.was_run_afresh(&answer) || lab.stopped() {
                break;
            }
            let both = [now.clone(), answer];
            match lab.budget.affords(&both, seeds, PLUGINS_PART, 0) {
                2 => lab.run_afresh(&both, self.seeds)?,
                _ => break,
            }
        }
        Ok(())
    }

    /// Policies: one seed for all, all seeds for the best of them.
    fn plugins(&mut self, now: &Point, chosen: &Point, best: &Point) -> Result<(), Failure> {
        let first = &self.seeds[..1];
        self.afford(grid::plugins(&[chosen, best, now]), PLUGINS_PART, FEW)?;
        let mut finalists = best_of(self.lab, first[0], Point::needs_plugin, PLUGINS);
        if self.lab.p99_before().is_some() {
            finalists.extend(trade::candidates(
                self.lab,
                &Point::needs_plugin,
                1,
                self.goals.slowdown,
            ))
        }
        // The best of them in any case: what one seed has seen is no answer.
        let many = self.lab.budget.affords(&finalists, self.seeds.len() - 1, 1.0, 1);
        self.try_out(&finalists[..many], self.seeds)
    }
}
