//! `tenbin import hdfs-log`
use super::ImportHdfsLog;
use crate::failure::Failure;
use crate::output::{self, Output};
use crate::{about, console, files, interrupt, job};
use hdfs_reading::{Assumption, Context, Variant, VariantRuns};
use hdfs_scenario::Scenario;
use hdfs_trace::ingest::hdfs::Input;
use hdfs_trace::ingest::hdfs_log::{self, Logged, Sources};
use page::{Page, Provenance};
use serde_json::{Value, json};
use std::path::Path;
use system::import::reading;
use system::result;

/// The cluster file in the folder.
const CLUSTER: &str = "cluster.toml";

/// Makes a run's folder of what really happened.
pub(super) fn import(args: ImportHdfsLog) -> Result<(), Failure> {
    output::check_place(&args.out)?;
    let mut logged = reading(|tell| hdfs_log::import(&sources(&args), tell))?;
    let out = Output::at(&args.out)?;
    let scenario = scenario(&out, &logged)?;
    logged.trace.run.extend(provenance(&scenario));
    let read = hdfs_reading::Run::of(0, &logged.trace);
    let (page, rows) = page_of(&scenario, &logged, read.clone());
    let object = object(&args.out, &logged, &read, page.head.certainty.level.word());
    result::report(&out, &page)?;
    files::trace(&out, &mut logged.trace)?;
    out.write("run.json", format!("{object}\n").as_bytes())?;
    interrupt::check()?;
    out.keep()?;
    if args.json {
        return console::json(&object);
    }
    let notes: Vec<String> = logged.cluster.notes.iter().map(|n| format!("note: {n}\n")).collect();
    let (text, place) = (hdfs_reading::text(&page, &rows), args.out.join("report.html"));
    console::text(&format!("{text}\n{}{}\n", notes.concat(), place.display()))
}

fn sources(args: &ImportHdfsLog) -> Sources {
    Sources {
        name: name(&args.out),
        logs: args.logs.iter().map(|path| Input::named(path)).collect(),
        conf: args.conf.as_deref().map(Input::named),
    }
}

fn name(out: &Path) -> String {
    out.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Writes the rebuilt cluster and a scenario of the same losses, and reads them as a run would.
fn scenario(out: &Output, logged: &Logged) -> Result<Scenario, Failure> {
    let toml = out.path(CLUSTER);
    logged.cluster.write(&toml).map_err(|e| Failure::writing(&toml, &e))?;
    out.write("scenario.toml", logged.scenario(CLUSTER).as_bytes())?;
    let scenario = job::read(&out.path("scenario.toml"), &[])?;
    Ok(Scenario { name: name(out.place()), ..scenario })
}

fn provenance(scenario: &Scenario) -> Vec<(String, String)> {
    let pairs = [
        ("scenario", scenario.name.clone()),
        ("scenario_hash", scenario.hash.clone()),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("command", job::command_line()),
    ];
    pairs.map(|(key, value)| (key.to_string(), value)).into()
}

fn page_of(scenario: &Scenario, logged: &Logged, read: hdfs_reading::Run) -> (Page, Vec<Variant>) {
    let blocks = logged.cluster.counts.blocks;
    let default = |(key, value): &(String, String)| Assumption {
        key: key.clone(),
        name: key.clone(),
        value: value.clone(),
        half: Vec::new(),
        double: Vec::new(),
    };
    let assumed = logged.assumed.iter().map(default).collect();
    let context = about::context(scenario, blocks, 0, assumed);
    let row = |name: &str, value: String| Provenance { name: name.into(), value };
    let context = Context {
        file: CLUSTER.into(),
        logged: true,
        tags: vec!["from logs".into()],
        provenance: vec![
            row("Logs", logged.cluster.sources.join(", ")),
            row("Lines", logged.lines.to_string()),
            row("tenbin", env!("CARGO_PKG_VERSION").into()),
        ],
        ..context
    };
    let variants = [VariantRuns { name: "as logged".into(), set: Vec::new(), runs: vec![read] }];
    let rows = hdfs_reading::compare(&context.settings, &variants);
    let mut page = files::linked(hdfs_reading::page(&context, &variants, &rows, &logged.trace));
    // What happened has no seed.
    page.foot.provenance.retain(|row| row.name != "Seeds");
    (page, rows)
}

fn object(out: &Path, logged: &Logged, read: &hdfs_reading::Run, certainty: &str) -> Value {
    let mut metrics: serde_json::Map<String, Value> =
        read.metrics.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
    metrics.insert("attribution".into(), json!(read.attribution.shares));
    let counts = logged.cluster.counts.named();
    let counts: serde_json::Map<String, Value> =
        counts.iter().map(|(name, n)| (name.to_string(), json!(n))).collect();
    json!({
        "origin": "logged",
        "lines": logged.lines,
        "losses": logged.losses.iter().map(|(node, _)| node).collect::<Vec<_>>(),
        "certainty": certainty,
        "metrics": metrics,
        "counts": counts,
        "assumed": logged.assumed.iter().map(|(key, _)| key).collect::<Vec<_>>(),
        "notes": logged.cluster.notes,
        "out": out,
    })
}
