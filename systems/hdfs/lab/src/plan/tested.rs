//! What no input says, at half and at double: the present settings and what is recommended.
use super::answer::Answer;
use crate::failure::Failure;
use crate::words::assumption;
use crate::{job, pool};
use cluster::Sheet;
use hdfs_reading::{Assumption, Stat, VariantRuns};
use hdfs_scenario::Scenario;
use std::fmt::Write;
use system::assumed::Assumed;
use system::lab::{Row, RowRuns};

const SEEDS: [u64; 3] = [1, 2, 3];

/// Longer than this by the clock it is not to take \[s\].
const PATIENCE: f64 = 20.0;

/// Every assumption at half and at double; only named, where the runs would take too long.
///
/// # Errors
/// Bad input; a failed run; interrupted.
pub fn assumptions(base: &Sheet, answer: &Answer, run_s: f64) -> Result<Vec<Assumption>, Failure> {
    let (lab, best) = (job::lab(), answer.recommended());
    let mut all = vec![Assumed::of(&lab, base)];
    if best.point != answer.now.point {
        all.push(Assumed::of(&lab, &lab.with(base, &best.variant.set)?))
    }
    let rows: Vec<Row> = all.iter().flat_map(|assumed| assumed.rows.clone()).collect();
    let takes_s = (rows.len() * SEEDS.len()) as f64 * run_s / pool::threads() as f64;
    let mut done = match takes_s > PATIENCE || answer.interrupted {
        true => Vec::new(),
        false => lab.run(&rows, &SEEDS, false, "assumed values")?.rows,
    };
    // After Ctrl-C some rows lack seeds, and none can be held against another.
    if done.iter().any(|row| row.runs.len() < SEEDS.len()) {
        done.clear()
    }
    let hardware = &Scenario::of(base).hardware;
    let rest = done.split_off(done.len().min(all[0].rows.len()));
    let of = |assumed: &Assumed, rows: &[RowRuns], row: &VariantRuns| -> Vec<Assumption> {
        let row = (row.name.as_str(), row.set.as_slice());
        assumed.tried(rows).iter().map(|tried| assumption(tried, row, hardware)).collect()
    };
    let mut both = of(&all[0], &done, &answer.now.variant);
    let others = all.get(1).map(|assumed| of(assumed, &rest, &best.variant));
    for one in others.into_iter().flatten() {
        if let Some(now) = both.iter_mut().find(|now| now.key == one.key) {
            now.half.extend(one.half);
            now.double.extend(one.double)
        }
    }
    Ok(both)
}

pub fn text(text: &mut String, answer: &Answer, all: &[Assumption]) {
    if all.is_empty() {
        return;
    }
    let best = answer.recommended();
    if best.point == answer.now.point || all.iter().all(|a| a.half.is_empty()) {
        let names: Vec<&str> = all.iter().map(|a| a.key.as_str()).collect();
        let _ = writeln!(text, "Not in your files, assumed: {}.", names.join(", "));
        return;
    }
    let as_assumed = in_these_seeds(answer);
    let mut same: Vec<&str> = Vec::new();
    let mut other: Vec<String> = Vec::new();
    for assumption in all {
        let (half, double) = (gain(&assumption.half), gain(&assumption.double));
        let helps = |gain: &Option<(Stat, Stat)>| {
            gain.as_ref().is_none_or(|(now, best)| best.mean < now.mean * 0.95)
        };
        let is_same = |gain: &Option<(Stat, Stat)>| {
            gain.as_ref().is_none_or(|(_, best)| (best.mean - as_assumed).abs() <= 0.1 * as_assumed)
        };
        if is_same(&half) && is_same(&double) {
            same.push(&assumption.key);
            continue;
        }
        let at = |gain: &Option<(Stat, Stat)>| {
            gain.as_ref().map_or("?".into(), |(now, best)| {
                format!("{:.1} s for {:.1} s now", best.mean, now.mean)
            })
        };
        let verdict = if helps(&half) && helps(&double) { "" } else { ": no gain in one of them" };
        other.push(format!(
            "{} {}: at half {}, at double {}{verdict}",
            assumption.key,
            assumption.value,
            at(&half),
            at(&double)
        ))
    }
    text.push_str("Not in your files, assumed; the recommendation if it is half or double:\n");
    for line in other {
        let _ = writeln!(text, "  {line}");
    }
    if !same.is_empty() {
        let _ = writeln!(text, "  the same within 10 %: {}", same.join(", "));
    }
}

/// The recovery of what is recommended in the seeds of each assumption: others may be luckier.
fn in_these_seeds(answer: &Answer) -> f64 {
    let best = answer.recommended();
    let known = answer.whole.iter().find(|tried| tried.point == best.point).unwrap_or(best);
    let mut row = known.variant.clone();
    row.runs.truncate(SEEDS.len());
    let all = row.recoveries().filter(|all| !all.is_empty());
    all.or_else(|| best.variant.recoveries()).map_or(0.0, |all| hdfs_reading::stat(&all).mean)
}

/// Recovery of the present settings, and of the recommended ones.
fn gain(rows: &[VariantRuns]) -> Option<(Stat, Stat)> {
    let of = |row: &VariantRuns| row.recoveries().filter(|all| !all.is_empty());
    let (now, best) = (rows.first().and_then(of)?, rows.get(1).and_then(of)?);
    Some((hdfs_reading::stat(&now), hdfs_reading::stat(&best)))
}
