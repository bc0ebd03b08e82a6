//! Runs the cells of the claims.
use super::cell::{Cell, Data, Measured};
use crate::campaign::{self, Row};
use crate::failure::Failure;
use crate::{interrupt, job};
use reading::VariantRuns;
use cluster::Scenario;
use std::path::Path;

/// The base of all cells: the document's own parameters, and the modelling choices that it does not
/// tell. The same text as `scenarios/s0.toml`.
pub const BASE: &str = include_str!("../../../../scenarios/s0.toml");

/// The scenario of a cell.
///
/// # Errors
/// Bad input, if the base was edited into nonsense.
pub fn scenario(cell: Option<&Cell>) -> Result<Scenario, Failure> {
    let sets = cell.map_or(Vec::new(), Cell::sets);
    job::read_text(BASE, Path::new("scenarios/s0.toml"), &sets)
}

/// Every cell from every seed.
///
/// # Errors
/// A run that failed.
pub fn run(cells: &[Cell], seeds: u32) -> Result<Vec<VariantRuns>, Failure> {
    let row = |cell: &Cell| -> Result<Row, Failure> {
        Ok(Row { name: cell.label(), set: cell.sets(), scenario: scenario(Some(cell))? })
    };
    let rows: Vec<Row> = cells.iter().map(row).collect::<Result<_, _>>()?;
    let seeds: Vec<u64> = (1..=u64::from(seeds)).collect();
    Ok(campaign::run(&rows, &seeds, "reproduce s0")?.rows)
}

/// What the claims read of the runs.
///
/// # Errors
/// An interruption before all were there; a run that did not end.
pub fn data(cells: &[Cell], rows: &[VariantRuns]) -> Result<Data, Failure> {
    interrupt::check()?;
    cells.iter().zip(rows).map(|(cell, row)| Ok((*cell, measured(row)?))).collect()
}

fn measured(row: &VariantRuns) -> Result<Measured, Failure> {
    let metric = |name: &str| -> Result<Vec<f64>, Failure> {
        let of = |run: &reading::Run| run.metrics.get(name).copied();
        let values: Option<Vec<f64>> = row.runs.iter().map(of).collect();
        values.ok_or_else(|| {
            Failure::Failed(format!("{}: a run has no {name}; it did not end", row.name))
        })
    };
    Ok(Measured {
        throughput: metric("throughput_mb_s")?,
        one_rack_only: metric("one_rack_only_s")?,
    })
}
