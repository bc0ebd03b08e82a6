//! Selects the variant to follow.
use super::price::{MetricChange, Price, benefits, harms, too_dear};
use super::relief;
use crate::figures::{Figures, PairedDifference, figures};
use crate::lab::RowRuns;
use crate::vary::Set;
use analysis::advice::{self, Effect, Size};
use analysis::stat::SAME;
use cluster::Sheet;
use cluster::keys::{Change, KeyDefault};
use trace::Better;

/// Results of variants that the command did not name.
#[derive(Default)]
pub struct TestedVariants {
    /// Some ran with the first seed only.
    pub rows: Vec<RowRuns>,
    /// Settings of variants that did not run.
    pub left: Vec<Vec<Set>>,
    /// Variants that the model rejects or fails on: (name, reason).
    pub failed: Vec<(String, String)>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// Compared with the present scenario.
    pub figures: Figures,
    /// Settings that differ from the scenario, with the kind of each change.
    pub changes: Vec<(Set, Change)>,
    pub harms: Vec<MetricChange>,
    pub benefits: Vec<MetricChange>,
    /// Named by the command; otherwise tried by the search.
    pub asked: bool,
    pub effect: Effect,
    /// Not distinguishable from the followed variant.
    pub is_tied: bool,
    /// Name of the hot resource, if more of its kind leave it hot.
    pub stays: Option<String>,
}

impl Candidate {
    pub fn is_possible(&self) -> bool {
        !self.changes.is_empty() && self.changes.iter().all(|(_, change)| change.is_possible())
    }

    /// Whether it needs code that does not exist.
    pub fn is_research(&self) -> bool {
        self.changes.iter().any(|(_, change)| *change == Change::Research)
    }

    /// The first harm that no gain justifies.
    pub fn unacceptable_harm(&self) -> Option<&MetricChange> {
        self.harms.iter().find(|harm| harm.price.never)
    }

    /// Difference from the present scenario.
    pub fn against(&self) -> Option<PairedDifference> {
        self.figures.against
    }

    /// The first harm of at least a half and at least the relative gain.
    pub fn too_dear(&self) -> Option<&MetricChange> {
        let value = self.figures.value?.mean;
        let by = self.against()?.mean;
        let gain = by.abs() / (value - by).abs().max(f64::MIN_POSITIVE);
        too_dear(&self.harms, gain)
    }

    pub fn is_followable(&self) -> bool {
        let harmless = self.unacceptable_harm().is_none() && self.too_dear().is_none();
        self.is_possible() && self.stays.is_none() && harmless
    }

    /// Whether the confidence interval includes a gain above 5 %.
    pub fn may_gain(&self, better: Better) -> bool {
        let (Some(value), Some(by)) = (self.figures.value, self.against()) else { return false };
        let gain = if better == Better::Less { -by.mean } else { by.mean };
        gain + by.ci95 > SAME * (value.mean - by.mean).abs()
    }

    /// Whether both can be set: no key has two values, and `other` adds a setting.
    pub fn goes_with(&self, other: &Candidate) -> bool {
        let mine = &self.figures.set;
        let theirs = &other.figures.set;
        let differs = |(key, value): &Set| mine.iter().any(|(one, is)| one == key && is != value);
        !theirs.iter().any(differs) && !theirs.iter().all(|set| mine.contains(set))
    }

    fn tried(&self, sheet: &Sheet, sign: f64) -> advice::TriedChange {
        let far = |((key, value), _): &(Set, Change)| {
            let by_half = if is_default(sheet, key, value) { 0.5 } else { 1.0 };
            by_half * sheet.distance(key, value)
        };
        let needs = &self.figures.per_seed;
        let costs = |(_, change): &&(Set, Change)| change.costs();
        advice::TriedChange {
            needs: (!needs.is_empty()).then(|| needs.iter().map(|value| sign * value).collect()),
            allowed: self.is_followable(),
            size: Size {
                harms: self.harms.len() + self.changes.iter().filter(costs).count(),
                keys: self.changes.len(),
                far: self.changes.iter().map(far).sum(),
                pieces: bought(sheet, &self.figures.set),
            },
        }
    }
}

/// Whether a name, not a number, is its key's default: defaults count as the nearest alternative.
fn is_default(sheet: &Sheet, key: &str, value: &str) -> bool {
    let absent = sheet.vocabulary().find(key).map(|key| key.absent);
    matches!(absent, Some(KeyDefault::Default(name)) if name == value)
        && value.parse::<f64>().is_err()
}

