//! `tenbin twin mapreduce`: jobs on Hadoop's own daemons, on a testbed's disks and links, and the
//! simulation of the same jobs.
//!
//! ```text
//!  scenario ─┬─► wanted ─► real (site) ─► histories ─► measured
//!            └─► the lab ───────────────────────────► predicted
//! ```
mod args;
mod figures;
mod real;
mod site;
mod wanted;
pub use args::Twin;

use crate::MAPREDUCE;
use args::TwinMapReduce;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use system::lab::Lab;
use system::output::{self, Output};
use system::progress::Progress;
use system::{Failure, console, interrupt, vary};
use testbed::host;
use testbed::twin::java::Java;
use testbed::twin::machine::Work;
use testbed::twin::{Compared, Figures, Pair};
use wanted::Wanted;

/// What Maven is asked for.
const POM: &str = include_str!("../../hadoop/twin/pom.xml");

/// Runs a scenario's jobs for real, and simulates them.
fn twin(args: &TwinMapReduce) -> Result<(), Failure> {
    let lab = Lab::of(&MAPREDUCE)?;
    let sheet = lab.read(&args.scenario, &vary::sets(&args.sets)?)?;
    let wanted = Wanted::of(&sheet, args.jar.is_some())?;
    let usual = || Path::new("out").join(format!("twin-{}", sheet.name));
    let place = args.out.clone().unwrap_or_else(usual);
    output::check_place(&place)?;
    host::check().map_err(|failure| match failure {
        Failure::Failed(why) => Failure::BadInput(why),
        other => other,
    })?;
    let out = Output::at(&place)?;
    let java = Java::find(POM, &args.hadoop, args.jar.as_deref(), &out.path("hadoop"))?;
    let [predicted, chance] = figures::predicted(&lab, &sheet, args.seeds)?;
    let progress = Progress::run();
    let (mut pairs, mut work) = (Vec::new(), Vec::new());
    for nth in 1..=args.runs {
        let folder = out.path(&format!("run-{nth}"));
        fs::create_dir_all(&folder).map_err(|e| Failure::writing(&folder, &e))?;
        let tell = |words: &str| progress.note(&format!("run {nth} of {}: {words}", args.runs));
        let (did, masters) = real::run(&wanted, &java, args, &folder, &tell)?;
        tell("reading");
        let measured = figures::measured(&masters)?;
        pairs.push(Pair { predicted: predicted.clone(), chance: chance.clone(), measured });
        work.push(did)
    }
    progress.end();
    let compared = Compared::of(&pairs);
    let object = object(args, &place, &compared, &pairs, &work);
    out.write("twin.json", format!("{object:#}\n").as_bytes())?;
    let text = format!("{}{}", compared.text(), waits(&pairs));
    out.write("twin.txt", text.as_bytes())?;
    fs::copy(&args.scenario, out.path("scenario.toml"))
        .map_err(|e| Failure::writing(&out.path("scenario.toml"), &e))?;
    interrupt::check()?;
    out.keep()?;
    match args.json {
        true => console::json(&object),
        false => console::text(&format!("{text}{}{}\n", Work::doubts(&work), place.display())),
    }
}

fn object(
    args: &TwinMapReduce,
    place: &Path,
    compared: &Compared,
    pairs: &[Pair],
    work: &[Work],
) -> Value {
    let run = |(pair, work): (&Pair, &Work)| {
        let mut run = work.json();
        run["measured"] = json!(pair.measured);
        run
    };
    let mut all = compared.json();
    all.insert("scenario".into(), json!(args.scenario));
    all.insert("hadoop".into(), json!(args.hadoop));
    all.insert("seeds".into(), json!(args.seeds));
    all.insert("runs".into(), pairs.iter().zip(work).map(run).collect());
    all.insert("out".into(), json!(place));
    Value::Object(all)
}

/// What a real job has before its first task, and the model has not.
fn waits(pairs: &[Pair]) -> String {
    let of = |pair: &Pair| pair.measured.get(figures::MASTER).copied();
    let all: Vec<f64> = pairs.iter().filter_map(of).collect();
    let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
    format!(
        "Not simulated, and no part of the times: {mean:.1} s from submission to a ready master.\n"
    )
}

/// Figures as a map, for a row.
fn figures(all: &[(&str, f64)]) -> Figures {
    all.iter().map(|(name, value)| (name.to_string(), *value)).collect()
}
