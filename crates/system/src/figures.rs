//! Rows as numbers: means over seeds, and each row against the first.
use crate::lab::{RowRuns, SeedRun};
use crate::provenance::set_json;
use analysis::Stat;
use analysis::stat::{SAME, is_open, stat};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use trace::Better;
use trace::reading::{Ended, Role};
use units::Nanos;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Difference {
    /// Better, by 5 % at least and the paired interval on that side of 0.
    #[serde(rename = "better")]
    Better,
    #[serde(rename = "worse")]
    Worse,
    /// Under 5 %, with the whole paired interval.
    #[serde(rename = "no difference")]
    None,
    /// The paired interval holds less and more than 5 %: more seeds tell.
    #[serde(rename = "not decided")]
    Open,
}

/// A row against the first, paired over seeds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Against {
    /// Mean difference, in the objective's unit.
    pub mean: f64,
    /// Half width of its 95 % interval.
    pub ci95: f64,
    pub verdict: Difference,
}

/// A row's numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Figures {
    pub name: String,
    pub set: Vec<(String, String)>,
    pub seeds: usize,
    /// The objective; `None` where a run has none.
    pub value: Option<Stat>,
    pub per_seed: Vec<f64>,
    /// The objective of the runs that have one, if others have none.
    pub some: Vec<f64>,
    /// `None` for the first.
    pub against: Option<Against>,
    /// Metrics that every run has.
    pub metrics: BTreeMap<String, Stat>,
    /// What holds it up most.
    pub top: Option<Top>,
    /// What has ended over time, run by run, and when the run's window begins; none where a run
    /// keeps no such curve.
    pub ended: Vec<(Ended, Nanos)>,
    /// The length of the longest run's window.
    pub longest: Nanos,
}

/// What holds a row up most.
#[derive(Clone, PartialEq, Debug)]
pub struct Top {
    pub holder: String,
    pub role: Role,
    pub share: f64,
}

/// The numbers of all rows, each against the first.
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
            ended: row.runs.iter().map_while(ended).collect(),
            longest: row.runs.iter().map(length).max().unwrap_or_default(),
        }
    };
    rows.iter().enumerate().map(of).collect()
}

fn ended(run: &SeedRun) -> Option<(Ended, Nanos)> {
    Some((run.reading.ended.clone()?, run.reading.window.0))
}

fn length(run: &SeedRun) -> Nanos {
    let (from, to) = run.reading.window;
    to.saturating_sub(from)
}

fn against(now: Option<&[f64]>, other: Option<&[f64]>, better: Better) -> Option<Against> {
    let (now, other) = (now?, other?);
    if now.is_empty() || now.len() != other.len() {
        return None;
    }
    let differences: Vec<f64> = other.iter().zip(now).map(|(a, b)| a - b).collect();
    let difference = stat(&differences);
    let verdict = match judge(&difference, stat(now).mean, better) {
        // One seed has no interval.
        Difference::None if now.len() == 1 && difference.mean != 0.0 => Difference::Open,
        verdict => verdict,
    };
    Some(Against { mean: difference.mean, ci95: difference.ci95, verdict })
}

/// What holds a row up most, mean over its runs.
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

/// None where the paired interval stays under 5 % of the present value; not decided where it holds
/// that and more.
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

/// The metrics that every run of a row has.
pub fn metrics(row: &RowRuns) -> BTreeMap<String, Stat> {
    let Some(first) = row.runs.first() else { return BTreeMap::new() };
    let of = |name: &String| Some((name.clone(), stat(&row.metric(name)?)));
    first.reading.metrics.keys().filter_map(of).collect()
}

/// A row of `compare --json`.
pub fn row_json(row: &Figures) -> Value {
    json!({
        "name": row.name,
        "set": set_json(&row.set),
        "seeds": row.seeds,
        "value": row.value,
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
