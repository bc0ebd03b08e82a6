//! The claims as a markdown table.
use super::claims::{Claim, Judged, number_with_spread};
use super::estimate::Verdict;

/// In the words of the report.
pub fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "reproduced",
        Verdict::Partly => "partly",
        Verdict::Refuted => "refuted",
    }
}

/// A row a claim.
pub fn markdown(claims: &[(Claim, Judged)]) -> String {
    let mut out = String::from(
        "| id | claim | document | ours ± 95 % | counted in | verdict | reason |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for (claim, judged) in claims {
        out += &format!(
            "| {} | {} | {} | {} | {} | {} | {} |\n",
            claim.id,
            claim.claim,
            claim.document,
            number_with_spread(judged.ours.mean, judged.ours.ci95),
            claim.unit,
            word(judged.verdict),
            judged.reason,
        );
    }
    out
}

/// For a terminal: id, verdict, document and ours in columns, the reason below.
pub fn text(claims: &[(Claim, Judged)]) -> String {
    let mut out = String::new();
    for (claim, judged) in claims {
        out += &format!("{}  {:<10}  {}\n", claim.id, word(judged.verdict), claim.claim);
        out += &format!(
            "      document {}, ours {} ({})\n      {}\n",
            claim.document,
            number_with_spread(judged.ours.mean, judged.ours.ci95),
            claim.unit,
            judged.reason,
        );
    }
    out
}
