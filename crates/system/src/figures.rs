//! Variants as numbers: means over seeds, each compared with the first.
use crate::lab::{RowRuns, SeedRun};
use crate::provenance::set_json;
use analysis::Stat;
use analysis::stat::{SAME, is_open, stat};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use trace::Better;
use trace::reading::{Completions, Role};
use units::Nanos;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Difference {
    /// Better by at least 5 %, and the paired 95 % interval excludes 0.
    #[serde(rename = "better")]
    Better,
    #[serde(rename = "worse")]
    Worse,
    /// The whole paired interval is below 5 %.
    #[serde(rename = "no difference")]
    None,
    /// The paired interval includes values below and above 5 %: more seeds decide.
    #[serde(rename = "not decided")]
    Open,
}

/// A variant compared with the first, paired by seed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PairedDifference {
    /// In the objective's unit.
    pub mean: f64,
    /// Half width of the 95 % interval.
    pub ci95: f64,
    pub verdict: Difference,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Figures {
    pub name: String,
    pub set: Vec<(String, String)>,
    pub seeds: usize,
    /// The objective; `None` if a run lacks it.
    pub value: Option<Stat>,
    pub per_seed: Vec<f64>,
    /// If some runs lack the objective: the values of the others.
    pub some: Vec<f64>,
    /// `None` for the first.
    pub against: Option<PairedDifference>,
    /// Metrics that every run has.
    pub metrics: BTreeMap<String, Stat>,
    /// Largest bottleneck.
    pub top: Option<Top>,
    /// Per run: completed operations over time, and the begin of its window. Ends at the first run
    /// without the curve.
    pub completions: Vec<(Completions, Nanos)>,
    /// Length of the longest window.
    pub longest: Nanos,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Top {
    pub holder: String,
    pub role: Role,
    pub share: f64,
}

pub fn figures(rows: &[RowRuns], better: Better) -> Vec<Figures> {
    let now = rows.first().and_then(RowRuns::values);
    let of = |(place, row): (usize, &RowRuns)| {
        let values = row.values().filter(|all| !all.is_empty());
        let against = (place > 0).then(|| against(now.as_deref(), values.as_deref(), better));
        Figures {
            name: row.name.clone(),
            set: row.set.clone(),
            seeds: row.runs.len(),
            value: values.as_deref().map(stat),
            some: match values {
                Some(_) => Vec::new(),
                None => row.runs.iter().filter_map(|run| run.reading.value).collect(),
            },
            per_seed: values.unwrap_or_default(),
            against: against.flatten(),
            metrics: metrics(row),
            top: top(row),
            completions: row.runs.iter().map_while(completions).collect(),
            longest: row.runs.iter().map(length).max().unwrap_or_default(),
        }
    };
    rows.iter().enumerate().map(of).collect()
}

fn completions(run: &SeedRun) -> Option<(Completions, Nanos)> {
    Some((run.reading.completions.clone()?, run.reading.window.0))
}

fn length(run: &SeedRun) -> Nanos {
    let (from, to) = run.reading.window;
    to.saturating_sub(from)
}

fn against(now: Option<&[f64]>, other: Option<&[f64]>, better: Better) -> Option<PairedDifference> {
    let (now, other) = (now?, other?);
    if now.is_empty() || now.len() != other.len() {
        return None;
    }
    let differences: Vec<f64> = other.iter().zip(now).map(|(a, b)| a - b).collect();
    let difference = stat(&differences);
    let verdict = match judge(&difference, stat(now).mean, better) {
        // One seed has no confidence interval.
        Difference::None if now.len() == 1 && difference.mean != 0.0 => Difference::Open,
        verdict => verdict,
    };
    Some(PairedDifference { mean: difference.mean, ci95: difference.ci95, verdict })
}

/// The bottleneck with the largest mean share, except unexplained.
fn top(row: &RowRuns) -> Option<Top> {
    let mut all: Vec<Top> = Vec::new();
    for held in row.runs.iter().flat_map(|run| &run.reading.held) {
        let share = held.share / row.runs.len() as f64;
        match all.iter_mut().find(|top| top.holder == held.holder) {
            Some(top) => top.share += share,
            None => all.push(Top { holder: held.holder.clone(), role: held.role, share }),
        }
    }
    let known = all.into_iter().filter(|top| top.role != Role::Unexplained && top.share > 0.0);
    known.max_by(|a, b| a.share.total_cmp(&b.share))
}

/// `None` if the paired interval stays below 5 % of `now`; `Open` if it includes smaller and larger
/// differences.
pub fn judge(difference: &Stat, now: f64, better: Better) -> Difference {
    let small = difference.mean.abs() < SAME * now.abs() || difference.mean == 0.0;
    if small || difference.mean.abs() <= difference.ci95 {
        return if is_open(difference, now) { Difference::Open } else { Difference::None };
    }
    match (difference.mean < 0.0, better) {
        (true, Better::Less) | (false, Better::More) => Difference::Better,
        _ => Difference::Worse,
    }
}

/// Metrics that every run has.
pub fn metrics(row: &RowRuns) -> BTreeMap<String, Stat> {
    let Some(first) = row.runs.first() else { return BTreeMap::new() };
    let of = |name: &String| Some((name.clone(), stat(&row.metric(name)?)));
    first.reading.metrics.keys().filter_map(of).collect()
}

/// A variant in `compare --json`.
pub fn row_json(row: &Figures) -> Value {
    json!({
        "name": row.name,
        "set": set_json(&row.set),
        "seeds": row.seeds,
        "value": row.value,
        "per_seed": row.per_seed,
        "against_now": row.against,
        "metrics": row.metrics,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_better_depends_on_the_objective() {
        let difference = |mean, ci95| Stat { mean, ci95, min: mean, max: mean };
        let of = |mean, ci95, better| judge(&difference(mean, ci95), 100.0, better);
        assert_eq!(of(-10.0, 1.0, Better::Less), Difference::Better);
        assert_eq!(of(-10.0, 1.0, Better::More), Difference::Worse);
        assert_eq!(of(10.0, 1.0, Better::More), Difference::Better);
        assert_eq!(of(10.0, 11.0, Better::More), Difference::Open);
        assert_eq!(of(4.0, 1.1, Better::More), Difference::Open, "up to 5.1");
        assert_eq!(of(1.0, 3.0, Better::More), Difference::None);
        assert_eq!(of(4.0, 0.1, Better::Less), Difference::None);
    }
}
