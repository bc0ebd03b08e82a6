//! What is tried of itself, and from how many seeds.
//!
//! ```text
//!  cheap: every try from all seeds ──────────────────────────┐
//!  dear:  as many as the budget has runs for, from one seed  ├─► the best two together
//!         ─► the best few of them from all seeds ────────────┘
//! ```
//! The budget is events, not seconds: the same is tried on every machine.
use super::price::Price;
use super::tries::{Tries, named};
use super::weigh::{Advice, Candidate};
use crate::failure::Failure;
use crate::lab::{Lab, Row, RowRuns};
use crate::vary::Set;
use crate::{interrupt, measured};
use analysis::advice::Fate;
use cluster::Sheet;
use trace::Better;

/// Events that what is tried may take, with the scenario as it stands.
const EVENTS: u64 = 6_000_000;
/// Seeds of what is tried, at least: advice rests on them.
const LEAST: usize = 5;
/// Seeds of a short run: the more seeds, the smaller the gain that is separated from chance.
const MOST: usize = 20;
/// Where a run is long, so many are tried from one seed in any case …
const SCREENED: usize = 10;
/// … and so many of them from all seeds.
const KEPT: usize = 3;
/// So many of the changes that gain are tried together, two at a time.
const TOGETHER: usize = 3;

/// What is tried of itself.
pub struct Search<'s> {
    lab: &'s Lab,
    base: &'s Sheet,
    rows: Vec<Row>,
    /// Runs that the budget has room for.
    affordable: usize,
}

/// What came of it.
#[derive(Default)]
pub struct Tested {
    /// Rows that the command did not name; some may have the first seed alone.
    pub rows: Vec<RowRuns>,
    /// What each row sets that was not tried at all.
    pub left: Vec<Vec<Set>>,
    /// Rows that the model refuses, or fails in: their names, and why.
    pub failed: Vec<(String, String)>,
}

impl<'s> Search<'s> {
    /// Beside runs of a scenario, each of about so many events; of `asked` none is tried again.
    pub fn of(
        (lab, base): (&'s Lab, &'s Sheet),
        now: &RowRuns,
        asked: &[Row],
        events: u64,
    ) -> Search<'s> {
        let is_near = !measured::is_far(lab, base, &now.runs);
        let rows = match lab.words().takes_advice() && is_near {
            true => Tries::of(lab, base, &now.runs, asked).rows,
            false => Vec::new(),
        };
        let affordable = units::usize_of(EVENTS / events.max(1));
        Search { lab, base, rows, affordable }
    }

    /// Whether there is nothing to try.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Seeds that tell: those of a comparison of this scenario where all can be tried from as many,
    /// else as many as the budget has room for.
    pub fn seeds(&self) -> usize {
        let compared = units::usize_of(self.base.count("run.seeds"));
        let room = self.affordable / (self.rows.len() + 1);
        compared.min(room).clamp(LEAST, MOST)
    }

    /// Whether each can be tried from so many seeds.
    fn has_room(&self, seeds: usize) -> bool {
        self.rows.len() * seeds <= self.affordable.max(KEPT * LEAST)
    }

    /// Tries them, from the seeds of the scenario as it stands.
    ///
    /// # Errors
    /// As [`Lab::run`]; interrupted.
    pub fn run(
        mut self,
        now: &RowRuns,
        asked: &[RowRuns],
        prices: &[Price],
    ) -> Result<Tested, Failure> {
        let seeds: Vec<u64> = now.runs.iter().map(|run| run.seed).collect();
        // One seed tells nothing.
        if self.rows.is_empty() || seeds.len() < 2 {
            return Ok(Tested::default());
        }
        let mut tested = Tested::default();
        if !self.has_room(seeds.len()) {
            let many = (self.affordable / 2).max(SCREENED).min(self.rows.len());
            let left = self.rows.split_off(many);
            tested.left = left.into_iter().map(|row| row.set).collect();
            tested.rows = self.screen(now, seeds[0], &mut tested.failed)?
        }
        let what = "what holds it up";
        let best = self.all(&self.rows, &seeds, what, &mut tested.failed)?;
        tested.rows.splice(0..0, best);
        let pairs = self.together(now, asked, &tested.rows, prices);
        let pairs = self.all(&pairs, &seeds, "changes together", &mut tested.failed)?;
        tested.rows.extend(pairs);
        Ok(tested)
    }

    /// Nobody asked for these rows: one that fails is left out, and the others tell what they tell.
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

    /// All from the first seed; the best stay to be run from all, the others are returned.
    fn screen(
        &mut self,
        now: &RowRuns,
        seed: u64,
        failed: &mut Vec<(String, String)>,
    ) -> Result<Vec<RowRuns>, Failure> {
        let mut done = self.all(&self.rows, &[seed], "what holds it up, one seed", failed)?;
        let sign = match now.runs[0].reading.objective.better {
            Better::Less => 1.0,
            Better::More => -1.0,
        };
        let needs = |row: &RowRuns| {
            let value = row.runs.first().and_then(|run| run.reading.value);
            value.map_or(f64::INFINITY, |value| sign * value)
        };
        let mut order: Vec<usize> = (0..done.len()).collect();
        order.sort_by(|a, b| needs(&done[*a]).total_cmp(&needs(&done[*b])));
        order.truncate(KEPT);
        let best: Vec<Vec<Set>> = order.into_iter().map(|place| done[place].set.clone()).collect();
        self.rows.retain(|row| best.contains(&row.set));
        done.retain(|row| !best.contains(&row.set));
        Ok(done)
    }

    /// The best change with each of the next that gain, where they are of different keys.
    fn together(
        &self,
        now: &RowRuns,
        asked: &[RowRuns],
        tried: &[RowRuns],
        prices: &[Price],
    ) -> Vec<Row> {
        let advice = Advice::of(self.base, now, (asked, tried), prices);
        let Some(first) = advice.followed() else { return Vec::new() };
        let mut next: Vec<&Candidate> = (advice.candidates.iter())
            .filter(|one| one.fate == Fate::Gains && one.is_followable())
            .filter(|one| first.goes_with(one))
            .collect();
        let gain = |one: &Candidate| one.against().map_or(0.0, |by| by.mean.abs());
        next.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
        let mut rows: Vec<Row> = Vec::new();
        for one in next {
            let more = one.figures.set.iter().filter(|set| !first.figures.set.contains(set));
            let set: Vec<Set> = first.figures.set.iter().chain(more).cloned().collect();
            let known = rows.iter().any(|row| one.changes.iter().any(|(set, _)| has(row, &set.0)));
            let Ok(sheet) = self.lab.with(self.base, &set) else { continue };
            if !known && rows.len() < TOGETHER {
                rows.push(Row { name: named(self.base, &set), set, sheet })
            }
        }
        rows
    }
}

/// Whether a row sets a key that the first of all does not.
fn has(row: &Row, key: &str) -> bool {
    row.set.iter().any(|(one, _)| one == key)
}
