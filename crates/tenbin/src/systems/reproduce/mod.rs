//! `tenbin reproduce NAME` for any system's paper, `tenbin reproduce all` for all of them.
mod page;
mod papers;
mod text;

use crate::cli::Reproduce;
use crate::failure::Failure;
use crate::output::{self, Output};
use crate::{console, interrupt, vary};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use system::claims::{
    Claim, Document, MeasuredClaim, MeasuredClaims, RealExperiment, RealRunOptions,
    ReproduceRequest, Reproduction, Seeds,
};
use system::output::beside;
use system::{System, partial, result};

/// Seeds of a simulation next to real runs, without `--seeds`.
const NEXT_TO_REAL: u32 = 10;

type Real<'r> = Option<&'r crate::real::RealCommands>;

/// Runs the claims' experiments, judges them, and writes page, table and numbers.
pub fn reproduce(args: Reproduce, real: Real<'_>) -> Result<(), Failure> {
    if args.system == papers::ALL {
        return papers::all(&args, real);
    }
    let (system, document) = super::documents()
        .find(|(_, document)| document.name == args.system)
        .expect("the argument line has been checked");
    let default = || PathBuf::from(format!("out/reproduce-{}", document.name));
    let place = args.out.clone().unwrap_or_else(default);
    let done = one(&args, (system, document), real, &place)?;
    if args.json {
        return console::json(&done.object);
    }
    console::text(&format!("{}\n{}\n", done.text, place.join("report.html").display()))
}

/// A paper's result, as printed.
struct Done {
    claims: Vec<Claim>,
    object: Value,
    text: String,
}

fn one(
    args: &Reproduce,
    (system, document): (&'static System, &Document),
    real: Real<'_>,
    place: &Path,
) -> Result<Done, Failure> {
    let started = crate::clock::now();
    output::check_place(place)?;
    partial::check_place(place)?;
    let sets = vary::sets(&args.sets)?;
    let claim = args.claim.as_deref();
    let seeds = args.seeds.map_or(Seeds::UNTIL_DECIDED, Seeds::fixed);
    let request = ReproduceRequest { seeds, sets: &sets, claim, place };
    let for_real = real.map_or(&[][..], |real| real.documents);
    let real = measured_now(args, for_real, &request)?;
    let done = (document.reproduce)(&request)?.with_sensitivity();
    interrupt::check()
        .map_err(|why| request.keep_partial(why, Vec::new(), &done.claims, "runs and figures"))?;
    let done = request.filter_claims(done)?;
    let object = object(document, &done, &real, started.elapsed().as_secs_f64());
    let page = page::page(system, document, (&done, &real), seeds);
    let out = Output::at(place)?;
    result::report(&out, &page)?;
    out.write("reproduce.json", format!("{object}\n").as_bytes())?;
    let text = text::text(&done, &real);
    out.write("reproduce.txt", text.as_bytes())?;
    out.keep()?;
    partial::forget(place);
    if args.real {
        // The results are complete: deletes the kept runs.
        let _ = std::fs::remove_file(beside(place, "-real.runs.jsonl"));
    }
    Ok(Done { claims: done.claims, object, text })
}

fn object(document: &Document, done: &Reproduction, real: &MeasuredClaims, wall_s: f64) -> Value {
    let claims: Vec<Value> = done.claims.iter().map(|c| with_real(c, &real.claims)).collect();
    let mut object = json!({
        "system": document.name,
        "claims": claims,
        "parameters": done.parameters,
        "wall_s": wall_s,
    });
    if let Some(readings) = &done.readings {
        object["readings"] = json!(readings)
    }
    if !real.numbers.is_null() {
        object["real"] = real.numbers.clone()
    }
    object
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
    let (hadoop, seeds) = (&args.hadoop, args.seeds.unwrap_or(NEXT_TO_REAL));
    let (runs, store) = (args.runs.unwrap_or(how.runs), args.store.as_deref());
    (how.make)(request, &RealRunOptions { runs, seeds, hadoop, jar, store, place: &place })
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
