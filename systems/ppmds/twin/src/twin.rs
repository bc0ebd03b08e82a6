//! `tenbin twin ppmds`: cells measured on real nodes, each next to its prediction.
use crate::calibrate::{Calibration, Scratch, cores};
use crate::cells::Cell;
use crate::predict::{Prediction, predict};
use crate::stage::Stage;
use clap::Args;
use cluster::Sheet;
use ppmds::PPMDS;
use ppmds::commands::meta::Children;
use ppmds_service::durability::Durability;
use ppmds_service::load::Workload;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use system::lab::Lab;
use system::progress::Progress;
use system::{Failure, clock, console, interrupt, vary};
use testbed::priority::raise;
use testbed::twin::machine::Machine;
use testbed::twin::{Comparison, Pair};

#[derive(Args, Debug)]
#[command(after_help = "\
Needs Linux; with root and iproute2 the links are shaped. Run nothing else during that time.")]
pub struct StoreTwinArgs {
    /// Scenario; its [compare] lists the numbers of servers and clients.
    pub scenario: PathBuf,
    /// Length of each measurement [s].
    #[arg(long, value_name = "S", default_value_t = 2,
          value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub seconds: u64,
    /// Seeds 1 to N of the simulation.
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub seeds: u32,
    /// Change a key of the scenario first, as for `run`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Folder for the servers' rows [default: the folder for temporary files].
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Print exactly one JSON object on stdout.
    #[arg(long)]
    pub json: bool,
}

/// Larger errors are printed with what explains them.
const LARGE: f64 = 0.1;

pub(crate) struct Measured {
    pub cell: Cell,
    pub rate: f64,
    pub predicted: Prediction,
    /// Mean commit of the nodes, which the simulation takes as `store.latency` \[s\].
    commit: f64,
    /// CPUs that nodes and clients used, and all programs.
    pub used: [f64; 2],
    /// CPU time of an operation \[s\].
    cpu: f64,
}

/// The same cluster, real and simulated.
pub(crate) struct Pairing<'a> {
    pub lab: &'a Lab,
    pub sheet: &'a Sheet,
    pub stage: &'a Stage,
    pub calibration: &'a Calibration,
    pub folder: &'a Path,
    /// Time of a measurement, without its preparation \[s\].
    pub seconds: u64,
    /// The simulation uses seeds 1 to N.
    pub seeds: u32,
}

impl Pairing<'_> {
    pub fn measure(&self, nodes: &Children<'_>, cell: Cell) -> Result<Measured, Failure> {
        let (before, began) = (Machine::now(&[]), clock::now());
        let done = self.stage.load(nodes, cell.kind, cell.clients, self.seconds)?;
        let busy = cores() as f64 * Machine::now(&[]).since(&before).processors;
        let own = done.cpu.as_secs_f64() / began.elapsed().as_secs_f64();
        let (used, commit) = ([own, busy], done.commit);
        let known = (self.calibration, commit, used);
        let predicted = predict(self.lab, self.sheet, &cell, known, (self.folder, self.seeds))?;
        let count = done.measured.all().count;
        let rate = count as f64 / done.measured.took.as_secs_f64();
        let with_prepared = count + u64::from(cell.clients * cell.kind.prepared());
        let cpu = done.cpu.as_secs_f64() / with_prepared.max(1) as f64;
        Ok(Measured { cell, rate, predicted, commit, used, cpu })
    }
}

pub(crate) fn twin(args: &StoreTwinArgs) -> Result<(), Failure> {
    raise();
    let lab = Lab::of(&PPMDS)?;
    let sheet = lab.read(&args.scenario, &vary::sets(&args.sets)?)?;
    let grid = grid(&lab, &sheet)?;
    let folder = Scratch::new(args.store.as_deref())?;
    let progress = Progress::run();
    progress.note("calibrating");
    let calibration = Calibration::measure(&folder.0)?;
    let most = grid.iter().map(|(servers, _)| *servers).max().unwrap_or(1);
    let (stage, loopback) = Stage::make(most, sheet.rate("network.server_bandwidth"));
    interrupt::check()?;
    let pairing = Pairing {
        lab: &lab,
        sheet: &sheet,
        stage: &stage,
        calibration: &calibration,
        folder: &folder.0,
        seconds: args.seconds,
        seeds: args.seeds,
    };
    let mut all = Vec::new();
    for (servers, clients) in by_servers(&grid) {
        let enter = |server| stage.enter(server);
        let place = folder.0.join(format!("nodes-{servers}"));
        let nodes = stage.start(&place, servers, Durability::Group, &enter)?;
        for (_, _, kind) in Workload::ALL {
            for clients in clients.iter().copied() {
                interrupt::check()?;
                let cell = Cell { kind, servers, clients };
                progress.note(&cell.name());
                all.push(pairing.measure(&nodes, cell)?)
            }
        }
    }
    progress.end();
    match args.json {
        true => console::json(&json(&all, loopback.as_deref())),
        false => console::text(&text(&all, loopback.as_deref())),
    }
}

