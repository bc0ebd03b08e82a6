//! Metrics over seeds, and paired differences.
use crate::report::{Against, Stat, Verdict};
use crate::run::{Run, VariantRuns};
use analysis::advice::paired;
use analysis::stat::is_open;
pub use analysis::stat::{SAME, further, jointly, stat};

/// A metric over the seeds of a variant; `None` unless all runs have it, and there is one.
pub fn of_metric<'a>(runs: impl IntoIterator<Item = &'a Run>, name: &str) -> Option<Stat> {
    let values = runs.into_iter().map(|run| run.metrics.get(name).copied());
    let all: Option<Vec<f64>> = values.collect();
    all.filter(|all| !all.is_empty()).map(|all| stat(&all))
}

/// A variant against the present one, seed by seed; `None` unless all runs of both became safe.
pub fn against(now: &VariantRuns, other: &VariantRuns) -> Option<Against> {
    let (before, after) = (now.times()?, other.times()?);
    assert_eq!(before.len(), after.len(), "{}: other seeds than {}", other.name, now.name);
    if before.is_empty() {
        return None;
    }
    let difference = paired(&before, &after);
    let verdict = match judge(&difference, stat(&before).mean) {
        // One seed has no interval.
        Verdict::NoDifference if before.len() == 1 && difference.mean != 0.0 => Verdict::Undecided,
        verdict => verdict,
    };
    Some(Against { mean: difference.mean, ci95: difference.ci95, verdict })
}

/// What a difference is called: none where the paired interval stays under 5 % of the present
/// value; not decided where it holds that and more.
pub fn judge(difference: &Stat, now: f64) -> Verdict {
    let small = difference.mean.abs() < SAME * now || difference.mean == 0.0;
    if small || difference.mean.abs() <= difference.ci95 {
        if is_open(difference, now) { Verdict::Undecided } else { Verdict::NoDifference }
    } else if difference.mean < 0.0 {
        Verdict::Faster
    } else {
        Verdict::Slower
    }
}