/// Number of devices or nodes that a variant buys.
pub(super) fn bought(sheet: &Sheet, set: &[Set]) -> f64 {
    let number = |text: &str| text.parse::<f64>().ok();
    let pieces = |((key, value), change): &(Set, Change)| {
        let now = sheet.find(key).and_then(|now| number(&now.to_string()));
        match (change, now, number(value)) {
            (Change::Bought, Some(now), Some(then)) => (then - now).max(0.0),
            _ => 0.0,
        }
    };
    changes(sheet, set).iter().map(pieces).sum()
}

#[derive(Clone, PartialEq, Default, Debug)]
pub struct Advice {
    /// The present scenario, with the seeds of the tries.
    pub now: Option<Figures>,
    /// First and last.
    pub seeds: Option<(u64, u64)>,
    pub candidates: Vec<Candidate>,
    /// Index of the candidate to follow.
    pub follow: Option<usize>,
    /// Settings of variants that were not tried because a run is long.
    pub left: Vec<Vec<Set>>,
    /// Variants that cannot be simulated: (name, reason).
    pub failed: Vec<(String, String)>,
}

impl Advice {
    /// Variants of the command (`asked`) and of the search (`tried`), with the seeds of `now`.
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
        let present_of = |name: &str| now.metric(name);
        let candidate = |(place, figures): (usize, Figures)| {
            let changes = changes(sheet, &figures.set);
            let takes: Vec<Change> = changes.iter().map(|(_, change)| *change).collect();
            let then = &rows[1 + place];
            Candidate {
                stays: relief::stays(now, then, &takes),
                changes,
                harms: harms(&present_of, &|name| then.metric(name), prices),
                benefits: benefits(&present_of, &|name| then.metric(name), prices),
                asked: place < asked.len(),
                figures,
                effect: Effect::Unknown,
                is_tied: false,
            }
        };
        let mut candidates: Vec<Candidate> = figures.enumerate().map(candidate).collect();
        let needs = present.iter().flat_map(|now| &now.per_seed);
        let needs: Vec<f64> = needs.map(|value| sign * value).collect();
        let all: Vec<advice::TriedChange> =
            candidates.iter().map(|one| one.tried(sheet, sign)).collect();
        let advice = advice::advise(&needs, &all);
        for (place, one) in candidates.iter_mut().enumerate() {
            (one.effect, one.is_tied) = (advice.fates[place], advice.ties[place])
        }
        let last = now.runs.last().map_or(first.seed, |run| run.seed);
        let seeds = Some((first.seed, last));
        let ends = || match present.as_ref().is_some_and(|now| now.value.is_none()) {
            true => ends(&candidates, sign),
            false => None,
        };
        let follow = advice.follow.or_else(ends);
        Advice { now: present, seeds, candidates, follow, ..Advice::default() }
    }

    pub fn followed(&self) -> Option<&Candidate> {
        self.candidates.get(self.follow?)
    }

    /// Adds what the search could not try.
    pub fn leaving(self, TestedVariants { left, failed, .. }: TestedVariants) -> Advice {
        Advice { left, failed, ..self }
    }

    /// Whether the variant ran with all seeds, not only the first.
    pub fn is_whole(&self, one: &Candidate) -> bool {
        self.now.as_ref().is_none_or(|now| one.figures.seeds == now.seeds)
    }

    /// Variants that the command did not name.
    pub fn tried(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(|one| !one.asked)
    }
}

/// The variant to follow if some seeds of the present settings do not end. Of those within 5 % of
/// the best it has the fewest changes. All its seeds end.
fn ends(candidates: &[Candidate], sign: f64) -> Option<usize> {
    let need = |at: &usize| Some(sign * candidates[*at].figures.value?.mean);
    let all: Vec<usize> =
        (0..candidates.len()).filter(|at| candidates[*at].is_followable()).collect();
    let best = all.iter().filter_map(need).reduce(f64::min)?;
    let near = |at: &usize| need(at).is_some_and(|need| need <= best + SAME * best.abs());
    all.into_iter().filter(near).min_by_key(|at| candidates[*at].changes.len())
}

/// Settings that differ from the scenario.
fn changes(sheet: &Sheet, set: &[Set]) -> Vec<(Set, Change)> {
    let other = set.iter().filter(|(key, value)| sheet.distance(key, value) > 0.0);
    other.map(|set| (set.clone(), sheet.change(&set.0, &set.1))).collect()
}