/// Servers and clients of the scenario's rows.
fn grid(lab: &Lab, sheet: &Sheet) -> Result<Vec<(u32, u32)>, Failure> {
    let of = |sheet: &Sheet| (sheet.count32("cluster.servers"), sheet.count32("cluster.clients"));
    let rows = sheet.variants.iter().map(|row| Ok(of(&lab.with(sheet, &row.set)?)));
    let mut all = rows.collect::<Result<Vec<_>, Failure>>()?;
    all.push(of(sheet));
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

fn by_servers(grid: &[(u32, u32)]) -> BTreeMap<u32, Vec<u32>> {
    let mut all: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    grid.iter().for_each(|(servers, clients)| all.entry(*servers).or_default().push(*clients));
    all
}

/// All cells as figures of one run.
fn comparison<'a>(all: impl Iterator<Item = &'a Measured>) -> Comparison {
    let mut pair = Pair::default();
    for Measured { cell, rate, predicted, .. } in all {
        let Pair { predicted, chance, measured } = predicted.pair(cell, *rate);
        pair.predicted.extend(predicted);
        pair.chance.extend(chance);
        pair.measured.extend(measured)
    }
    Comparison::of(&[pair])
}

fn by_kind(all: &[Measured]) -> impl Iterator<Item = (&'static str, Comparison)> {
    let of = |kind| comparison(all.iter().filter(move |one| one.cell.kind == kind));
    Workload::ALL.iter().map(move |(name, _, kind)| (*name, of(*kind)))
}

fn json(all: &[Measured], loopback: Option<&str>) -> Value {
    let kinds = by_kind(all).map(|(name, kind)| (name.to_string(), Value::Object(kind.json())));
    let cell = |one: &Measured| {
        json!({
            "kind": one.cell.kind.name(), "servers": one.cell.servers,
            "clients": one.cell.clients, "measured_per_s": one.rate,
            "predicted_per_s": one.predicted.rate, "simulated_per_s": one.predicted.simulated,
            "error": one.predicted.rate / one.rate - 1.0, "commit_us": 1e6 * one.commit,
            "cpu_us": 1e6 * one.cpu, "predicted_cpu_us": 1e6 * one.predicted.cpu,
            "cpus": one.used[0], "cpus_of_all_programs": one.used[1],
        })
    };
    json!({
        "kinds": kinds.collect::<Map<String, Value>>(),
        "median_error": comparison(all.iter()).median_error(),
        "cells": all.iter().map(cell).collect::<Vec<Value>>(),
        "loopback": loopback,
    })
}

fn text(all: &[Measured], loopback: Option<&str>) -> String {
    let mut text = String::from("operations per second\n") + &comparison(all.iter()).text();
    for (name, kind) in by_kind(all) {
        let error = kind.median_error().map_or("–".into(), |e| format!("{:.1} %", 100.0 * e));
        let _ = writeln!(text, "{name:>8}: median error {error}");
    }
    for one in all {
        let error = one.predicted.rate / one.rate - 1.0;
        if error.abs() > LARGE {
            let _ = writeln!(
                text,
                "{}: {:+.1} %; CPU time of an operation {:.0} us, predicted {:.0} us; {:.1} CPUs \
                 used, {:.1} by all programs; without a limit of CPUs {:.0}/s; commit {:.2} ms",
                one.cell.name(),
                100.0 * error,
                1e6 * one.cpu,
                1e6 * one.predicted.cpu,
                one.used[0],
                one.used[1],
                one.predicted.simulated,
                1e3 * one.commit,
            );
        }
    }
    if let Some(why) = loopback {
        let _ = writeln!(text, "! over loopback, without shaped links: {why}");
    }
    text
}
