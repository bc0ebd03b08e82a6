//! Changes that `run` and `compare` try on their own, and from how many seeds.
//!
//! ```text
//!  the scenario's variants: all seeds, as in a comparison ─────────┐
//!  others, cheap:           all seeds ─────────────────────────────┼─► the best two together
//!  others, expensive:       one seed for as many as the budget     │
//!                           allows ─► all seeds for the best few ──┘
//! ```
//! The budget counts events, not seconds: every machine tries the same.
pub use super::candidates::TestedVariants;
use super::candidates::{Advice, Candidate, bought};
use super::price::Price;
use super::tries::{Tries, named};
use crate::failure::Failure;
use crate::interrupt;
use crate::lab::{Lab, Row, RowRuns};
use crate::vary::Set;
use analysis::advice::Effect;
use cluster::Sheet;
use trace::Better;

/// Event budget of all tries, with the present scenario.
const EVENTS: u64 = 6_000_000;
/// Fewest seeds for advice.
const LEAST: usize = 5;
/// Most seeds, for short runs: more seeds resolve smaller gains.
const MOST: usize = 20;
/// Long runs: variants that one seed screens in any case.
const SCREENED: usize = 10;
/// Long runs: screened variants that run with all seeds, plus the best purchase per piece.
const KEPT: usize = 3;

/// With fewer affordable runs than this, nothing is tried.
const ROOM: usize = 2;

/// Multiple of [`EVENTS`] for the few variants that run with all seeds.
const FEW: usize = 4;

pub struct Search<'s> {
    lab: &'s Lab,
    base: &'s Sheet,
    tries: Tries,
    /// Runs within the budget.
    affordable: usize,
    /// Settings of variants that are not tried because a run is too long.
    left: Vec<Vec<Set>>,
}

