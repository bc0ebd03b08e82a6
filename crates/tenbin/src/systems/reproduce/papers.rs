//! `tenbin reproduce all`: the verdicts of all papers as one page of Markdown.
use super::text::{ours, rests};
use super::{Done, Real, one};
use crate::cli::Reproduce;
use crate::console;
use crate::failure::Failure;
use serde_json::{Value, json};
use std::path::PathBuf;
use system::claims::{Claim, Document, VerdictKind};

pub const ALL: &str = "all";
/// The example of a system, without a paper.
const EXAMPLE: &str = "echo";

/// Reproduces each paper in a folder of its own, and writes `papers.md` next to them.
pub fn all(args: &Reproduce, real: Real<'_>) -> Result<(), Failure> {
    if args.real || args.claim.is_some() || !args.sets.is_empty() {
        let why = "all: --real, --claim and --set belong to one paper: name it, such as s0";
        return Err(Failure::BadInput(why.into()));
    }
    let place = args.out.clone().unwrap_or_else(|| PathBuf::from("out/papers"));
    let mut done: Vec<(&'static Document, Done)> = Vec::new();
    for (system, document) in crate::systems::documents().filter(|(_, d)| d.name != EXAMPLE) {
        let own = place.join(document.name);
        done.push((document, one(args, (system, document), real, &own)?))
    }
    let file = place.join("papers.md");
    let text = markdown(&done);
    std::fs::write(&file, &text)
        .map_err(|why| Failure::Failed(format!("cannot write {}: {why}", file.display())))?;
    if args.json {
        let all: Vec<&Value> = done.iter().map(|(_, done)| &done.object).collect();
        return console::json(&json!({ "papers": all }));
    }
    console::text(&format!("{text}\n{}\n", file.display()))
}

/// Words with their counts: "12 reproduced, 3 partly".
fn counts<'c>(claims: impl Iterator<Item = &'c Claim> + Clone) -> String {
    let count = |word| claims.clone().filter(|claim| claim.verdict.word == word).count();
    let words = VerdictKind::ALL.into_iter().filter(|word| count(*word) > 0);
    words.map(|word| format!("{} {}", count(word), word.text())).collect::<Vec<_>>().join(", ")
}

fn markdown(done: &[(&Document, Done)]) -> String {
    let claims = done.iter().flat_map(|(_, done)| &done.claims);
    let mut out = format!(
        "# The papers\n\nWritten by `tenbin reproduce all`. {} claims: {}. The words and their \
         rule are in [decision 49](decisions/0049-verdicts.md).\n",
        claims.clone().count(),
        counts(claims)
    );
    for (document, done) in done {
        let of = counts(done.claims.iter());
        out +=
            &format!("\n## {}\n\n`tenbin reproduce {}`: {of}.\n\n", document.title, document.name);
        out += "| claim | statement | paper | Tenbin | verdict | rests on, or would decide |\n";
        out += "|---|---|---|---|---|---|\n";
        out += &done.claims.iter().map(row).collect::<String>()
    }
    out
}

fn row(claim: &Claim) -> String {
    let cells = [
        claim.id.to_string(),
        claim.claim.to_string(),
        claim.document.clone(),
        format!("{} {}", ours(claim), claim.unit),
        claim.verdict.label(),
        rests_on(claim),
    ];
    let cells = cells.map(|cell| cell.replace('|', "\\|"));
    format!("| {} |\n", cells.join(" | "))
}

/// Alternatives with which the claim fails or holds, and evidence that would decide it.
fn rests_on(claim: &Claim) -> String {
    let [fails, holds] = rests(claim);
    let all = [("fails with ", fails), ("holds with ", holds), ("", claim.decides.clone())];
    let all = all.into_iter().filter(|(_, text)| !text.is_empty());
    all.map(|(label, text)| format!("{label}{text}")).collect::<Vec<_>>().join("; ")
}
