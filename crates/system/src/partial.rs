//! Partial results of an interrupted campaign, next to the place of the result: an earlier complete
//! result stays.
use crate::failure::Failure;
use crate::figures::{Figures, figures, row_json};
use crate::lab::RowRuns;
use crate::output::{Output, PARTIAL, partial_place};
pub use crate::output::{check_partial as check_place, forget};
use crate::provenance::set_json;
use crate::vary::Set;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use trace::Better;

/// A variant with some of its runs.
pub struct Row<'r> {
    pub name: &'r str,
    pub set: &'r [Set],
    /// Finished runs: (seed, metrics).
    pub runs: Vec<(u64, &'r BTreeMap<String, f64>)>,
    /// The form in the complete result.
    pub json: Value,
}

pub fn of_lab(rows: &[RowRuns]) -> Vec<Row<'_>> {
    let any = rows.iter().flat_map(|row| &row.runs).next();
    let better = any.map_or(Better::Less, |run| run.reading.objective.better);
    rows.iter().zip(figures(rows, better)).map(|(row, figures)| of_row(row, &figures)).collect()
}

fn of_row<'r>(row: &'r RowRuns, figures: &Figures) -> Row<'r> {
    let runs = row.runs.iter().map(|run| (run.seed, &run.reading.metrics)).collect();
    Row { name: &row.name, set: &row.set, runs, json: row_json(figures) }
}

/// If `why` is an interruption, writes finished runs to `PLACE.partial/` and returns a message with
/// the place. Other failures return unchanged. `seeds` is the number for each variant; `head` has
/// further keys of the result, including decided `claims`.
pub fn keep(why: Failure, place: &Path, rows: Vec<Row<'_>>, seeds: usize, head: Value) -> Failure {
    let Failure::Interrupted(_) = why else { return why };
    let (done, all) = (rows.iter().map(|row| row.runs.len()).sum::<usize>(), rows.len() * seeds);
    let decided = head["claims"].as_array().map_or(0, Vec::len);
    if done == 0 && decided == 0 {
        return Failure::Interrupted("no run finished; nothing was written".into());
    }
    let place = partial_place(place);
    let written = Output::at(&place).and_then(|out| {
        out.write(PARTIAL, format!("{}\n", object(rows, seeds, head)).as_bytes())?;
        out.keep()
    });
    match written {
        Err(failure) => failure,
        Ok(()) => {
            let place = place.join(PARTIAL);
            Failure::Interrupted(match all {
                0 => format!("decided claims are kept in {}", place.display()),
                _ => format!("{done} of {all} runs finished; results kept in {}", place.display()),
            })
        }
    }
}

/// Variants with all seeds, and every finished run.
fn object(rows: Vec<Row<'_>>, seeds: usize, head: Value) -> Value {
    let (mut whole, mut runs) = (Vec::new(), Vec::new());
    for Row { name, set, runs: finished, json } in rows {
        if finished.len() == seeds {
            whole.push(json)
        }
        runs.extend(finished.into_iter().map(|(seed, metrics)| {
            json!({ "name": name, "set": set_json(set), "seed": seed, "metrics": metrics })
        }))
    }
    let mut object = json!({ "rows": whole, "runs": runs, "interrupted": true });
    if let (Value::Object(all), Value::Object(head)) = (&mut object, head) {
        all.extend(head)
    }
    object
}
