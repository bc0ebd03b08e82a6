//! Claims for a terminal.
use super::of;
use system::claims::{
    Claim, MeasuredClaim, MeasuredClaims, Readings, Reproduction, Sensitivity, VerdictKind,
};
use system::reporter::figure;

/// "-2.1 ± 3.0 % shorter jobs (7 runs), simulated 1.0 ± 0.4"
pub(super) fn measured(of: &MeasuredClaim) -> String {
    let MeasuredClaim { measured, spread, predicted, predicted_spread, unit, runs, .. } = of;
    let [m, s, p, t] = [measured, spread, predicted, predicted_spread].map(|n| figure(*n));
    format!("{m} ± {s} {unit} ({runs} runs of each), simulated {p} ± {t}")
}

pub(super) fn ours(claim: &Claim) -> String {
    match (claim.ours, claim.spread) {
        (Some(ours), Some(spread)) if spread > 0.0 => {
            format!("{} ± {}", figure(ours), figure(spread))
        }
        (Some(ours), _) => figure(ours),
        _ => "–".into(),
    }
}

/// Alternatives with which a claim that holds fails, and those with which another one holds.
pub(super) fn rests(claim: &Claim) -> [String; 2] {
    let rests = claim.verdict.word == VerdictKind::WithTheseAssumptions;
    let list = |all: Vec<&Sensitivity>| -> String {
        let one = |s: &&Sensitivity| format!("{} = {}", s.what, s.value);
        all.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let fails = claim.fails_with().filter(|_| rests).collect();
    [list(fails), list(claim.holds_with().collect())]
}

/// Label and text of the parts that unfold. Empty texts are left out.
pub(super) fn notes(claim: &Claim, real: &MeasuredClaims) -> Vec<(String, String)> {
    let [fails, holds] = rests(claim);
    let on_small = of(claim, &real.claims).map_or(String::new(), |of| {
        let MeasuredClaim { verdict, reason, .. } = of;
        format!("on a small cluster: {}: {}. {reason}", measured(of), verdict.label())
    });
    let seeds = match claim.seeds {
        Some(1) => "1, since the run has no randomness".to_string(),
        Some(seeds) => format!("1–{seeds}"),
        None => String::new(),
    };
    let all = [
        ("Why", claim.reason.clone()),
        ("Fails with", fails),
        ("Holds with", holds),
        ("Measured", on_small),
        ("Power", claim.power.clone()),
        ("Would decide", claim.decides.clone()),
        ("Seeds", seeds),
    ];
    let all = all.into_iter().filter(|(_, text)| !text.is_empty());
    all.map(|(label, text)| (label.to_string(), text)).collect()
}

pub(super) fn text(done: &Reproduction, real: &MeasuredClaims) -> String {
    let mut out = String::new();
    for claim in &done.claims {
        let Claim { id, verdict, document, unit, .. } = claim;
        out += &format!("{id}  {}  {}\n", verdict.label(), claim.claim);
        out += &format!("      paper: {document}; Tenbin: {} {unit}\n", ours(claim));
        for (label, text) in notes(claim, real) {
            out += &format!("      {label}: {text}\n");
        }
        for s in &claim.sensitivity {
            let (what, value, word) = (&s.what, &s.value, s.verdict.short_label());
            let stated = if s.stated { ", in the paper" } else { "" };
            out += &format!("      with {what} = {value}: {} ({word}{stated})\n", figure(s.ours));
        }
    }
    out += &done.readings.as_ref().map_or(String::new(), readings);
    for figure in &real.figures {
        let mut lines = vec![String::new()];
        page::text::section(&mut lines, figure);
        out += &(lines.join("\n") + "\n")
    }
    out
}

/// The combinations that reproduce most claims, and the assumed one.
fn readings(of: &Readings) -> String {
    let mut out = format!("\nClaims that hold together, by {}\n", of.keys.join(", "));
    for (at, one) in of.readings.iter().enumerate().filter(|(at, one)| *at < 5 || one.assumed) {
        let assumed = if one.assumed { " (assumed)" } else { "" };
        let words = of.claims.iter().zip(&one.verdicts);
        let words: Vec<String> =
            words.map(|(id, verdict)| format!("{id} {}", verdict.word.text())).collect();
        let (at, values) = (at + 1, one.values.join(", "));
        out += &format!("  {at}. {values}{assumed}: {}\n", words.join("; "));
    }
    out
}
