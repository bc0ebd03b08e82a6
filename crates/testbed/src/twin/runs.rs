//! All runs of a twin, from its arguments to what it prints.
use super::args::TwinArgs;
use super::compared::{Compared, Pair};
use super::java::Java;
use super::machine::Work;
use crate::host;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use system::output::{self, Output};
use system::progress::Progress;
use system::{Failure, console, interrupt};

/// What a run is given: its folder, and how it says what it does.
pub type Run<'r> = dyn FnMut(&Java, &Path, &dyn Fn(&str)) -> Result<(Pair, Work), Failure> + 'r;

/// Makes all runs of the scenario of this name with the programs of a POM, and writes and prints
/// what came of them, with what `note` says of it.
///
/// # Errors
/// Bad input: what is missing on this machine. A run fails; interrupted.
pub fn runs(
    args: &TwinArgs,
    (name, pom): (&str, &str),
    run: &mut Run<'_>,
    note: &dyn Fn(&[Pair]) -> String,
) -> Result<(), Failure> {
    let usual = || Path::new("out").join(format!("twin-{name}"));
    let place = args.out.clone().unwrap_or_else(usual);
    output::check_place(&place)?;
    host::check().map_err(|failure| match failure {
        Failure::Failed(why) => Failure::BadInput(why),
        other => other,
    })?;
    let out = Output::at(&place)?;
    let java = Java::find(pom, &args.hadoop, args.jar.as_deref(), &out.path("hadoop"))?;
    let progress = Progress::run();
    let (mut pairs, mut work) = (Vec::new(), Vec::new());
    for nth in 1..=args.runs {
        let folder = out.path(&format!("run-{nth}"));
        fs::create_dir_all(&folder).map_err(|e| Failure::writing(&folder, &e))?;
        let tell = |words: &str| progress.note(&format!("run {nth} of {}: {words}", args.runs));
        let (pair, did) = run(&java, &folder, &tell)?;
        pairs.push(pair);
        work.push(did)
    }
    progress.end();
    let compared = Compared::of(&pairs);
    let object = object(args, &place, &compared, (&pairs, &work));
    out.write("twin.json", format!("{object:#}\n").as_bytes())?;
    let text = format!("{}{}{}", compared.text(), note(&pairs), Work::doubts(&work));
    out.write("twin.txt", text.as_bytes())?;
    fs::copy(&args.scenario, out.path("scenario.toml"))
        .map_err(|e| Failure::writing(&out.path("scenario.toml"), &e))?;
    interrupt::check()?;
    out.keep()?;
    match args.json {
        true => console::json(&object),
        false => console::text(&format!("{text}{}\n", place.display())),
    }
}

fn object(
    args: &TwinArgs,
    place: &Path,
    compared: &Compared,
    (pairs, work): (&[Pair], &[Work]),
) -> Value {
    let run = |(pair, work): (&Pair, &Work)| {
        let mut run = work.json();
        run["predicted"] = json!(pair.predicted);
        run["chance"] = json!(pair.chance);
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
