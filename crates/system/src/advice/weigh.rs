//! Which of the rows is worth following.
use super::price::{Price, Shift, boons, harms};
use crate::figures::{Against, Figures, figures};
use crate::lab::RowRuns;
use crate::vary::Set;
use analysis::advice::{self, Fate, Size};
use cluster::Sheet;
use cluster::keys::Change;
use trace::Better;

/// A row that might be followed.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// Its numbers, against the scenario as it stands.
    pub figures: Figures,
    /// What it sets otherwise than the scenario, and what each takes.
    pub changes: Vec<(Set, Change)>,
    /// Other measures that become worse.
    pub harms: Vec<Shift>,
    /// Other measures that become better.
    pub boons: Vec<Shift>,
    /// Whether somebody asked for it, or what holds the run up did.
    pub asked: bool,
    /// What it does.
    pub fate: Fate,
    /// It cannot be told from the one that is followed.
    pub ties: bool,
}

impl Candidate {
    /// Whether it can be done here.
    pub fn is_possible(&self) -> bool {
        !self.changes.is_empty() && self.changes.iter().all(|(_, change)| change.is_possible())
    }

    /// Whether it needs code that nobody has.
    pub fn is_research(&self) -> bool {
        self.changes.iter().any(|(_, change)| *change == Change::Research)
    }

    /// Whether it breaks what nothing is worth.
    pub fn breaks(&self) -> Option<&Shift> {
        self.harms.iter().find(|harm| harm.price.never)
    }

    /// The difference to the scenario as it stands.
    pub fn against(&self) -> Option<Against> {
        self.figures.against
    }

    fn tried(&self, sheet: &Sheet, sign: f64) -> advice::Tried {
        let far = |(set, _): &(Set, Change)| sheet.distance(&set.0, &set.1);
        let needs = &self.figures.per_seed;
        advice::Tried {
            needs: (!needs.is_empty()).then(|| needs.iter().map(|value| sign * value).collect()),
            allowed: self.is_possible() && self.breaks().is_none(),
            size: Size {
                harms: self.harms.len(),
                keys: self.changes.len(),
                far: self.changes.iter().map(far).sum(),
            },
        }
    }
}

/// What there is to say of all rows.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Advice {
    /// The scenario as it stands, over the seeds of what was tried.
    pub now: Option<Figures>,
    /// The seeds, first and last.
    pub seeds: Option<(u64, u64)>,
    /// All that was run beside it.
    pub candidates: Vec<Candidate>,
    /// The place of the one to follow.
    pub follow: Option<usize>,
}

impl Advice {
    /// Of the scenario as it stands, and of what was run beside it from the same seeds: rows that
    /// were asked for, then those that were tried of themselves.
    pub fn of(
        sheet: &Sheet,
        now: &RowRuns,
        (asked, tried): (&[RowRuns], &[RowRuns]),
        prices: &[Price],
    ) -> Advice {
        let Some(first) = now.runs.first() else { return Advice::default() };
        let better = first.reading.objective.better;
        let sign = if better == Better::Less { 1.0 } else { -1.0 };
        let rows: Vec<RowRuns> = std::iter::once(now).chain(asked).chain(tried).cloned().collect();
        let mut figures = figures(&rows, better).into_iter();
        let present = figures.next();
        let candidate = |(place, figures): (usize, Figures)| Candidate {
            changes: changes(sheet, &figures.set),
            harms: harms(now, &rows[1 + place], prices),
            boons: boons(now, &rows[1 + place], prices),
            asked: place < asked.len(),
            figures,
            fate: Fate::Unknown,
            ties: false,
        };
        let mut candidates: Vec<Candidate> = figures.enumerate().map(candidate).collect();
        let needs = present.iter().flat_map(|now| &now.per_seed);
        let needs: Vec<f64> = needs.map(|value| sign * value).collect();
        let all: Vec<advice::Tried> = candidates.iter().map(|one| one.tried(sheet, sign)).collect();
        let advice = advice::advise(&needs, &all);
        for (place, one) in candidates.iter_mut().enumerate() {
            (one.fate, one.ties) = (advice.fates[place], advice.ties[place])
        }
        let last = now.runs.last().map_or(first.seed, |run| run.seed);
        let seeds = Some((first.seed, last));
        Advice { now: present, seeds, candidates, follow: advice.follow }
    }

    /// The row to follow.
    pub fn followed(&self) -> Option<&Candidate> {
        self.candidates.get(self.follow?)
    }

    /// Rows that nobody asked for.
    pub fn tried(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(|one| !one.asked)
    }
}

/// What a row sets that is otherwise in the scenario.
fn changes(sheet: &Sheet, set: &[Set]) -> Vec<(Set, Change)> {
    let other = set.iter().filter(|(key, value)| sheet.distance(key, value) > 0.0);
    other.map(|set| (set.clone(), sheet.change(&set.0, &set.1))).collect()
}
