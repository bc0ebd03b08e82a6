//! A claim as a row of its document's table, and the one function that judges all rows.
use super::runs::{Figure, Runs, owned};
use super::{Claim, Count, Sensitivity, Verdict};
use crate::vary::Set;
use analysis::Stat;
use page::words::num;
use std::fmt;
use std::ops::Index;

/// A statement of a document, and how our runs are held against it.
pub struct Row {
    /// "C4.3".
    pub id: &'static str,
    /// The document's words, in short.
    pub claim: &'static str,
    pub document: &'static str,
    /// The unit of `document` and of our value.
    pub unit: &'static str,
    /// The first is our value. Those with a band decide; each is a place where the document makes
    /// the statement. None: what decides is measured, and no run.
    pub figures: Vec<Figure>,
    /// Other values of what the document leaves open.
    pub alternatives: Vec<Alternative>,
    pub verdict: fn(&Estimates) -> Verdict,
    /// One sentence with the numbers that decided.
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

/// An alternative of a claim, with the figures that show it: the first is our value there.
#[derive(Clone)]
pub struct Alternative {
    what: String,
    value: String,
    figures: Vec<Figure>,
    /// Over what the runs of the figures set.
    sets: Vec<Set>,
    /// At most.
    seeds: u32,
}

impl Alternative {
    pub fn of(what: impl ToString, value: impl ToString, figures: &[Figure]) -> Alternative {
        let (what, value, figures) = (what.to_string(), value.to_string(), figures.to_vec());
        Alternative { what, value, figures, sets: Vec::new(), seeds: u32::MAX }
    }

    /// The figures where these keys are set, too.
    pub fn with(self, sets: &[(&str, &str)]) -> Alternative {
        Alternative { sets: owned(sets), ..self }
    }

    /// The figures of the first few seeds.
    pub fn seeds(self, seeds: u32) -> Alternative {
        Alternative { seeds, ..self }
    }

    /// The figures at each of these values of a key.
    pub fn values(key: &str, values: &[&str], figures: &[Figure]) -> Vec<Alternative> {
        let one = |value: &&str| Alternative::of(key, value, figures).with(&[(key, value)]);
        values.iter().map(one).collect()
    }

    /// If the runs are made.
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

/// A figure as the runs have it.
pub struct Estimate {
    key: &'static str,
    pub place: String,
    values: Vec<f64>,
    pub stat: Stat,
    /// Whether the statement holds here, where it is made; `Some(None)`: that is not decided.
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

/// A row's figures as the runs have them.
pub struct Estimates {
    figures: Vec<Estimate>,
    /// The alternatives whose runs are made, judged.
    pub sensitivity: Vec<Sensitivity>,
}

impl Estimates {
    /// If all runs are made.
    fn of(figures: &[Figure], runs: &Runs<'_>) -> Option<Estimates> {
        let all = || figures.iter().map(|figure| Estimate::of(figure, runs)).collect();
        Some(Estimates { figures: runs.whole(all)?, sensitivity: Vec::new() })
    }

    /// All figures under a key, one after another.
    pub fn all(&self, key: &str) -> impl Iterator<Item = &Estimate> {
        self.figures.iter().filter(move |one| one.key == key)
    }

    pub fn at(&self, key: &str, place: &str) -> &Estimate {
        let found = self.all(key).find(|one| one.place == place);
        found.unwrap_or_else(|| panic!("no figure {key} in {place}"))
    }

    /// All figures under a key as `said`, with commas.
    pub fn list(&self, key: &str, said: impl Fn(&Estimate) -> String) -> String {
        self.all(key).map(said).collect::<Vec<_>>().join(", ")
    }

    /// Those with a band.
    pub fn places(&self) -> impl Iterator<Item = &Estimate> {
        self.figures.iter().filter(|figure| figure.holds.is_some())
    }

    pub fn verdict(&self) -> Verdict {
        Verdict::of(self.places().filter_map(|place| place.holds))
    }

    /// The seeds in which a figure is 1; it is 1 where a statement holds, and else 0.
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
    /// The claim, judged by the runs; `None` if some that it needs are not made. Alternatives whose
    /// runs are not made are left out.
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

    /// The claim with a verdict, and without a value of ours.
    pub fn decided(&self, verdict: Verdict, reason: String) -> Claim {
        let Row { id, claim, document, unit, .. } = *self;
        let (document, sensitivity) = (document.into(), Vec::new());
        Claim { id, claim, document, ours: None, spread: None, unit, verdict, reason, sensitivity }
    }
}

impl Sensitivity {
    /// An alternative that no run shows.
    pub fn of(what: &str, value: &str, ours: f64, holds: Option<bool>) -> Sensitivity {
        let (what, value) = (what.into(), value.into());
        Sensitivity { what, value, ours, verdict: Verdict::of([holds]) }
    }
}
