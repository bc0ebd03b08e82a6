//! `tenbin reproduce NAME` for any system's paper.
use crate::cli::Reproduce;
use crate::failure::Failure;
use crate::output::{self, Output};
use crate::{console, interrupt, vary};
use page::{
    Body, Cell, Certainty, Column, Foot, Head, Page, Row, Section, Table, Tone, say as sentence,
};
use serde_json::{Value, json};
use std::path::PathBuf;
use system::claims::{
    Claim, Document, MeasuredClaim, MeasuredClaims, RealExperiment, RealRunOptions,
    ReproduceRequest, Reproduction, VerdictKind,
};
use system::output::beside;
use system::provenance::command_line;
use system::reporter::figure;
use system::{System, partial, result};

/// Runs the claims' experiments, judges them, and writes page, table and numbers.
pub fn reproduce(args: Reproduce, real: Option<&crate::real::RealCommands>) -> Result<(), Failure> {
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
    let request = ReproduceRequest { seeds: args.seeds, sets: &sets, claim, place: &place };
    let for_real = real.map_or(&[][..], |real| real.documents);
    let real = measured_now(&args, for_real, &request)?;
    let done = (document.reproduce)(&request)?.with_sensitivity();
    interrupt::check()
        .map_err(|why| request.keep_partial(why, Vec::new(), &done.claims, "runs and figures"))?;
    let done = request.filter_claims(done)?;
    let claims: Vec<Value> = done.claims.iter().map(|c| with_real(c, &real.claims)).collect();
    let mut object = json!({
        "system": document.name,
        "claims": claims,
        "parameters": done.parameters,
        "wall_s": started.elapsed().as_secs_f64(),
    });
    if !real.numbers.is_null() {
        object["real"] = real.numbers.clone()
    }
    let page = page(system, document, (&done, &real), args.seeds);
    let out = Output::at(&place)?;
    result::report(&out, &page)?;
    out.write("reproduce.json", format!("{object}\n").as_bytes())?;
    let text = text(&done.claims, &real);
    out.write("reproduce.txt", text.as_bytes())?;
    out.keep()?;
    partial::forget(&place);
    if args.real {
        // The results are complete: deletes the kept runs.
        let _ = std::fs::remove_file(beside(&place, "-real.runs.jsonl"));
    }
    if args.json {
        return console::json(&object);
    }
    console::text(&format!("{text}\n{}\n", place.join("report.html").display()))
}

/// Results of real runs, if `--real` is given.
fn measured_now(
    args: &Reproduce,
    for_real: &[RealExperiment],
    request: &ReproduceRequest<'_>,
) -> Result<MeasuredClaims, Failure> {
    if !args.real {
        return Ok(MeasuredClaims::default());
    }
    let Some(how) = for_real.iter().find(|how| how.document == args.system) else {
        let names: Vec<&str> = for_real.iter().map(|how| how.document).collect();
        return Err(Failure::BadInput(format!(
            "--real: {} has no real experiment: expected {}",
            args.system,
            names.join(", ")
        )));
    };
    let jar = args.jar.as_deref();
    if how.needs_jar != jar.is_some() {
        let what = if how.needs_jar { "needs --jar FILE" } else { "needs no --jar" };
        return Err(Failure::BadInput(format!("--real: {} {what}", args.system)));
    }
    let place = beside(request.place, "-real");
    let Reproduce { seeds, hadoop, .. } = args;
    let (runs, store) = (args.runs.unwrap_or(how.runs), args.store.as_deref());
    (how.make)(request, &RealRunOptions { runs, seeds: *seeds, hadoop, jar, store, place: &place })
}

fn of<'r>(claim: &Claim, real: &'r [MeasuredClaim]) -> Option<&'r MeasuredClaim> {
    real.iter().find(|measured| measured.id == claim.id)
}

/// Adds the results of real runs to the claim's JSON.
fn with_real(claim: &Claim, real: &[MeasuredClaim]) -> Value {
    let mut object = json!(claim);
    if let Some(measured) = of(claim, real) {
        object["real"] = json!(measured)
    }
    object
}

