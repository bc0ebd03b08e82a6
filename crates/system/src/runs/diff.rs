//! `tenbin diff RUN RUN`, of any system: two finished runs against each other, by what each is
//! judged by, by what held it up, and number by number.
use crate::args::Diff;
use crate::failure::Failure;
use crate::figures::{Difference, judge};
use crate::lab::bad;
use crate::output::{self, Output};
use crate::provenance::command_line;
use crate::seam::System;
use crate::words::{figure, spoken, word};
use crate::{console, interrupt, result};
use analysis::Stat;
use page::words::percent;
use page::{Body, Cell, Certainty, Column, Foot, Head, Page, Row, Section, Table, say as sentence};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use trace::reading::{Objective, Reading};

/// A finished run.
struct Side {
    name: String,
    reading: Reading,
    /// Over its seeds; with one seed the spread is not known.
    metrics: BTreeMap<String, Stat>,
    seeds: u64,
}

/// What two runs come to.
#[derive(Serialize)]
struct Found {
    system: &'static str,
    objective: Objective,
    runs: [Measured; 2],
    /// The second less the first, in the objective's unit.
    difference: f64,
    verdict: Difference,
    held: Vec<Pair>,
    metrics: Vec<Pair>,
}

/// What a run comes to.
#[derive(Serialize)]
struct Measured {
    name: String,
    seeds: u64,
    value: f64,
    /// Half width of its 95 % interval; absent with one seed.
    ci95: Option<f64>,
}

/// A share (0–1) or a metric in both; absent where a run has none.
#[derive(Serialize)]
struct Pair {
    name: String,
    first: Option<f64>,
    second: Option<f64>,
}

/// `tenbin diff`: holds two runs against each other.
///
/// # Errors
/// As every command.
pub fn diff(system: &'static System, args: Diff) -> Result<(), Failure> {
    if let Some(own) = system.diff {
        return own(args);
    }
    if let Some(out) = &args.out {
        output::check_place(out)?;
    }
    let about = system.name;
    let sides = [side(&args.first, about)?, side(&args.second, about)?];
    interrupt::check()?;
    let found = found(about, sides)?;
    let page = page(&found);
    let object = serde_json::to_value(&found).expect("numbers and names");
    if let Some(place) = &args.out {
        let out = Output::at(place)?;
        result::report(&out, &page)?;
        out.write("diff.json", format!("{object}\n").as_bytes())?;
        out.keep()?;
    }
    if args.json {
        return console::json(&object);
    }
    let written = args.out.map(|out| format!("{}\n", out.join("report.html").display()));
    console::text(&format!("{}\n{}", page::text(&page), written.unwrap_or_default()))
}

/// Reads a run's folder.
fn side(folder: &Path, system: &str) -> Result<Side, Failure> {
    let refused = |what: String| {
        let expected = "a folder that `tenbin run` or `compare` wrote";
        bad(format!("{}: {what}: expected {expected}", folder.display()))
    };
    let tables = folder.join("trace");
    if !tables.is_dir() {
        return Err(refused("no trace is in it".into()));
    }
    let trace = trace::tables::read(&tables).map_err(bad)?;
    let whose = trace.about("system").unwrap_or("another system");
    if whose != system {
        return Err(refused(format!("it is a run of {whose}, and the other of {system}")));
    }
    let reading = Reading::of(&trace);
    let whole = |name: &str| -> Option<Value> {
        serde_json::from_slice(&std::fs::read(folder.join(name)).ok()?).ok()
    };
    let (seeds, metrics) = measured(whole("run.json"), whole("compare.json"), &reading);
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_else(|| folder.display().to_string());
    Ok(Side { name, reading, metrics, seeds })
}

/// Its seeds, and its metrics: as `run.json` has them, the first row of `compare.json`, or what
/// the trace says.
fn measured(
    run: Option<Value>,
    compare: Option<Value>,
    reading: &Reading,
) -> (u64, BTreeMap<String, Stat>) {
    let one = |value: f64| Stat { mean: value, ci95: 0.0, min: value, max: value };
    let row = compare.as_ref().map(|all| &all["rows"][0]);
    let several = run.as_ref().map(|run| &run["over_seeds"]).or(row.map(|row| &row["metrics"]));
    let seeds = run.as_ref().or(row).and_then(|of| of["seeds"].as_u64()).unwrap_or(1);
    let stats = several.and_then(Value::as_object).map(|all| {
        let stat = |(name, of): (&String, &Value)| {
            let number = |key: &str| of[key].as_f64();
            let (min, max) = (number("min")?, number("max")?);
            Some((name.clone(), Stat { mean: number("mean")?, ci95: number("ci95")?, min, max }))
        };
        all.iter().filter_map(stat).collect()
    });
    let single = || -> Option<BTreeMap<String, Stat>> {
        let all = run.as_ref()?["metrics"].as_object()?;
        let number = |(name, of): (&String, &Value)| Some((name.clone(), one(of.as_f64()?)));
        Some(all.iter().filter_map(number).collect())
    };
    let of_trace = || reading.metrics.iter().map(|(name, of)| (name.clone(), one(*of))).collect();
    (seeds, stats.or_else(single).unwrap_or_else(of_trace))
}

