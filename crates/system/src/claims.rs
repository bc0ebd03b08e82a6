//! Claims of a paper, checked against our runs.
mod band;
mod real;
mod row;
mod runs;
mod table;
mod verdict;
use crate::failure::Failure;
use crate::partial;
pub use analysis::Count;
use analysis::Stat;
pub use band::Band;
use page::Section;
pub use real::{MeasuredClaim, MeasuredClaims, RealExperiment, RealRunOptions};
pub use row::{Alternative, Estimate, Estimates, Row};
pub use runs::{BaseScenario, Figure, Run, Runs, Value};
use serde::Serialize;
use serde_json::json;
use std::path::Path;
pub use table::Table;
pub use verdict::{Share, ShareKind, Verdict, VerdictKind};

/// A paper with claims to check: `tenbin reproduce NAME`.
#[derive(Clone, Copy)]
pub struct Document {
    pub name: &'static str,
    /// Other names on the command line.
    pub also: &'static [&'static str],
    pub title: &'static str,
    /// Runs what the claims need and judges them.
    pub reproduce: fn(&ReproduceRequest<'_>) -> Result<Reproduction, Failure>,
}

impl Document {
    pub fn is(&self, name: &str) -> bool {
        self.name == name || self.also.contains(&name)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct ReproduceRequest<'a> {
    /// Each run uses seeds 1 to this.
    pub seeds: u32,
    /// Settings that override the paper's parameters.
    pub sets: &'a [(String, String)],
    /// The only claim to judge ([`ReproduceRequest::includes`]); runs for other claims are skipped.
    pub claim: Option<&'a str>,
    /// Result folder; an interrupted campaign writes its partial result next to it.
    pub place: &'a Path,
}

impl ReproduceRequest<'_> {
    /// "C3.2" selects C3.2 and C3.2a, but not C3.21.
    pub fn includes(&self, id: &str) -> bool {
        self.claim.is_none_or(|claim| {
            let rest = id.strip_prefix(claim);
            rest.is_some_and(|rest| !rest.starts_with(|first: char| first.is_ascii_digit()))
        })
    }

    /// Removes claims that were not requested. Fails if none is left.
    pub fn filter_claims(&self, done: Reproduction) -> Result<Reproduction, Failure> {
        let has: Vec<&str> = done.claims.iter().map(|claim| claim.id).collect();
        let none = self.unknown_claim(&has);
        let claims = done.claims.into_iter().filter(|claim| self.includes(claim.id)).collect();
        none.map_or(Ok(Reproduction { claims, ..done }), Err)
    }

    /// The error for a claim that is not in `has`.
    pub fn unknown_claim(&self, has: &[&str]) -> Option<Failure> {
        let claim = self.claim.filter(|_| !has.iter().any(|id| self.includes(id)))?;
        Some(Failure::BadInput(format!("--claim {claim}: expected one of {}", has.join(", "))))
    }

    /// What an incomplete result lacks: the ids of `all` without a claim, and the figures.
    pub fn missing_parts(&self, claims: &[Claim], all: &[&str]) -> String {
        let is_open = |id: &&&str| self.includes(id) && claims.iter().all(|claim| claim.id != **id);
        let open: Vec<&str> = all.iter().filter(is_open).copied().chain(["figures"]).collect();
        open.join(", ")
    }

    /// If `why` is an interruption, writes the runs and decided claims next to the result folder.
    /// `missing` names what the complete result has in addition. Other failures return unchanged.
    pub fn keep_partial(
        &self,
        why: Failure,
        rows: Vec<partial::Row<'_>>,
        claims: &[Claim],
        missing: &str,
    ) -> Failure {
        let wanted = claims.iter().filter(|claim| self.includes(claim.id));
        let claims: Vec<Claim> = wanted.cloned().map(Claim::with_sensitivity).collect();
        if rows.is_empty() && claims.is_empty() {
            return why;
        }
        let seeds = self.seeds.try_into().expect("a machine of 32 bits at least");
        let ids: Vec<&str> = claims.iter().map(|claim| claim.id).collect();
        let head = json!({ "claims": claims, "missing": missing });
        match partial::keep(why, self.place, rows, seeds, head) {
            Failure::Interrupted(kept) if !ids.is_empty() => Failure::Interrupted(format!(
                "{kept}; decided by then: {}; missing: {missing}",
                ids.join(", ")
            )),
            why => why,
        }
    }
}

pub struct Reproduction {
    /// In the paper's order.
    pub claims: Vec<Claim>,
    /// Modelling choices by key, and what was varied.
    pub parameters: serde_json::Value,
    /// The paper's figures with our values.
    pub figures: Vec<Section>,
}

