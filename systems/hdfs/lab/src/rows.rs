//! Rows as `compare --json` has them, whole or stopped.
use crate::job;
use hdfs_reading::{Run, Stat, VariantRuns};
use serde_json::{Value, json};
use system::partial;

/// What was run of them, for [`partial::keep`].
pub fn rows(rows: &[VariantRuns]) -> Vec<partial::Row<'_>> {
    rows.iter().map(of).collect()
}

fn of(variant: &VariantRuns) -> partial::Row<'_> {
    let runs = variant.runs.iter().map(|run| (run.seed, &run.metrics)).collect();
    partial::Row { name: &variant.name, set: &variant.set, runs, json: row(variant) }
}

/// A row of `compare --json`.
pub fn row(variant: &VariantRuns) -> Value {
    let safe: Vec<f64> = variant.runs.iter().filter_map(Run::recovery_s).collect();
    json!({
        "name": variant.name,
        "set": job::set_json(&variant.set),
        "seeds": variant.runs.len(),
        "safe": { "seeds": safe.len(), "recovery_s": stat(&safe) },
        "metrics": hdfs_reading::compare::metrics(variant),
        "loss": hdfs_reading::loss::loss(variant),
    })
}

/// None of none.
fn stat(values: &[f64]) -> Option<Stat> {
    (!values.is_empty()).then(|| hdfs_reading::stat::stat(values))
}