fn found(system: &'static str, sides: [Side; 2]) -> Result<Found, Failure> {
    let objective = sides[0].reading.objective.clone();
    if sides[1].reading.objective != objective {
        let [first, second] = sides.each_ref().map(|side| side.reading.objective.metric.as_str());
        return Err(bad(format!(
            "{} is judged by {first}, {} by {second}: expected two runs that are judged alike",
            sides[0].name, sides[1].name
        )));
    }
    let value = |side: &Side| {
        let of_trace = side.reading.value.map(|v| Stat { mean: v, ci95: 0.0, min: v, max: v });
        side.metrics.get(&objective.metric).copied().or(of_trace)
    };
    let no_value = |side: &Side| bad(format!("{} did not end: it has no value", side.name));
    let first = value(&sides[0]).ok_or_else(|| no_value(&sides[0]))?;
    let second = value(&sides[1]).ok_or_else(|| no_value(&sides[1]))?;
    let mean = second.mean - first.mean;
    let difference = Stat { mean, ci95: first.ci95.hypot(second.ci95), min: mean, max: mean };
    let names = sides[0].metrics.keys().chain(sides[1].metrics.keys());
    let names: BTreeSet<String> = names.cloned().collect();
    let metric = |name: String| {
        let of = |side: &Side| side.metrics.get(&name).map(|stat| stat.mean);
        Pair { first: of(&sides[0]), second: of(&sides[1]), name }
    };
    let measured = |side: &Side, stat: Stat| Measured {
        name: side.name.clone(),
        seeds: side.seeds,
        value: stat.mean,
        ci95: (side.seeds > 1).then_some(stat.ci95),
    };
    Ok(Found {
        system,
        verdict: judge(&difference, first.mean, objective.better),
        runs: [measured(&sides[0], first), measured(&sides[1], second)],
        difference: mean,
        held: held(&sides),
        metrics: names.into_iter().map(metric).collect(),
        objective,
    })
}

/// What held either up, the largest first.
fn held(sides: &[Side; 2]) -> Vec<Pair> {
    let mut names: Vec<&str> = Vec::new();
    for held in sides.iter().flat_map(|side| &side.reading.held) {
        if !names.contains(&held.holder.as_str()) {
            names.push(&held.holder)
        }
    }
    let share = |side: &Side, name: &str| {
        side.reading.held.iter().find(|held| held.holder == name).map(|held| held.share)
    };
    let pair = |name: &str| Pair {
        name: name.to_string(),
        first: share(&sides[0], name),
        second: share(&sides[1], name),
    };
    let mut all: Vec<Pair> = names.into_iter().map(pair).collect();
    let most = |pair: &Pair| pair.first.unwrap_or(0.0).max(pair.second.unwrap_or(0.0));
    all.sort_by(|a, b| most(b).total_cmp(&most(a)));
    all.retain(|pair| most(pair) > 0.0);
    all
}

fn page(found: &Found) -> Page {
    let [first, second] = &found.runs;
    let objective = &found.objective;
    let part = found.difference / first.value;
    let than = match found.difference {
        0.0 => "the same".to_string(),
        of if of > 0.0 => format!("{} more", percent(part.abs())),
        _ => format!("{} less", percent(part.abs())),
    };
    let verdict = sentence(format!("{}: ", second.name))
        .number(spoken(objective, second.value))
        .say(format!(" instead of {} in {}: {than}.", spoken(objective, first.value), first.name));
    let certainty = Certainty::low(match first.seeds.min(second.seeds) {
        1 => "one seed of a run has no interval; run both with --seeds 10.",
        _ => "a model; means over seeds, which are not paired.",
    });
    let head = Head::new(["diff", found.system], verdict, certainty)
        .fact(objective.metric.as_str())
        .subline(format!("In a word: {}.", word(found.verdict)).as_str());
    let shares = found.held.iter().map(|pair| {
        let cell = |share: Option<f64>| Cell::text(percent(share.unwrap_or(0.0)).as_str());
        Row::new(vec![Cell::text(pair.name.as_str()), cell(pair.first), cell(pair.second)])
    });
    let numbers = found.metrics.iter().map(|pair| {
        let cell =
            |value: Option<f64>| value.map_or(Cell::Unknown, |v| Cell::text(figure(v).as_str()));
        Row::new(vec![Cell::text(pair.name.as_str()), cell(pair.first), cell(pair.second)])
    });
    let columns = |what: &str| vec![what.to_string(), first.name.clone(), second.name.clone()];
    Page::new(found.system, head, Foot::new(command_line()))
        .with(table("held", "What held each up", columns("holder"), shares.collect()))
        .with(table("numbers", "Number by number", columns("metric"), numbers.collect()))
}

fn table(id: &str, title: &str, columns: Vec<String>, rows: Vec<Row>) -> Section {
    let columns = columns.iter().map(|name| Column::words(name)).collect();
    Section::new(id, title, "", Body::Table(Table { columns, rows }))
}