impl<'s> Search<'s> {
    /// `asked` are variants of the command, not tried again; `events` is the number of one run.
    pub fn of(
        (lab, base): (&'s Lab, &'s Sheet),
        now: &RowRuns,
        asked: &[Row],
        events: u64,
    ) -> Search<'s> {
        let is_near = !lab.is_far(base, &now.runs);
        let tries = match is_near {
            true => Tries::of(lab, base, &now.runs, asked),
            false => Tries::default(),
        };
        let affordable = units::usize_of(EVENTS / events.max(1));
        let (tries, left) = match affordable < ROOM {
            true => (Tries::default(), tries),
            false => (tries, Tries::default()),
        };
        let left = left.own.into_iter().chain(left.listed).map(|row| row.set).collect();
        Search { lab, base, tries, affordable, left }
    }

    pub fn is_empty(&self) -> bool {
        self.tries.own.is_empty() && self.tries.listed.is_empty()
    }

    /// Number of seeds: that of a comparison, within the budget.
    pub fn seeds(&self) -> usize {
        let compared = units::usize_of(self.base.count("run.seeds"));
        let room = FEW * self.affordable / (self.tries.own.len() + KEPT + 3);
        compared.min(room).clamp(LEAST, MOST)
    }

    /// Whether every listed variant can run with this many seeds.
    fn has_room(&self, seeds: usize) -> bool {
        self.tries.listed.len() * seeds <= self.affordable.max(KEPT * LEAST)
    }

    /// Uses the seeds of `now`.
    pub fn run(
        mut self,
        now: &RowRuns,
        asked: &[RowRuns],
        prices: &[Price],
    ) -> Result<TestedVariants, Failure> {
        let seeds: Vec<u64> = now.runs.iter().map(|run| run.seed).collect();
        // One seed has no confidence interval.
        if self.is_empty() || seeds.len() < 2 {
            return Ok(TestedVariants { left: self.left, ..TestedVariants::default() });
        }
        let mut tested = TestedVariants::default();
        if !self.has_room(seeds.len()) {
            let many = (self.affordable / 2).max(SCREENED).min(self.tries.listed.len());
            let left = self.tries.listed.split_off(many);
            tested.left = left.into_iter().map(|row| row.set).collect();
            tested.rows = self.screen(now, seeds[0], &mut tested.failed)?
        }
        let Tries { own, listed } = &mut self.tries;
        own.append(listed);
        let best =
            self.all(&self.tries.own, &seeds, "changes of the bottleneck", &mut tested.failed)?;
        tested.rows.splice(0..0, best);
        let pair = self.together(now, asked, &tested.rows, prices);
        let pair = self.all(pair.as_slice(), &seeds, "changes together", &mut tested.failed)?;
        tested.rows.extend(pair);
        Ok(tested)
    }

    /// A failing variant is left out, since the user did not ask for it; the others count.
    fn all(
        &self,
        rows: &[Row],
        seeds: &[u64],
        what: &'static str,
        failed: &mut Vec<(String, String)>,
    ) -> Result<Vec<RowRuns>, Failure> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let run = |rows: &[Row]| {
            let done = self.lab.run(rows, seeds, false, what)?.rows;
            interrupt::check().map(|()| done)
        };
        let mut done = Vec::new();
        match run(rows) {
            Err(Failure::BadInput(_) | Failure::Failed(_)) => {}
            all => return all,
        }
        for row in rows {
            match run(std::slice::from_ref(row)) {
                Err(Failure::BadInput(why) | Failure::Failed(why)) => {
                    failed.push((row.name.clone(), why))
                }
                one => done.extend(one?),
            }
        }
        Ok(done)
    }

    /// Runs all with one seed. The best stay in `tries` for all seeds, the others are returned.
    fn screen(
        &mut self,
        now: &RowRuns,
        seed: u64,
        failed: &mut Vec<(String, String)>,
    ) -> Result<Vec<RowRuns>, Failure> {
        let mut done = self.all(&self.tries.listed, &[seed], "listed changes, one seed", failed)?;
        let sign = match now.runs[0].reading.objective.better {
            Better::Less => 1.0,
            Better::More => -1.0,
        };
        let needs = |row: &RowRuns| {
            let value = row.runs.first().and_then(|run| run.reading.value);
            value.map_or(f64::INFINITY, |value| sign * value)
        };
        let pieces = |at: &usize| bought(self.base, &done[*at].set);
        let (mut bought, mut order): (Vec<usize>, Vec<usize>) =
            (0..done.len()).partition(|at| pieces(at) > 0.0);
        order.sort_by(|a, b| needs(&done[*a]).total_cmp(&needs(&done[*b])));
        order.truncate(KEPT);
        // A larger purchase gains more, so purchases are compared per piece.
        let of_each = |at: &usize| (needs(&done[*at]) - needs(now)) / pieces(at);
        bought.sort_by(|a, b| of_each(a).total_cmp(&of_each(b)));
        order.extend(bought.first());
        let best: Vec<Vec<Set>> = order.into_iter().map(|place| done[place].set.clone()).collect();
        self.tries.listed.retain(|row| best.contains(&row.set));
        done.retain(|row| !best.contains(&row.set));
        Ok(done)
    }

    /// The best change with the next best gain on other keys. Neither buys hardware.
    fn together(
        &self,
        now: &RowRuns,
        asked: &[RowRuns],
        tried: &[RowRuns],
        prices: &[Price],
    ) -> Option<Row> {
        let advice = Advice::of(self.base, now, (asked, tried), prices);
        let is_free = |one: &&Candidate| bought(self.base, &one.figures.set) == 0.0;
        let first = advice.followed().filter(is_free)?;
        let gain = |one: &Candidate| one.against().map_or(0.0, |by| by.mean.abs());
        let next = (advice.candidates.iter())
            .filter(|one| one.effect == Effect::Gains && one.is_followable())
            .filter(|one| first.goes_with(one))
            .filter(is_free)
            .max_by(|a, b| gain(a).total_cmp(&gain(b)))?;
        let more = next.figures.set.iter().filter(|set| !first.figures.set.contains(set));
        let set: Vec<Set> = first.figures.set.iter().chain(more).cloned().collect();
        let known = |one: &Candidate| set.iter().all(|set| one.figures.set.contains(set));
        if advice.candidates.iter().any(known) {
            return None;
        }
        let sheet = self.lab.with(self.base, &set).ok()?;
        Some(Row { name: named(self.base, &set), set, sheet })
    }
}
