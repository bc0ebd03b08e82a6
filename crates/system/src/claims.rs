//! A document's claims, each held against our own runs.
use crate::failure::Failure;
use crate::lab::RowRuns;
use crate::partial;
use analysis::Stat;
use page::Section;
use serde::Serialize;
use serde_json::{Value, json};
use std::path::Path;

/// A source document whose claims are checked: `tenbin reproduce NAME`.
#[derive(Clone, Copy)]
pub struct Document {
    /// "s4".
    pub name: &'static str,
    /// Who wrote it, about what.
    pub title: &'static str,
    /// Runs what the claims need, and judges them. Fails as every command.
    pub reproduce: fn(&Asked<'_>) -> Result<Reproduction, Failure>,
}

/// What is asked of a reproduction.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Every run is made from seeds 1 to this.
    pub seeds: u32,
    /// Keys and values over the document's own parameters.
    pub sets: &'a [(String, String)],
    /// The only claim whose verdict is wanted ([`Asked::wants`]): what serves others need not run.
    pub claim: Option<&'a str>,
    /// The result's folder; what an interrupted campaign keeps lies beside it.
    pub place: &'a Path,
}

impl Asked<'_> {
    /// Whether this claim's verdict is wanted: "C3.2" asks for C3.2, and for C3.2a with it.
    pub fn wants(&self, id: &str) -> bool {
        self.claim.is_none_or(|claim| {
            let rest = id.strip_prefix(claim);
            rest.is_some_and(|rest| !rest.starts_with(|first: char| first.is_ascii_digit()))
        })
    }

    /// Leaves out what is not wanted.
    ///
    /// # Errors
    /// Bad input: none is left.
    pub fn only(&self, done: Reproduction) -> Result<Reproduction, Failure> {
        let has: Vec<&str> = done.claims.iter().map(|claim| claim.id).collect();
        let none = self.unknown(&has);
        let claims = done.claims.into_iter().filter(|claim| self.wants(claim.id)).collect();
        none.map_or(Ok(Reproduction { claims, ..done }), Err)
    }

    /// Refuses a claim that a document with these has not.
    pub fn unknown(&self, has: &[&str]) -> Option<Failure> {
        let claim = self.claim.filter(|_| !has.iter().any(|id| self.wants(id)))?;
        Some(Failure::BadInput(format!("--claim {claim}: expected one of {}", has.join(", "))))
    }

    /// If `why` is an interruption, the runs that were finished are kept beside the result's place;
    /// any other failure stays as it is.
    pub fn kept(&self, why: Failure, rows: &[RowRuns]) -> Failure {
        let seeds = self.seeds.try_into().expect("a machine of 32 bits at least");
        partial::keep(why, self.place, partial::of_lab(rows), seeds, json!({}))
    }
}

/// What came of a reproduction.
pub struct Reproduction {
    /// In the document's order.
    pub claims: Vec<Claim>,
    /// The one set of modelling choices, key by key, and what was varied.
    pub parameters: Value,
    /// The document's figures with ours beside them.
    pub figures: Vec<Section>,
}

impl Reproduction {
    /// Without figures; the choices as keys with their texts.
    pub fn of<const N: usize>(claims: Vec<Claim>, choices: [(&str, &str); N]) -> Reproduction {
        let choice = |(key, text): (&str, &str)| (key.to_string(), Value::from(text));
        let parameters = Value::Object(choices.into_iter().map(choice).collect());
        Reproduction { claims, parameters, figures: Vec::new() }
    }
}

/// A statement of a document, judged.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Claim {
    /// "C4.3".
    pub id: &'static str,
    /// The document's words, in short.
    pub claim: &'static str,
    /// Its value.
    pub document: String,
    /// Our value, in `unit`; `None` where a claim has no number.
    pub ours: Option<f64>,
    /// Half width of its 95 % interval.
    pub spread: Option<f64>,
    /// What `document` and `ours` are counted in.
    pub unit: &'static str,
    /// What our runs say of it.
    pub verdict: Verdict,
    /// One sentence with the numbers that decided.
    pub reason: String,
    /// How it moves with what the document does not say.
    pub sensitivity: Vec<Sensitivity>,
}

