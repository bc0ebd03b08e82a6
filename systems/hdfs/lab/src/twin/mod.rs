//! `tenbin twin hdfs`: a loss on Hadoop's own daemons, on a testbed's disks and links, and the
//! simulation of the same loss.
//!
//! ```text
//!  scenario ─► wanted ─► real (site, hadoop) ─┬─► what Hadoop's tools list ─► predicted
//!                                             └─► logs of the repair ──────► measured
//! ```
mod args;
mod predicted;
mod real;
mod site;
mod wanted;
pub(crate) use args::TwinHdfs;

use crate::failure::Failure;
use crate::output::{self, Output};
use crate::{console, interrupt, job, vary};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use system::progress::Progress;
use testbed::host;
use testbed::twin::java::Java;
use testbed::twin::machine::Work;
use testbed::twin::{Compared, Pair};
use wanted::Wanted;

/// What Maven is asked for.
const POM: &str = include_str!("../../../hadoop/twin/pom.xml");

/// Runs a scenario for real, and simulates each run.
pub(crate) fn twin(args: TwinHdfs) -> Result<(), Failure> {
    let sheet = job::lab().read(&args.scenario, &vary::sets(&args.sets)?)?;
    let wanted = Wanted::of(&sheet, args.jar.is_some())?;
    let place =
        args.out.clone().unwrap_or_else(|| Path::new("out").join(format!("twin-{}", sheet.name)));
    output::check_place(&place)?;
    host::check().map_err(|failure| match failure {
        Failure::Failed(why) => Failure::BadInput(why),
        other => other,
    })?;
    let out = Output::at(&place)?;
    let hadoop = Java::find(POM, &args.hadoop, args.jar.as_deref(), &out.path("hadoop"))?;
    let progress = Progress::run();
    let mut runs = Vec::new();
    for nth in 1..=args.runs {
        let folder = out.path(&format!("run-{nth}"));
        fs::create_dir_all(&folder).map_err(|e| Failure::writing(&folder, &e))?;
        let tell = |words: &str| progress.note(&format!("run {nth} of {}: {words}", args.runs));
        let work = real::run(&wanted, &hadoop, &args, &folder, &tell)?;
        tell("reading and simulating");
        let predicted = predicted::predicted(&folder, &wanted, args.seeds)?;
        let measured = predicted::measured(&folder, &wanted, &predicted.cluster)?;
        let (predicted, chance) = (predicted.figures, predicted.chance);
        runs.push((Pair { predicted, chance, measured }, work))
    }
    progress.end();
    let (pairs, work): (Vec<Pair>, Vec<Work>) = runs.into_iter().unzip();
    let compared = Compared::of(&pairs);
    let object = object(&args, &place, &compared, &pairs, &work);
    out.write("twin.json", format!("{object:#}\n").as_bytes())?;
    let text = compared.text();
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
    args: &TwinHdfs,
    place: &Path,
    compared: &Compared,
    pairs: &[Pair],
    work: &[Work],
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
