//! Metrics over seeds, and paired differences.
use crate::run::{Run, VariantRuns};
use analysis::advice::paired;
use analysis::stat::is_open;
pub use analysis::stat::{SAME, Stat, further, stat};
use serde::Serialize;

/// What a difference of two variants is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Verdict {
    /// Shorter, by 5 % at least and the paired interval below 0.
    #[serde(rename = "faster")]
    Faster,
    #[serde(rename = "slower")]
    Slower,
    /// Under 5 %, and so is all of the paired interval.
    #[serde(rename = "no difference")]
    NoDifference,
    /// Neither: the interval holds 0 or less than 5 %, and more than 5 %, too. More seeds tell.
    #[serde(rename = "not decided")]
    Undecided,
}

/// A variant against the first, paired over seeds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Against {
    /// Mean difference \[s\].
    pub mean: f64,
    /// Half width of its 95 % interval \[s\].
    pub ci95: f64,
    pub verdict: Verdict,
}

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
