//! What a stopped campaign keeps: beside its place, so that an older whole result stays.
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

/// A row of which some runs may be missing.
pub struct Row<'r> {
    pub name: &'r str,
    pub set: &'r [Set],
    /// The runs that were finished: seed and metrics.
    pub runs: Vec<(u64, &'r BTreeMap<String, f64>)>,
    /// As the whole result has it.
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

/// If `why` is an interruption, writes the runs that were finished to `PLACE.partial/` and says so;
/// any other failure stays as it is. Every row has so many `seeds`; `head` is what the whole result
/// says of all rows, and the `claims` that are decided without them, if any are.
pub fn keep(why: Failure, place: &Path, rows: Vec<Row<'_>>, seeds: usize, head: Value) -> Failure {
    let Failure::Interrupted(_) = why else { return why };
    let (done, all) = (rows.iter().map(|row| row.runs.len()).sum::<usize>(), rows.len() * seeds);
    let decided = head["claims"].as_array().map_or(0, Vec::len);
    if done == 0 && decided == 0 {
        return Failure::Interrupted("no run was finished; nothing was written".into());
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
                0 => format!("what is decided is kept in {}", place.display()),
                _ => format!(
                    "{done} of {all} runs were finished; they are kept in {}",
                    place.display()
                ),
            })
        }
    }
}

/// The rows that have all their seeds, and every run that was finished.
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
