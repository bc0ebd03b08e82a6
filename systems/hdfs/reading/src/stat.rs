use crate::run::Run;
pub use analysis::stat::{SAME, Stat, stat};

/// A metric over seeds; `None`: no run, or some run lacks it.
pub fn of_metric<'a>(runs: impl IntoIterator<Item = &'a Run>, name: &str) -> Option<Stat> {
    let values = runs.into_iter().map(|run| run.metrics.get(name).copied());
    let all: Option<Vec<f64>> = values.collect();
    all.filter(|all| !all.is_empty()).map(|all| stat(&all))
}
