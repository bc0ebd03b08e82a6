//! What a stopped campaign keeps: beside its place, so that an older whole result stays.
use crate::failure::Failure;
use crate::job;
use crate::output::{Output, beside};
use hdfs_reading::VariantRuns;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Its file.
const NAME: &str = "partial.json";

/// Where it is kept.
pub fn place(result: &Path) -> PathBuf {
    beside(result, ".partial")
}

/// If `why` is an interruption, writes the runs that were finished to `PLACE.partial/` and says so;
/// any other failure stays as it is. `head` is what the whole result says of all its rows.
pub fn keep(
    why: Failure,
    place: &Path,
    rows: &[VariantRuns],
    seeds: usize,
    started: Instant,
    head: Value,
) -> Failure {
    let Failure::Interrupted(_) = why else { return why };
    let done: usize = rows.iter().map(|row| row.runs.len()).sum();
    if done == 0 {
        return Failure::Interrupted("no run was finished; nothing was written".into());
    }
    let mut object = object(rows, seeds, started.elapsed().as_secs_f64());
    if let (Value::Object(all), Value::Object(head)) = (&mut object, head) {
        all.extend(head)
    }
    let place = self::place(place);
    let written = Output::at(&place).and_then(|out| {
        out.write(NAME, format!("{object}\n").as_bytes())?;
        out.keep()
    });
    match written {
        Err(failure) => failure,
        Ok(()) => Failure::Interrupted(format!(
            "{done} of {} runs were finished; they are kept in {}",
            rows.len() * seeds,
            place.join(NAME).display()
        )),
    }
}

/// The whole result is there: what an interruption left beside it is of no more use. (Only a folder
/// of ours stands there: that is checked before the first run.)
pub fn forget(result: &Path) {
    let _ = std::fs::remove_dir_all(place(result));
}

/// None of none.
fn of(values: &[f64]) -> Option<hdfs_reading::Stat> {
    (!values.is_empty()).then(|| hdfs_reading::stat::stat(values))
}

/// The rows that have all their seeds, and every run that was finished.
fn object(rows: &[VariantRuns], seeds: usize, wall_s: f64) -> Value {
    let whole: Vec<Value> = rows.iter().filter(|r| r.runs.len() == seeds).map(row).collect();
    let run = |row: &VariantRuns, run: &hdfs_reading::Run| {
        json!({
            "name": row.name,
            "set": job::set_json(&row.set),
            "seed": run.seed,
            "metrics": run.metrics,
        })
    };
    let runs: Vec<Value> =
        rows.iter().flat_map(|row| row.runs.iter().map(move |one| run(row, one))).collect();
    json!({ "rows": whole, "runs": runs, "wall_s": wall_s, "interrupted": true })
}

/// A row of `compare --json`.
pub fn row(variant: &VariantRuns) -> Value {
    let safe: Vec<f64> = variant.runs.iter().filter_map(hdfs_reading::Run::recovery_s).collect();
    json!({
        "name": variant.name,
        "set": job::set_json(&variant.set),
        "seeds": variant.runs.len(),
        "safe": { "seeds": safe.len(), "recovery_s": of(&safe) },
        "metrics": hdfs_reading::compare::metrics(variant),
        "loss": hdfs_reading::loss::loss(variant),
    })
}
