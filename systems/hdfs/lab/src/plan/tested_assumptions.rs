//! Runs the present and the recommended settings with each assumed value halved and doubled.
use super::answer::{self, Answer};
use crate::failure::Failure;
use crate::{job, pool};
use cluster::Sheet;
use hdfs_reading::{Stat, stat};
use std::fmt::Write;
use system::assumed::{AssumptionTrial, AssumptionVariants, Assumptions};
use system::lab::{Row, RowRuns};

const SEEDS: [u64; 3] = [1, 2, 3];

/// Longest wall time \[s\].
const PATIENCE: f64 = 20.0;

/// Assumed keys, for the present settings and the recommended ones.
#[derive(Clone, Debug, Default)]
pub struct TestedAssumptions {
    pub now: Assumptions,
    best: Vec<AssumptionTrial>,
}

/// Tests every assumption at half and double; only names them if the runs would take too long.
///
/// # Errors
/// Bad input, a failed run, or an interruption.
pub fn assumptions(
    base: &Sheet,
    answer: &Answer,
    run_s: f64,
) -> Result<TestedAssumptions, Failure> {
    let (lab, best) = (job::lab(), answer.recommended());
    let now = AssumptionVariants::of(&lab, base);
    let of_best = match best.point == answer.now.point {
        true => None,
        false => Some(AssumptionVariants::of(&lab, &lab.with(base, &best.row.set)?)),
    };
    let of_rows = of_best.iter().flat_map(|assumed| assumed.rows.clone());
    let rows: Vec<Row> = now.rows.iter().cloned().chain(of_rows).collect();
    let takes_s = (rows.len() * SEEDS.len()) as f64 * run_s / pool::threads() as f64;
    let mut done = match takes_s > PATIENCE || answer.interrupted {
        true => Vec::new(),
        false => lab.run(&rows, &SEEDS, false, "assumed values")?.rows,
    };
    // After Ctrl-C some rows lack seeds and cannot be compared.
    if done.iter().any(|row| row.runs.len() < SEEDS.len()) {
        done.clear()
    }
    let rest = done.split_off(done.len().min(now.rows.len()));
    Ok(TestedAssumptions {
        now: now.report(base, &in_these_seeds(&known(answer, &answer.now).row), &done),
        best: of_best.map_or_else(Vec::new, |assumed| assumed.tried(&rest)),
    })
}

/// Only runs with [`SEEDS`], since other seeds are not comparable.
fn in_these_seeds(row: &RowRuns) -> RowRuns {
    let runs = row.runs.iter().filter(|run| SEEDS.contains(&run.seed)).cloned().collect();
    RowRuns { runs, ..row.clone() }
}

pub fn text(text: &mut String, answer: &Answer, tested: &TestedAssumptions) {
    let all = &tested.now.tried;
    if all.is_empty() {
        return;
    }
    let best = answer.recommended();
    let known = |tried: &AssumptionTrial| tried.half.is_some() || tried.double.is_some();
    if best.point == answer.now.point || !all.iter().any(known) {
        let names: Vec<&str> = all.iter().map(|tried| tried.setting.key.as_str()).collect();
        let _ = writeln!(text, "Not in your files, assumed: {}.", names.join(", "));
        return;
    }
    let as_assumed = as_assumed(answer);
    let mut same: Vec<&str> = Vec::new();
    let mut other: Vec<String> = Vec::new();
    for (now, best) in all.iter().zip(&tested.best) {
        let (half, double) = (gain(&now.half, &best.half), gain(&now.double, &best.double));
        let helps = |gain: &Option<(Stat, Stat)>| {
            gain.as_ref().is_none_or(|(now, best)| best.mean < now.mean * 0.95)
        };
        let is_same = |gain: &Option<(Stat, Stat)>| {
            gain.as_ref().is_none_or(|(_, best)| (best.mean - as_assumed).abs() <= 0.1 * as_assumed)
        };
        if is_same(&half) && is_same(&double) {
            same.push(&now.setting.key);
            continue;
        }
        let at = |gain: &Option<(Stat, Stat)>| {
            gain.as_ref().map_or("?".into(), |(now, best)| {
                format!("{:.1} s instead of {:.1} s now", best.mean, now.mean)
            })
        };
        let verdict = if helps(&half) && helps(&double) { "" } else { ": no gain in one of them" };
        other.push(format!(
            "{} {}: at half {}, at double {}{verdict}",
            now.setting.key,
            now.setting.value,
            at(&half),
            at(&double)
        ))
    }
    text.push_str("Not in your files, assumed; the recommendation at half and at double:\n");
    for line in other {
        let _ = writeln!(text, "  {line}");
    }
    if !same.is_empty() {
        let _ = writeln!(text, "  the same within 10 %: {}", same.join(", "));
    }
}

/// Recovery of the recommended settings with [`SEEDS`].
fn as_assumed(answer: &Answer) -> f64 {
    let best = answer.recommended();
    let of = |row: &RowRuns| row.values().filter(|all| !all.is_empty()).map(|all| stat(&all).mean);
    of(&in_these_seeds(&known(answer, best).row)).or_else(|| of(&best.row)).unwrap_or(0.0)
}

/// The same point from the seeds used for the choice.
fn known<'a>(answer: &'a Answer, tried: &'a answer::PointResult) -> &'a answer::PointResult {
    answer.whole.iter().find(|known| known.point == tried.point).unwrap_or(tried)
}

/// Recovery of the present settings, and of the recommended ones.
fn gain(now: &Option<RowRuns>, best: &Option<RowRuns>) -> Option<(Stat, Stat)> {
    let of = |row: &Option<RowRuns>| Some(stat(&row.as_ref()?.values()?));
    Some((of(now)?, of(best)?))
}
