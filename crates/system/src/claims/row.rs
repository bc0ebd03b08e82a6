//! A claim as a row of its paper's table, and the function that judges every row.
use super::runs::{Figure, Runs, owned};
use super::{Claim, Count, Sensitivity, Verdict};
use crate::vary::Set;
use analysis::Stat;
use page::words::num;
use std::fmt;
use std::ops::Index;

/// A statement of a paper, and how to check it.
pub struct Row {
    pub id: &'static str,
    /// The paper's words, shortened.
    pub claim: &'static str,
    pub document: &'static str,
    /// Unit of `document` and of our value.
    pub unit: &'static str,
    /// The first is our value. Those with a band decide: each is a place where the paper makes the
    /// statement. Empty: `Table::extra` decides, without runs.
    pub figures: Vec<Figure>,
    /// Other values of what the paper leaves open.
    pub alternatives: Vec<Alternative>,
    pub verdict: fn(&Estimates) -> Verdict,
    /// One sentence with the deciding numbers.
    pub reason: fn(&Estimates) -> String,
}

impl Default for Row {
    fn default() -> Row {
        Row {
            id: "",
            claim: "",
            document: "",
            unit: "",
            figures: Vec::new(),
            alternatives: Vec::new(),
            verdict: Estimates::verdict,
            reason: |_| String::new(),
        }
    }
}

/// Another value of what the paper leaves open; the first figure is our value with it.
#[derive(Clone)]
pub struct Alternative {
    what: String,
    value: String,
    figures: Vec<Figure>,
    /// Settings over those of the figures' runs.
    sets: Vec<Set>,
    /// Most seeds.
    seeds: u32,
}

impl Alternative {
    pub fn of(what: impl ToString, value: impl ToString, figures: &[Figure]) -> Alternative {
        let (what, value, figures) = (what.to_string(), value.to_string(), figures.to_vec());
        Alternative { what, value, figures, sets: Vec::new(), seeds: u32::MAX }
    }

    pub fn with(self, sets: &[(&str, &str)]) -> Alternative {
        Alternative { sets: owned(sets), ..self }
    }

    /// Uses the first seeds only.
    pub fn seeds(self, seeds: u32) -> Alternative {
        Alternative { seeds, ..self }
    }

    /// One alternative for each value of a key.
    pub fn values(key: &str, values: &[&str], figures: &[Figure]) -> Vec<Alternative> {
        let one = |value: &&str| Alternative::of(key, value, figures).with(&[(key, value)]);
        values.iter().map(one).collect()
    }

    /// `None` if a run is missing.
    fn judged(&self, runs: &Runs<'_>) -> Option<Sensitivity> {
        let found = Estimates::of(&self.figures, &runs.under(&self.sets, self.seeds))?;
        let (what, value) = (self.what.clone(), self.value.clone());
        Some(Sensitivity {
            what,
            value,
            ours: found.figures[0].stat.mean,
            verdict: found.verdict(),
        })
    }
}

pub struct Estimate {
    key: &'static str,
    pub place: String,
    values: Vec<f64>,
    pub stat: Stat,
    /// `None`: the figure has no band. `Some(None)`: not decided.
    pub holds: Option<Option<bool>>,
}

impl Estimate {
    fn of(figure: &Figure, runs: &Runs<'_>) -> Estimate {
        let Figure { key, place, value, band, .. } = figure;
        let values = value.of(runs);
        let stat = figure.scaled(&values);
        let holds = band.map(|band| band.holds(&stat));
        Estimate { key, place: place.clone(), values, stat, holds }
    }
}

/// `{:.1}` is the mean, `{:#.1}` the mean with its interval, `{:+.1}` the mean with its sign.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(0);
        let sign = if f.sign_plus() && self.stat.mean > 0.0 { "+" } else { "" };
        write!(f, "{sign}{}", num(self.stat.mean, digits))?;
        match f.alternate() {
            true => write!(f, " ± {}", num(self.stat.ci95, digits)),
            false => Ok(()),
        }
    }
}

pub struct Estimates {
    figures: Vec<Estimate>,
    /// Judged alternatives; those without runs are left out.
    pub sensitivity: Vec<Sensitivity>,
}

impl Estimates {
    /// `None` if a run is missing.
    fn of(figures: &[Figure], runs: &Runs<'_>) -> Option<Estimates> {
        let all = || figures.iter().map(|figure| Estimate::of(figure, runs)).collect();
        Some(Estimates { figures: runs.whole(all)?, sensitivity: Vec::new() })
    }

    pub fn all(&self, key: &str) -> impl Iterator<Item = &Estimate> {
        self.figures.iter().filter(move |one| one.key == key)
    }

    pub fn at(&self, key: &str, place: &str) -> &Estimate {
        let found = self.all(key).find(|one| one.place == place);
        found.unwrap_or_else(|| panic!("{place} has no figure {key}"))
    }

    pub fn list(&self, key: &str, said: impl Fn(&Estimate) -> String) -> String {
        self.all(key).map(said).collect::<Vec<_>>().join(", ")
    }

    /// Figures with a band: places where the paper makes the statement.
    pub fn places(&self) -> impl Iterator<Item = &Estimate> {
        self.figures.iter().filter(|figure| figure.holds.is_some())
    }

    pub fn verdict(&self) -> Verdict {
        Verdict::of(self.places().filter_map(|place| place.holds))
    }

    /// Seeds in which a figure is 1 (the statement holds); otherwise it is 0.
    pub fn count(&self, key: &str) -> Count {
        Count::of(self[key].values.iter().map(|value| *value > 0.5))
    }
}

impl Index<&str> for Estimates {
    type Output = Estimate;

    fn index(&self, key: &str) -> &Estimate {
        self.all(key).next().unwrap_or_else(|| panic!("no figure {key}"))
    }
}

impl Row {
    /// `None` if runs are missing. Alternatives without runs are left out.
    pub(super) fn judged(&self, runs: &Runs<'_>) -> Option<Claim> {
        let found = Estimates::of(&self.figures, runs);
        let judged = self.alternatives.iter().filter_map(|one| one.judged(runs));
        let found = Estimates { sensitivity: judged.collect(), ..found? };
        let ours = &found.figures[0];
        let claim = self.decided((self.verdict)(&found), (self.reason)(&found));
        let known = Some(ours.stat).filter(|stat| !stat.mean.is_nan());
        Some(Claim {
            ours: known.map(|stat| stat.mean),
            spread: known.filter(|_| ours.values.len() > 1).map(|stat| stat.ci95),
            sensitivity: found.sensitivity,
            ..claim
        })
    }

    /// The claim with a verdict but without our value.
    pub fn decided(&self, verdict: Verdict, reason: String) -> Claim {
        let Row { id, claim, document, unit, .. } = *self;
        let (document, sensitivity) = (document.into(), Vec::new());
        Claim { id, claim, document, ours: None, spread: None, unit, verdict, reason, sensitivity }
    }
}

impl Sensitivity {
    /// An alternative without runs.
    pub fn of(what: &str, value: &str, ours: f64, holds: Option<bool>) -> Sensitivity {
        let (what, value) = (what.into(), value.into());
        Sensitivity { what, value, ours, verdict: Verdict::of([holds]) }
    }
}
