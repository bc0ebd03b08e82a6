//! `tenbin reproduce NAME`, of any system's document.
use crate::cli::Reproduce;
use crate::failure::Failure;
use crate::output::{self, Output};
use crate::{console, interrupt, vary};
use page::{
    Body, Cell, Certainty, Column, Foot, Head, Page, Row, Section, Table, Tone, say as sentence,
};
use serde_json::json;
use std::path::PathBuf;
use system::claims::{Asked, Claim, Document, Reproduction, Word};
use system::provenance::command_line;
use system::words::figure;
use system::{System, partial, result};

/// Runs what the claims need, judges them, and writes page, table and numbers.
pub fn reproduce(args: Reproduce) -> Result<(), Failure> {
    let started = crate::clock::now();
    let mut known = super::documents();
    let known = known.find(|(_, document)| document.name == args.system);
    let (system, document) = known.expect("the argument line has been checked");
    let place = args
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("out/reproduce-{}", document.name)));
    output::check_place(&place)?;
    partial::check_place(&place)?;
    let sets = vary::sets(&args.sets)?;
    let claim = args.claim.as_deref();
    let asked = Asked { seeds: args.seeds, sets: &sets, claim, place: &place };
    let done = (document.reproduce)(&asked)?.weighed();
    interrupt::check()
        .map_err(|why| asked.kept_with(why, Vec::new(), &done.claims, "runs and figures"))?;
    let done = asked.only(done)?;
    let object = json!({
        "system": document.name,
        "claims": done.claims,
        "parameters": done.parameters,
        "wall_s": started.elapsed().as_secs_f64(),
    });
    let page = page(system, document, &done, args.seeds);
    let out = Output::at(&place)?;
    result::report(&out, &page)?;
    out.write("reproduce.json", format!("{object}\n").as_bytes())?;
    out.write("reproduce.txt", text(&done.claims).as_bytes())?;
    out.keep()?;
    partial::forget(&place);
    if args.json {
        return console::json(&object);
    }
    console::text(&format!("{}\n{}\n", text(&done.claims), place.join("report.html").display()))
}

/// "0.95 ± 0.01 of one server", or "–".
fn ours(claim: &Claim) -> String {
    match (claim.ours, claim.spread) {
        (Some(ours), Some(spread)) if spread > 0.0 => {
            format!("{} ± {} {}", figure(ours), figure(spread), claim.unit)
        }
        (Some(ours), _) => format!("{} {}", figure(ours), claim.unit),
        _ => "–".into(),
    }
}

fn text(claims: &[Claim]) -> String {
    let mut out = String::new();
    for claim in claims {
        let Claim { id, verdict, document, reason, .. } = claim;
        out += &format!("{id}  {}  {}\n", verdict.said(), claim.claim);
        out += &format!("      document: {document}; ours: {}\n      {reason}\n", ours(claim));
        for s in &claim.sensitivity {
            let (what, value, word) = (&s.what, &s.value, s.verdict.noted());
            out += &format!("      with {what} = {value}: {} ({word})\n", figure(s.ours));
        }
    }
    out
}

fn page(system: &'static System, document: &Document, done: &Reproduction, seeds: u32) -> Page {
    let count = |word| done.claims.iter().filter(|c| c.verdict.word == word).count();
    let all = done.claims.len();
    let reproduced = count(Word::Reproduced);
    let verdict =
        sentence("").number(format!("{reproduced} of {all}")).say(" claims are reproduced.");
    let rest: Vec<String> = Word::ALL
        .into_iter()
        .filter(|word| *word != Word::Reproduced && count(*word) > 0)
        .map(|word| format!("{} {}", count(word), word.text()))
        .collect();
    let certainty = Certainty::low("a model of the document's system; see each claim's reason.");
    let head = Head::new(["reproduce", document.name], verdict, certainty)
        .fact(document.title)
        .subline(rest.join(", ").as_str());
    let foot = Foot::new(command_line()).from("Seeds", format!("1–{seeds}"));
    let mut page = Page::new(system.name, head, foot).with(claims(&done.claims));
    for figure in &done.figures {
        page = page.with(figure.clone())
    }
    page
}

fn claims(claims: &[Claim]) -> Section {
    let columns = ["claim", "statement", "document", "ours", "verdict", "with what is not said"];
    let columns = columns.map(Column::words).to_vec();
    let row = |claim: &Claim| {
        let tone = match claim.verdict.word {
            Word::Reproduced => Tone::Firm,
            Word::Partly | Word::WithTheseAssumptions => Tone::Partly,
            Word::Refuted => Tone::Against,
            Word::Undecided | Word::ByConstruction => Tone::Open,
        };
        let other = claim.sensitivity.iter().map(|s| {
            format!("{} = {}: {} ({})", s.what, s.value, figure(s.ours), s.verdict.noted())
        });
        let other: Vec<String> = other.collect();
        Row::new(vec![
            Cell::text(claim.id),
            Cell::text(claim.claim),
            Cell::text(claim.document.as_str()),
            Cell::text(ours(claim).as_str()),
            Cell::verdict(&claim.verdict.said(), tone, &claim.reason),
            Cell::text(other.join("; ").as_str()),
        ])
    };
    let rows = claims.iter().map(row).collect();
    Section::new("claims", "Claims", "", Body::Table(Table { columns, rows }))
}