impl Reproduction {
    /// A result without figures; `choices` are (key, text).
    pub fn of<const N: usize>(claims: Vec<Claim>, choices: [(&str, &str); N]) -> Reproduction {
        let choice = |(key, text): (&str, &str)| (key.to_string(), serde_json::Value::from(text));
        let parameters = serde_json::Value::Object(choices.into_iter().map(choice).collect());
        Reproduction { claims, parameters, figures: Vec::new() }
    }

    /// Applies `Claim::with_sensitivity` to each claim.
    pub fn with_sensitivity(mut self) -> Reproduction {
        self.claims = self.claims.into_iter().map(Claim::with_sensitivity).collect();
        self
    }
}

/// Fewest alternatives for a verdict "with these assumptions": one may ask another question.
const ALTERNATIVES: usize = 2;

/// A statement of a paper, with our verdict.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Claim {
    pub id: &'static str,
    /// The paper's words, shortened.
    pub claim: &'static str,
    pub document: String,
    /// In `unit`; `None` if the claim has no number.
    pub ours: Option<f64>,
    /// Half width of the 95 % interval.
    pub spread: Option<f64>,
    /// Unit of `document` and `ours`.
    pub unit: &'static str,
    #[serde(flatten)]
    pub verdict: Verdict,
    /// One sentence with the deciding numbers.
    pub reason: String,
    /// Results with other values of what the paper leaves open.
    pub sensitivity: Vec<Sensitivity>,
}

impl Claim {
    /// A numeric claim, judged by a band.
    pub fn of(
        id: &'static str,
        claim: &'static str,
        (document, unit): (String, &'static str),
        ours: &Stat,
        band: Band,
    ) -> Claim {
        let reason = format!("{:.0} ± {:.0}; paper: {document}", ours.mean, ours.ci95);
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

    /// Adds the result with another value of a key.
    pub fn with(mut self, key: &str, value: &str, ours: &Stat, band: Band) -> Claim {
        let verdict = Verdict::of([band.holds(ours)]);
        let (what, value) = (key.to_string(), value.to_string());
        self.sensitivity.push(Sensitivity { what, value, ours: ours.mean, verdict });
        self
    }

    /// If at least two alternatives decide and all give another verdict, the claim holds only with
    /// these assumptions. Undecided alternatives do not count.
    fn with_sensitivity(mut self) -> Claim {
        let decided = |s: &&Sensitivity| s.verdict.word != VerdictKind::Undecided;
        let other: Vec<bool> = self
            .sensitivity
            .iter()
            .filter(decided)
            .map(|s| s.verdict.word != self.verdict.word)
            .collect();
        if other.len() >= ALTERNATIVES && other.iter().all(|other| *other) {
            self.verdict = self.verdict.with_these_assumptions()
        }
        self
    }
}

/// The result with another value of something that the paper leaves open.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Sensitivity {
    /// The key, or a description.
    pub what: String,
    pub value: String,
    pub ours: f64,
    #[serde(flatten)]
    pub verdict: Verdict,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(rows: &[f64], spread: f64) -> Claim {
        let stat = |mean, ci95| Stat { mean, ci95, min: mean, max: mean };
        let (band, says) = (Band::near(1.0, 0.1), ("1".to_string(), "of one"));
        let claim = Claim::of("C9.1", "it is one", says, &stat(1.0, spread), band);
        rows.iter().fold(claim, |claim, row| claim.with("key", "other", &stat(*row, 0.01), band))
    }

    #[test]
    fn what_no_alternative_gives_holds_with_these_assumptions() {
        let word = |rows: &[f64]| claim(rows, 0.01).with_sensitivity().verdict.word;
        assert_eq!(word(&[]), VerdictKind::Reproduced);
        assert_eq!(word(&[2.0]), VerdictKind::Reproduced, "it may ask something else");
        assert_eq!(word(&[2.0, 3.0]), VerdictKind::WithTheseAssumptions);
        assert_eq!(word(&[2.0, 1.0]), VerdictKind::Reproduced);
        assert_eq!(word(&[2.0, 1.1]), VerdictKind::Reproduced, "an open row is no alternative");
    }

    #[test]
    fn names_in_json_are_stable() {
        let json = serde_json::to_value(claim(&[2.0], 0.01)).unwrap();
        assert_eq!(json["verdict"], "reproduced");
        assert_eq!(json["share"], json!({"holds": 1, "fails": 0, "of": 1, "what": "places"}));
        assert_eq!(json["sensitivity"][0]["verdict"], "refuted");
    }
}
