//! A claim as a row of its paper's table, and the function that judges every row.
use super::runs::{Figure, Runs, Value, owned};
use super::{Band, Claim, Count, Sensitivity, Verdict, VerdictKind};
use crate::vary::Set;
use analysis::{Stat, stat};
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
    /// Number of runs of each kind in the paper, and the quantity that it compared.
    pub power: Option<(u32, Value)>,
    /// Evidence that would decide the claim, if more seeds cannot. Empty: computed.
    pub decides: &'static str,
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
            power: None,
            decides: "",
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
    stated: bool,
}

/// Most seeds of an alternative, unless it has its own limit.
const ALTERNATIVE_SEEDS: u32 = 20;

impl Alternative {
    pub fn of(what: impl ToString, value: impl ToString, figures: &[Figure]) -> Alternative {
        let (what, value, figures) = (what.to_string(), value.to_string(), figures.to_vec());
        let (sets, seeds, stated) = (Vec::new(), ALTERNATIVE_SEEDS, false);
        Alternative { what, value, figures, sets, seeds, stated }
    }

    pub fn with(self, sets: &[(&str, &str)]) -> Alternative {
        Alternative { sets: owned(sets), ..self }
    }

    /// Uses the first seeds only.
    pub fn seeds(self, seeds: u32) -> Alternative {
        Alternative { seeds, ..self }
    }

    /// The paper's own text has this value, too: its figures are places of the claim, with the
    /// claim's seeds.
    pub fn stated(self) -> Alternative {
        Alternative { stated: true, seeds: u32::MAX, ..self }
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
        let Stat { mean: ours, ci95: spread, .. } = found.figures[0].stat;
        let (stated, verdict) = (self.stated, found.verdict());
        Some(Sensitivity { what, value, ours, spread, stated, verdict })
    }
}

pub struct Estimate {
    key: &'static str,
    pub place: String,
    values: Vec<f64>,
    pub stat: Stat,
    band: Option<Band>,
    /// `None`: the figure has no band. `Some(None)`: not decided.
    pub holds: Option<Option<bool>>,
}

impl Estimate {
    fn of(figure: &Figure, runs: &Runs<'_>) -> Estimate {
        let Figure { key, place, value, band, .. } = figure;
        let values = value.of(runs);
        let stat = figure.scaled(&values);
        let holds = band.map(|band| band.holds(&runs.at_this_look(&stat, values.len())));
        Estimate { key, place: place.clone(), values, stat, band: *band, holds }
    }

    /// Seeds that would decide this place if the mean stays: the interval must end at the nearest
    /// limit of the band. `None` if it is decided.
    fn seeds_to_decide(&self, runs: &Runs<'_>) -> Option<f64> {
        let (band, None) = (self.band?, self.holds?) else { return None };
        let limits = band.limits().into_iter().flatten();
        let off = limits.map(|limit| (self.stat.mean - limit).abs()).fold(f64::INFINITY, f64::min);
        let wide = runs.at_this_look(&self.stat, self.values.len()).ci95;
        Some(self.values.len() as f64 * (wide / off) * (wide / off))
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
    pub(super) fn of(figures: &[Figure], runs: &Runs<'_>) -> Option<Estimates> {
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
    /// `None` if runs are missing. Alternatives without runs are left out; of those that decide
    /// nothing, all if not `every`.
    pub(super) fn judged(&self, runs: &Runs<'_>, every: bool) -> Option<Claim> {
        let found = Estimates::of(&self.figures, runs);
        let judged = self.alternatives.iter().filter(|one| every || one.stated);
        let sensitivity: Vec<Sensitivity> = judged.filter_map(|one| one.judged(runs)).collect();
        let power = self.power.as_ref().and_then(|of| power(of, runs));
        let found = Estimates { sensitivity, ..found? };
        let ours = &found.figures[0];
        let stated = found.sensitivity.iter().filter(|s| s.stated).map(|s| s.verdict);
        let verdict = (self.verdict)(&found).with_stated(stated);
        let claim = self.decided(verdict, (self.reason)(&found));
        let known = Some(ours.stat).filter(|stat| !stat.mean.is_nan());
        let band = ours.band.or(self.figures[0].limits);
        let decides = match self.decides {
            "" => found.seeds_to_decide(verdict, runs),
            own => own.to_string(),
        };
        Some(Claim {
            ours: known.map(|stat| stat.mean),
            spread: known.filter(|_| ours.values.len() > 1).map(|stat| stat.ci95),
            band: band.map_or([None; 2], Band::limits),
            seeds: found.places().map(|place| units::u32_of(place.values.len())).max(),
            power: power.unwrap_or_default(),
            decides,
            sensitivity: found.sensitivity,
            ..claim
        })
    }

    /// The claim with a verdict but without our value.
    pub fn decided(&self, verdict: Verdict, reason: String) -> Claim {
        let Row { id, claim, document, unit, decides, .. } = *self;
        let claim = Claim::judged(id, claim, (document.into(), unit), verdict, reason);
        Claim { decides: decides.into(), ..claim }
    }
}

impl Estimates {
    /// "about 900 seeds"; empty if the verdict is decided.
    fn seeds_to_decide(&self, verdict: Verdict, runs: &Runs<'_>) -> String {
        if verdict.word != VerdictKind::Undecided {
            return String::new();
        }
        let most =
            self.places().filter_map(|place| place.seeds_to_decide(runs)).fold(0.0, f64::max);
        match most {
            0.0 => String::new(),
            most if most < MANY => format!("about {} seeds", num(two_digits(most), 0)),
            _ => "nothing practical: the value is at the limit of the band".into(),
        }
    }
}

/// More seeds are not worth naming.
const MANY: f64 = 1e5;

/// Rounded up to two significant digits.
fn two_digits(value: f64) -> f64 {
    let mut unit = 1.0;
    while value / unit >= 100.0 {
        unit *= 10.0;
    }
    (value / unit).ceil() * unit
}

/// Least difference that two means of the paper's number of runs can separate.
fn power((count, value): &(u32, Value), runs: &Runs<'_>) -> Option<String> {
    let values = runs.whole(|| value.of(runs))?;
    let (mean, apart) = (stat(&values).mean, analysis::stat::separated(&values, *count)?);
    Some(format!(
        "with {count} runs of each, as in the paper, only means that differ by {:.0} % or more can \
         be separated",
        100.0 * apart / mean.abs()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_rounded_up_to_two_digits() {
        assert_eq!([7.2, 41.0, 873.0, 12_345.0].map(two_digits), [8.0, 41.0, 880.0, 13_000.0]);
    }
}