/// "-2.1 ± 3.0 % shorter jobs (7 runs), simulated 1.0 ± 0.4"
fn measured(of: &MeasuredClaim) -> String {
    let MeasuredClaim { measured, spread, predicted, predicted_spread, unit, runs, .. } = of;
    let [m, s, p, t] = [measured, spread, predicted, predicted_spread].map(|n| figure(*n));
    format!("{m} ± {s} {unit} ({runs} runs of each), simulated {p} ± {t}")
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

fn text(claims: &[Claim], real: &MeasuredClaims) -> String {
    let mut out = String::new();
    for claim in claims {
        let Claim { id, verdict, document, reason, .. } = claim;
        out += &format!("{id}  {}  {}\n", verdict.label(), claim.claim);
        out += &format!("      paper: {document}; Tenbin: {}\n      {reason}\n", ours(claim));
        if let Some(of) = of(claim, &real.claims) {
            let (said, MeasuredClaim { verdict, reason, .. }) = (measured(of), of);
            out += &format!("      measured on a small cluster: {said}: {}\n", verdict.label());
            out += &format!("      {reason}\n")
        }
        for s in &claim.sensitivity {
            let (what, value, word) = (&s.what, &s.value, s.verdict.short_label());
            out += &format!("      with {what} = {value}: {} ({word})\n", figure(s.ours));
        }
    }
    for figure in &real.figures {
        let mut lines = vec![String::new()];
        page::text::section(&mut lines, figure);
        out += &(lines.join("\n") + "\n")
    }
    out
}

fn page(
    system: &'static System,
    document: &Document,
    (done, real): (&Reproduction, &MeasuredClaims),
    seeds: u32,
) -> Page {
    let count = |word| done.claims.iter().filter(|c| c.verdict.word == word).count();
    let all = done.claims.len();
    let reproduced = count(VerdictKind::Reproduced);
    let verdict =
        sentence("").number(format!("{reproduced} of {all}")).say(" claims are reproduced.");
    let rest: Vec<String> = VerdictKind::ALL
        .into_iter()
        .filter(|word| *word != VerdictKind::Reproduced && count(*word) > 0)
        .map(|word| format!("{} {}", count(word), word.text()))
        .collect();
    let certainty = Certainty::low("a model of the paper's system; see each claim's reason.");
    let head = Head::new(["reproduce", document.name], verdict, certainty)
        .fact(document.title)
        .subline(rest.join(", ").as_str());
    let foot = Foot::new(command_line()).from("Seeds", format!("1–{seeds}"));
    let mut page = Page::new(system.name, head, foot).with(claims(&done.claims));
    if !real.claims.is_empty() {
        page = page.with(for_real(&done.claims, &real.claims))
    }
    for figure in real.figures.iter().chain(&done.figures) {
        page = page.with(figure.clone())
    }
    page
}

fn tone(word: VerdictKind) -> Tone {
    match word {
        VerdictKind::Reproduced => Tone::Firm,
        VerdictKind::Partly | VerdictKind::WithTheseAssumptions => Tone::Partly,
        VerdictKind::Refuted => Tone::Against,
        VerdictKind::Undecided | VerdictKind::ByConstruction => Tone::Open,
    }
}

/// Columns: paper, simulation of its cluster, simulation of the small cluster, measurement on the
/// small cluster.
fn for_real(claims: &[Claim], real: &[MeasuredClaim]) -> Section {
    let columns = ["claim", "paper", "simulated", "small cluster, simulated", "measured", "runs"];
    let columns = columns.into_iter().chain(["verdict"]).map(Column::words).collect();
    let row = |claim: &Claim| {
        let of = of(claim, real)?;
        let with = |value: f64, spread: f64| {
            Cell::text(format!("{} ± {} {}", figure(value), figure(spread), of.unit).as_str())
        };
        Some(Row::new(vec![
            Cell::text(claim.id),
            Cell::text(claim.document.as_str()),
            Cell::text(ours(claim).as_str()),
            with(of.predicted, of.predicted_spread),
            with(of.measured, of.spread),
            Cell::text(of.runs.to_string().as_str()),
            Cell::verdict(&of.verdict.label(), tone(of.verdict.word), &of.reason),
        ]))
    };
    let rows = claims.iter().filter_map(row).collect();
    let title = "Measured on a small cluster";
    Section::new("real", title, "", Body::Table(Table { columns, rows }))
}

fn claims(claims: &[Claim]) -> Section {
    let columns = ["claim", "statement", "paper", "Tenbin", "verdict", "under other assumptions"];
    let columns = columns.map(Column::words).to_vec();
    let row = |claim: &Claim| {
        let other = claim.sensitivity.iter().map(|s| {
            format!("{} = {}: {} ({})", s.what, s.value, figure(s.ours), s.verdict.short_label())
        });
        let other: Vec<String> = other.collect();
        Row::new(vec![
            Cell::text(claim.id),
            Cell::text(claim.claim),
            Cell::text(claim.document.as_str()),
            Cell::text(ours(claim).as_str()),
            Cell::verdict(&claim.verdict.label(), tone(claim.verdict.word), &claim.reason),
            Cell::text(other.join("; ").as_str()),
        ])
    };
    let rows = claims.iter().map(row).collect();
    Section::new("claims", "Claims", "", Body::Table(Table { columns, rows }))
}
