//! Runs the cells of the claims.
use super::cell::{Cell, Measured};
use super::reading::Reading;
use crate::failure::Failure;
use crate::{interrupt, job};
use cluster::Sheet;
use std::path::Path;
use system::lab::{Row, RowRuns};

/// The base of all cells: the document's own parameters, and the modelling choices that it does not
/// tell. The same text as `scenarios/s0.toml`.
pub const BASE: &str = include_str!("../../../../../scenarios/s0.toml");

/// What is to be run: a cell, as the base scenario has it or with one key otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    pub cell: Cell,
    pub besides: Option<Reading>,
}

impl Asked {
    fn sets(&self) -> Vec<(String, String)> {
        let besides = self.besides.filter(|reading| reading.changes(&self.cell));
        let besides = besides.map(|r| (r.key.to_string(), r.value.to_string()));
        self.cell.sets().into_iter().chain(besides).collect()
    }

    fn name(&self) -> String {
        let besides = self.besides.map(|r| format!(", {} = {}", r.key, r.value));
        self.cell.label() + &besides.unwrap_or_default()
    }
}

/// The base scenario, with `sets` over it.
///
/// # Errors
/// Bad input.
pub fn base(sets: &[(String, String)]) -> Result<Sheet, Failure> {
    job::lab().read_text(BASE, Path::new("scenarios/s0.toml"), sets)
}

/// Everything from every seed, with `sets` over all; `what` stands before the progress.
///
/// # Errors
/// A run that failed.
pub fn run(
    asked: &[Asked],
    seeds: u32,
    sets: &[(String, String)],
    what: &'static str,
) -> Result<Vec<RowRuns>, Failure> {
    let row = |asked: &Asked| -> Result<Row, Failure> {
        let set: Vec<(String, String)> =
            asked.sets().into_iter().chain(sets.iter().cloned()).collect();
        Ok(Row { name: asked.name(), sheet: base(&set)?, set })
    };
    let rows: Vec<Row> = asked.iter().map(row).collect::<Result<_, _>>()?;
    let seeds: Vec<u64> = (1..=u64::from(seeds)).collect();
    Ok(job::lab().run(&rows, &seeds, false, what)?.rows)
}

/// What the claims read of the runs, row by row.
///
/// # Errors
/// An interruption before all were there; a run that did not end.
pub fn data(rows: &[RowRuns]) -> Result<Vec<Measured>, Failure> {
    interrupt::check()?;
    rows.iter().map(measured).collect()
}

fn measured(row: &RowRuns) -> Result<Measured, Failure> {
    let metric = |name: &str| -> Result<Vec<f64>, Failure> {
        row.metric(name).ok_or_else(|| {
            Failure::Failed(format!("{}: a run has no {name}; it did not end", row.name))
        })
    };
    Ok(Measured {
        throughput: metric("throughput_mb_s")?,
        one_rack_only: metric("one_rack_only_s")?,
    })
}
