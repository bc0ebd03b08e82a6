//! Claims of a paper, checked against our runs.
mod band;
mod busy;
mod claim;
mod joint;
mod looks;
mod real;
mod row;
mod runs;
mod table;
mod verdict;
use crate::failure::Failure;
use crate::partial;
pub use analysis::Count;
pub use band::Band;
pub use busy::Busy;
pub use claim::{Claim, Sensitivity};
pub use joint::{Joint, Reading, Readings};
pub use looks::Seeds;
use page::Section;
pub use real::{MeasuredClaim, MeasuredClaims, RealExperiment, RealRunOptions};
pub use row::{Alternative, Estimate, Estimates, Row};
pub use runs::{BaseScenario, Figure, Run, Runs, Value};
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
    pub seeds: Seeds,
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
        let seeds = units::usize_of(self.seeds.first.into());
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
    /// Verdicts under all combinations of what the paper leaves open.
    pub readings: Option<Readings>,
}

impl Reproduction {
    /// A result without figures; `choices` are (key, text).
    pub fn of<const N: usize>(claims: Vec<Claim>, choices: [(&str, &str); N]) -> Reproduction {
        let choice = |(key, text): (&str, &str)| (key.to_string(), serde_json::Value::from(text));
        let parameters = serde_json::Value::Object(choices.into_iter().map(choice).collect());
        Reproduction { claims, parameters, figures: Vec::new(), readings: None }
    }

    /// Applies `Claim::with_sensitivity` to each claim.
    pub fn with_sensitivity(mut self) -> Reproduction {
        self.claims = self.claims.into_iter().map(Claim::with_sensitivity).collect();
        self
    }
}
