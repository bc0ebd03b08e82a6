//! `tenbin import hdfs-log`
use super::ImportHdfsLog;
use crate::failure::Failure;
use crate::output::{self, Output};
use crate::repair_run::RepairRun;
use crate::simulation::Hdfs;
use crate::{about, console, interrupt, job};
use cluster::Sheet;
use hdfs_reading::sentences::notes;
use hdfs_reading::{Context, Run};
use hdfs_scenario::Scenario;
use hdfs_trace::ingest::hdfs::Input;
use hdfs_trace::ingest::hdfs_log::{self, ImportedLogs, Sources};
use page::{Do, Page, Provenance, Sentence, say};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use system::Simulation;
use system::advice::Advice;
use system::assumed::Assumptions;
use system::figures::figures;
use system::import::reading;
use system::lab::{RowRuns, SeedRun};
use system::reporter::{self, Case};
use system::result;
use system::runs::attribution;
use trace::Better;

/// File name of the cluster file in the folder.
const CLUSTER: &str = "cluster.toml";

/// Writes a run's folder from the logs of a real repair.
pub(super) fn import(args: ImportHdfsLog) -> Result<(), Failure> {
    output::check_place(&args.out)?;
    let mut logged = reading(|tell| hdfs_log::import(&sources(&args), tell))?;
    let out = Output::at(&args.out)?;
    let sheet = scenario(&out, &logged)?;
    logged.trace.run.extend(provenance(&sheet));
    logged.trace.objectives = vec![hdfs_reading::objective(&logged.trace)];
    let page = page_of(&sheet, &logged);
    let read = Run::of(0, &logged.trace);
    let object = object(&args.out, &logged, &read, page.head.certainty.level.word());
    result::report(&out, &page)?;
    result::trace(&out, &logged.trace)?;
    out.write("run.json", format!("{object}\n").as_bytes())?;
    interrupt::check()?;
    out.keep()?;
    if args.json {
        return console::json(&object);
    }
    let notes: Vec<String> = logged.cluster.notes.iter().map(|n| format!("note: {n}\n")).collect();
    let (text, place) = (page::text(&page), args.out.join("report.html"));
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

/// Writes the rebuilt cluster and a scenario of the same losses; reads them as a run would.
fn scenario(out: &Output, logged: &ImportedLogs) -> Result<Sheet, Failure> {
    let toml = out.path(CLUSTER);
    logged.cluster.write(&toml).map_err(|e| Failure::writing(&toml, &e))?;
    out.write("scenario.toml", logged.scenario(CLUSTER).as_bytes())?;
    let sheet = job::lab().read(&out.path("scenario.toml"), &[])?;
    Ok(Sheet { name: name(out.place()), file: CLUSTER.into(), ..sheet })
}

fn provenance(scenario: &Sheet) -> Vec<(String, String)> {
    let pairs = [
        ("scenario", scenario.name.clone()),
        ("scenario_hash", scenario.hash.clone()),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("command", job::command_line()),
    ];
    pairs.map(|(key, value)| (key.to_string(), value)).into()
}

/// The report: one variant with one run and no seed.
fn page_of(sheet: &Sheet, logged: &ImportedLogs) -> Page {
    let reading = Hdfs.reading(&logged.trace);
    let run = Run::of(0, &logged.trace);
    let blocks = logged.cluster.counts.blocks;
    let context = about::context(Scenario::of(sheet), blocks);
    let certainty = notes::certainty(&Context { logged: true, ..context }, &run);
    let own = Some(Arc::new(RepairRun { run, blocks, records: 0, busiest: None }) as _);
    let runs = vec![SeedRun { seed: 0, reading, own }];
    let rows = [RowRuns { name: "as logged".into(), set: Vec::new(), runs }];
    let case = Case {
        sheet,
        sets: &[],
        rows: &rows,
        figures: &figures(&rows, Better::Less),
        trace: &logged.trace,
        trace_hash: 0,
        assumed: Assumptions { note: assumed(logged), ..Assumptions::default() },
        advice: Advice::default(),
        parallel: None,
    };
    let mut page = reporter::page(job::lab().system().name, &Hdfs, &case);
    page.head.certainty = certainty;
    page.head.r#do = Some(simulate());
    page.head.tags = vec!["from logs".into()];
    let row = |name: &str, value: String| Provenance { name: name.into(), value };
    page.foot.provenance = vec![
        row("Logs", logged.cluster.sources.join(", ")),
        row("Lines", logged.lines.to_string()),
        row("tenbin", env!("CARGO_PKG_VERSION").into()),
    ];
    page
}

/// *Assumed*: settings missing in the logs are HDFS's defaults, not guesses about hardware.
fn assumed(logged: &ImportedLogs) -> Sentence {
    let all = logged.assumed.iter().map(|(key, value)| format!("{key} = {value}"));
    let all: Vec<String> = all.collect();
    match all.len() {
        0 => say("Nothing: the logs have every value."),
        _ => say(format!("HDFS’s defaults, which no log has: {}.", all.join(", ")))
            .say(" ")
            .code("--conf hdfs-site.xml")
            .say(" has the settings."),
    }
}

fn simulate() -> Do {
    let more = "In this folder: scenario.toml has the same loss, rebuilt from the log. Its run \
                splits the time that the log leaves unexplained into disks, links and settings.";
    Do {
        point: say("").strong("Simulate the same loss, and compare with the log.").done(),
        more: say(more).done(),
        command: Some(
            "tenbin run scenario.toml --seeds 20 -o simulated; tenbin diff . simulated -o diff"
                .into(),
        ),
    }
}

fn object(out: &Path, logged: &ImportedLogs, read: &Run, certainty: &str) -> Value {
    let mut metrics: serde_json::Map<String, Value> =
        read.metrics.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
    metrics.insert("attribution".into(), attribution(&read.attribution.shares));
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
