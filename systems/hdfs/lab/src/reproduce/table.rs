//! The claims as a markdown table.
use super::claims::{Claim, Judged, number_with_spread};
use super::reading;

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
            judged.verdict.word(),
            judged.reason,
        );
    }
    out
}

/// For a terminal: id, verdict, document and ours in columns, the reason and
/// its value at what the document leaves open below.
pub fn text(claims: &[(Claim, Judged)]) -> String {
    let mut out = String::new();
    for (claim, judged) in claims {
        out += &format!("{}  {:<11}  {}\n", claim.id, judged.verdict.word(), claim.claim);
        out += &format!(
            "      document {}, ours {} ({})\n      {}\n",
            claim.document,
            number_with_spread(judged.ours.mean, judged.ours.ci95),
            claim.unit,
            judged.reason,
        );
        for (key, at) in reading::by_key(&judged.sensitivity) {
            out += &format!("      {key:<26} {at}\n");
        }
    }
    out
}
