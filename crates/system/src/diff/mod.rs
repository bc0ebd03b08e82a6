//! `tenbin diff RUN RUN`, for every system: which of two finished runs is better and by how much,
//! their bottlenecks, different settings, and where they diverge.
//!
//! ```text
//!  two folders ─► sides (trace, band, settings) ─► curves ──┐
//!                                               ─► figures ─┤
//!                                               ─► nodes ───┼─► diff.json, words ─► page
//!                                               ─► records ─┘
//! ```
mod band;
mod cause;
mod comparability;
mod curves;
pub mod data;
mod figures;
mod nodes;
mod page;
mod records;
mod sentences;
mod side;
#[cfg(test)]
mod tests;
pub use band::Band;
pub use data::Diff;

use crate::args;
use crate::failure::Failure;
use crate::figures::Difference;
use crate::interface::System;
use crate::lab::bad;
use crate::output::{self, Output};
use crate::provenance::command_line;
use crate::{console, interrupt, result};
use ::page::{Page, plain};
use side::Side;
use std::path::{Path, PathBuf};

pub fn diff(system: &System, args: args::Diff) -> Result<(), Failure> {
    if let Some(out) = &args.out {
        output::check_place(out)?;
    }
    let [first, second] = [&args.first, &args.second];
    different(first, second)?;
    kept(args.out.as_deref(), [first, second])?;
    let [name, other] = names(first, second);
    let sides = [Side::read(system, first, name)?, Side::read(system, second, other)?];
    interrupt::check()?;
    judged_alike(&sides)?;
    let (diff, page) = of(system, &sides);
    let object = serde_json::to_value(&diff).expect("numbers and names");
    if let Some(place) = &args.out {
        let out = Output::at(place)?;
        result::report(&out, &page)?;
        out.write("diff.json", format!("{object}\n").as_bytes())?;
        interrupt::check()?;
        out.keep()?;
    }
    if args.json {
        return console::json(&object);
    }
    let written = args.out.map(|out| format!("{}\n", out.join("report.html").display()));
    console::text(&format!("{}\n{}", ::page::text(&page), written.unwrap_or_default()))
}

fn of(system: &System, sides: &[Side; 2]) -> (Diff, Page) {
    let objective = sides[0].reading.objective.clone();
    let runs = sides.each_ref().map(Side::shown);
    let settings = side::changed(sides);
    let not_comparable = comparability::apart(sides);
    let mut against = figures::against(sides);
    if let Some(against) = against.as_mut().filter(|_| !not_comparable.is_empty()) {
        against.verdict = Difference::Open
    }
    let changed = settings.as_deref();
    let keys = changed.unwrap_or_default();
    let answer = match not_comparable.is_empty() {
        true => sentences::chance(&runs, changed, against.as_ref()).then(sentences::answer(
            &objective,
            &runs,
            keys,
            against.as_ref(),
        )),
        false => comparability::answer(&not_comparable),
    };
    let diff = Diff {
        version: data::VERSION,
        system: system.name.into(),
        command: command_line(),
        answer: ::page::words::spaces(&plain(&answer.clone().done())),
        held: figures::held(sides),
        figures: figures::figures(sides),
        curves: curves::pairs(sides),
        record: records::first(sides),
        resources: nodes::resources(sides),
        nodes: nodes::pairs(sides),
        objective,
        runs,
        not_comparable,
        against,
        settings,
    };
    let page = page::page(&diff, sides, answer);
    (diff, page)
}

/// Rejects a run compared with itself: probably a typing error.
fn different(first: &Path, second: &Path) -> Result<(), Failure> {
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    match (place(first), place(second)) {
        (Some(one), Some(other)) if one == other => Err(bad(format!(
            "{} and {} are the same folder: expected two runs",
            first.display(),
            second.display()
        ))),
        _ => Ok(()),
    }
}

/// Rejects an output folder that is one of the runs: writing would delete it. Runs in subfolders
/// stay.
fn kept(out: Option<&Path>, runs: [&PathBuf; 2]) -> Result<(), Failure> {
    let Some((out, place)) = out.and_then(|out| Some((out, out.canonicalize().ok()?))) else {
        return Ok(());
    };
    let is_there = |run: &&PathBuf| run.canonicalize().is_ok_and(|run| run == place);
    match runs.into_iter().find(is_there) {
        None => Ok(()),
        Some(run) => Err(bad(format!(
            "--out {}: {} is an input and would be deleted: expected another folder",
            out.display(),
            run.display()
        ))),
    }
}

/// Folder names; the paths as typed if the names are equal or missing.
fn names(first: &Path, second: &Path) -> [String; 2] {
    let own = |path: &Path| {
        // "." has no file name.
        let whole = path.file_name().is_none().then(|| path.canonicalize().ok()).flatten();
        let path = whole.as_deref().unwrap_or(path);
        path.file_name().map(|name| name.to_string_lossy().into_owned())
    };
    match (own(first), own(second)) {
        (Some(one), Some(other)) if one != other => [one, other],
        _ => [first, second].map(|path| path.display().to_string()),
    }
}

/// Rejects runs with different objectives.
fn judged_alike([first, second]: &[Side; 2]) -> Result<(), Failure> {
    let [one, other] = [first, second].map(|side| &side.reading.objective);
    match one == other {
        true => Ok(()),
        false => Err(bad(format!(
            "{} has the objective {}, {} has {}: expected two runs with one objective",
            first.name, one.metric, second.name, other.metric
        ))),
    }
}