impl Claim {
    /// A claim whose value is a number, judged by the band that it should lie in.
    pub fn of(
        id: &'static str,
        claim: &'static str,
        (document, unit): (String, &'static str),
        ours: &Stat,
        band: Band,
    ) -> Claim {
        let reason = format!("{:.0} ± {:.0}; the document says {document}", ours.mean, ours.ci95);
        Claim {
            id,
            claim,
            document,
            ours: Some(ours.mean),
            spread: Some(ours.ci95),
            unit,
            verdict: Verdict::of([band.holds(ours)]),
            reason,
            sensitivity: Vec::new(),
        }
    }

    /// With our value where a key is otherwise.
    pub fn with(mut self, key: &str, value: &str, ours: &Stat, band: Band) -> Claim {
        let verdict = Verdict::of([band.holds(ours)]);
        let (what, value) = (key.to_string(), value.to_string());
        self.sensitivity.push(Sensitivity { what, value, ours: ours.mean, verdict });
        self
    }
}

/// Our value where something is otherwise that the document does not say.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Sensitivity {
    /// The key, or what else is otherwise.
    pub what: String,
    /// Its value there.
    pub value: String,
    /// Ours there.
    pub ours: f64,
    /// The verdict there.
    pub verdict: Verdict,
}

/// What our runs say of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The statement holds in every place where the document makes it.
    Reproduced,
    /// In some.
    Partly,
    /// In none.
    Refuted,
    /// The intervals are too wide to tell.
    Undecided,
}

impl Verdict {
    /// As pages and terminals write it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Partly => "partly",
            Verdict::Refuted => "refuted",
            Verdict::Undecided => "not decided",
        }
    }

    /// Of a statement made in several places: `None` where a place does not decide. A place that
    /// is open leaves the whole open, unless the others decide it: some hold and some do not.
    pub fn of(places: impl IntoIterator<Item = Option<bool>>) -> Verdict {
        let places: Vec<Option<bool>> = places.into_iter().collect();
        let has = |what: Option<bool>| places.contains(&what);
        match (has(Some(true)), has(Some(false)), has(None)) {
            (true, true, _) => Verdict::Partly,
            (true, false, false) => Verdict::Reproduced,
            (false, true, false) => Verdict::Refuted,
            _ => Verdict::Undecided,
        }
    }
}

/// A range that a claim names. Whether a value lies in it is decided only where the whole 95 %
/// interval lies on one side of each end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Band {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Band {
    /// From one value to another.
    pub fn new(low: f64, high: f64) -> Band {
        Band { low, high }
    }

    /// Everything above a value.
    pub fn above(low: f64) -> Band {
        Band { low, high: f64::INFINITY }
    }

    /// Everything below a value.
    pub fn below(high: f64) -> Band {
        Band { low: f64::NEG_INFINITY, high }
    }

    /// As near to a value as this part of it.
    pub fn near(value: f64, part: f64) -> Band {
        let off = (value * part).abs();
        Band { low: value - off, high: value + off }
    }

    /// Whether the value lies in it; `None`: its interval meets both sides.
    pub fn holds(self, ours: &Stat) -> Option<bool> {
        let (low, high) = (ours.mean - ours.ci95, ours.mean + ours.ci95);
        if low >= self.low && high <= self.high {
            return Some(true);
        }
        (high < self.low || low > self.high).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(mean: f64, ci95: f64) -> Stat {
        Stat { mean, ci95, min: mean, max: mean }
    }

    #[test]
    fn a_wider_interval_never_decides_what_a_narrower_one_left_open() {
        let band = Band::new(1.2, 1.25);
        for mean in [1.0, 1.19, 1.2, 1.22, 1.25, 1.26, 1.5] {
            let mut open = false;
            for width in [0.0, 0.001, 0.01, 0.02, 0.05, 0.1, 0.3, 1.0] {
                let decided = band.holds(&stat(mean, width));
                assert!(!(open && decided.is_some()), "{mean} ± {width}");
                open |= decided.is_none();
            }
            assert!(open, "an interval of ±1 decides nothing of {mean}");
        }
    }

    #[test]
    fn an_open_place_leaves_the_whole_open() {
        use Verdict::*;
        let table = [
            (&[Some(true), Some(true)][..], Reproduced),
            (&[Some(true), Some(false)], Partly),
            (&[Some(false)], Refuted),
            (&[Some(true), None], Undecided),
            (&[Some(false), None], Undecided),
            (&[Some(true), Some(false), None], Partly),
            (&[None], Undecided),
            (&[], Undecided),
        ];
        for (places, verdict) in table {
            assert_eq!(Verdict::of(places.iter().copied()), verdict, "{places:?}");
        }
    }
}
