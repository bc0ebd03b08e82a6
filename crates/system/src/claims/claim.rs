//! A statement of a paper with its verdict, and the rule of "with these assumptions".
use super::{Band, Verdict, VerdictKind};
use analysis::Stat;
use serde::Serialize;

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
    /// Limits of `ours`; `None`: no limit on that side, or the claim has no number.
    pub band: [Option<f64>; 2],
    /// Most seeds of a run that decided; `None` if no run did.
    pub seeds: Option<u32>,
    #[serde(flatten)]
    pub verdict: Verdict,
    /// One sentence with the deciding numbers.
    pub reason: String,
    /// Difference that the paper's own number of runs could separate. Empty: unknown.
    pub power: String,
    /// Evidence that would decide the claim, or turn an assumption into a fact. May be empty.
    pub decides: String,
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
        let verdict = Verdict::of([band.holds(ours)]);
        let (mean, ci95) = (Some(ours.mean), Some(ours.ci95));
        let claim = Claim::judged(id, claim, (document, unit), verdict, reason);
        Claim { ours: mean, spread: ci95, band: band.limits(), ..claim }
    }

    /// A claim without a number.
    pub fn judged(
        id: &'static str,
        claim: &'static str,
        (document, unit): (String, &'static str),
        verdict: Verdict,
        reason: String,
    ) -> Claim {
        Claim {
            id,
            claim,
            document,
            ours: None,
            spread: None,
            unit,
            band: [None; 2],
            seeds: None,
            verdict,
            reason,
            power: String::new(),
            decides: String::new(),
            sensitivity: Vec::new(),
        }
    }

    /// Adds the result with another value of a key.
    pub fn with(mut self, key: &str, value: &str, ours: &Stat, band: Band) -> Claim {
        let other = Sensitivity::of(key, value, ours.mean, band.holds(ours));
        self.sensitivity.push(Sensitivity { spread: ours.ci95, ..other });
        self
    }

    /// A claim that is reproduced holds only with these assumptions if it fails with another value
    /// of what the paper leaves open. Undecided alternatives do not count, nor do those that the
    /// paper states: they are places of the claim.
    pub(super) fn with_sensitivity(mut self) -> Claim {
        if self.fails_with().next().is_some() {
            self.verdict = self.verdict.with_these_assumptions()
        }
        self
    }

    /// Alternatives with which a claim holds that does not hold as assumed.
    pub fn holds_with(&self) -> impl Iterator<Item = &Sensitivity> {
        let fails = [VerdictKind::Partly, VerdictKind::Refuted, VerdictKind::Undecided];
        let fails = fails.contains(&self.verdict.word);
        let holds = |s: &&Sensitivity| s.verdict.word == VerdictKind::Reproduced;
        self.sensitivity.iter().filter(move |s| fails && holds(s))
    }

    /// Alternatives with which the claim does not hold.
    pub fn fails_with(&self) -> impl Iterator<Item = &Sensitivity> {
        let fails = [VerdictKind::Partly, VerdictKind::Refuted];
        self.sensitivity.iter().filter(move |s| !s.stated && fails.contains(&s.verdict.word))
    }
}

/// The result with another value of something that the paper leaves open.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Sensitivity {
    /// The key, or a description.
    pub what: String,
    pub value: String,
    pub ours: f64,
    /// Half width of the 95 % interval.
    pub spread: f64,
    /// Whether the paper's text states this value as well: then it counts as a place of the claim.
    pub stated: bool,
    #[serde(flatten)]
    pub verdict: Verdict,
}

impl Sensitivity {
    /// An alternative without runs.
    pub fn of(what: &str, value: &str, ours: f64, holds: Option<bool>) -> Sensitivity {
        let (what, value) = (what.into(), value.into());
        let (verdict, spread, stated) = (Verdict::of([holds]), 0.0, false);
        Sensitivity { what, value, ours, spread, stated, verdict }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn claim(rows: &[f64], spread: f64) -> Claim {
        let stat = |mean, ci95| Stat { mean, ci95, min: mean, max: mean };
        let (band, says) = (Band::near(1.0, 0.1), ("1".to_string(), "of one"));
        let claim = Claim::of("C9.1", "it is one", says, &stat(1.0, spread), band);
        rows.iter().fold(claim, |claim, row| claim.with("key", "other", &stat(*row, 0.01), band))
    }

    #[test]
    fn what_fails_with_another_value_holds_with_these_assumptions() {
        let word = |rows: &[f64]| claim(rows, 0.01).with_sensitivity().verdict.word;
        assert_eq!(word(&[]), VerdictKind::Reproduced);
        assert_eq!(word(&[2.0]), VerdictKind::WithTheseAssumptions);
        assert_eq!(word(&[2.0, 1.0]), VerdictKind::WithTheseAssumptions, "one is enough");
        assert_eq!(word(&[1.0, 1.1]), VerdictKind::Reproduced, "an open row decides nothing");
    }

    #[test]
    fn partly_stays_partly() {
        let mut partly = claim(&[2.0, 3.0], 0.01);
        partly.verdict = Verdict::of([Some(true), Some(false)]);
        assert_eq!(partly.with_sensitivity().verdict.word, VerdictKind::Partly);
    }

    #[test]
    fn names_in_json_are_stable() {
        let json = serde_json::to_value(claim(&[2.0], 0.01)).unwrap();
        assert_eq!(json["verdict"], "reproduced");
        assert_eq!(json["share"], json!({"holds": 1, "fails": 0, "of": 1, "what": "places"}));
        assert_eq!(json["sensitivity"][0]["verdict"], "refuted");
        assert_eq!(json["band"], json!([0.9, 1.1]));
    }
}
