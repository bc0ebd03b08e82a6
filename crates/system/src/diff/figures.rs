//! Numbers of both runs, and the difference of the objective.
use super::data::{Figure, HolderPair};
use super::side::Side;
use crate::figures::{Difference, PairedDifference, judge};
use analysis::stat::further;
use analysis::{Stat, stat};
use std::collections::BTreeSet;
use trace::reading::{HolderShare, Objective, Role};

/// Second minus first: paired if the seeds are the same, else difference of means. A single run is
/// compared with the 95 % range of the other's seeds.
pub(super) fn against([first, second]: &[Side; 2]) -> Option<PairedDifference> {
    let (before, after) = (first.objective()?, second.objective()?);
    let (a, b) = (stat(&before), stat(&after));
    let seeds = |side: &Side| side.band.as_ref().map(|band| band.seeds.clone());
    let difference = match (seeds(first), seeds(second)) {
        (Some(same), Some(other)) if same == other => {
            let pairs = after.iter().zip(&before);
            stat(&pairs.map(|(after, before)| after - before).collect::<Vec<_>>())
        }
        (Some(_), Some(_)) => of(b.mean - a.mean, a.ci95.hypot(b.ci95)),
        _ => {
            let spread = further(&before).or_else(|| further(&after));
            of(b.mean - a.mean, spread.unwrap_or_default())
        }
    };
    let verdict = match judge(&difference, a.mean, first.reading.objective.better) {
        // A single run is inside the range or outside; more seeds do not change that.
        Difference::Open if first.band.is_none() || second.band.is_none() => Difference::None,
        verdict => verdict,
    };
    Some(PairedDifference { mean: difference.mean, ci95: difference.ci95, verdict })
}

fn of(mean: f64, ci95: f64) -> Stat {
    Stat { mean, ci95, min: mean, max: mean }
}

/// Figures of either run: the objective, then the largest differences.
pub(super) fn figures(sides: &[Side; 2]) -> Vec<Figure> {
    let names: BTreeSet<&str> = sides.iter().flat_map(Side::metrics).collect();
    let objective = &sides[0].reading.objective;
    let mut all: Vec<Figure> =
        names.into_iter().filter_map(|key| one(sides, key, objective)).collect();
    let rank = |figure: &Figure| (figure.key != objective.metric, -changed(figure));
    all.sort_by(|a, b| {
        let ((first, a), (other, b)) = (rank(a), rank(b));
        first.cmp(&other).then(a.total_cmp(&b))
    });
    all
}

/// Relative difference to the larger value; −1 if one is missing.
pub(super) fn changed(figure: &Figure) -> f64 {
    let [Some(a), Some(b)] = figure.values else { return -1.0 };
    let most = a.mean.abs().max(b.mean.abs());
    if most == 0.0 { 0.0 } else { ((b.mean - a.mean) / most).abs() }
}

fn one(sides: &[Side; 2], key: &str, objective: &Objective) -> Option<Figure> {
    let values = sides.each_ref().map(|side| side.values(key));
    if values.iter().all(Option::is_none) {
        return None;
    }
    let stats = values.each_ref().map(|values| values.as_deref().map(stat));
    let unit = if key == objective.metric { objective.unit.as_str() } else { unit(key) };
    Some(Figure {
        key: key.into(),
        unit: unit.into(),
        difference: stats[0].zip(stats[1]).map(|(first, second)| second.mean - first.mean),
        inside: match &values {
            [Some(first), Some(second)] => inside(first, second),
            _ => None,
        },
        values: stats,
    })
}

/// The unit, from the metric's name.
fn unit(key: &str) -> &'static str {
    let is_rate = ["_per_s", "_mb_s", "_block_s"].iter().any(|end| key.ends_with(end));
    let is_time = key.ends_with("_s") || key.contains("_s_");
    match key {
        _ if is_rate => "",
        _ if key.contains("bytes") => "B",
        _ if is_time => "s",
        _ => "",
    }
}

/// Whether the single value is within the 95 % range of the others; `None` unless one side has one
/// value.
fn inside(first: &[f64], second: &[f64]) -> Option<bool> {
    let (one, many) = match (first, second) {
        ([one], many @ [_, _, ..]) | (many @ [_, _, ..], [one]) => (one, many),
        _ => return None,
    };
    // Float sums: a constant value must not be outside its own range.
    let width = further(many)? + 1e-9 * one.abs();
    Some((one - stat(many).mean).abs() <= width)
}

/// Bottlenecks of either run, largest share first, unexplained last. A setting with two values is
/// one entry.
pub(super) fn held(sides: &[Side; 2]) -> Vec<HolderPair> {
    let key = |held: &HolderShare| match held.role {
        Role::Setting => held.holder.split(" = ").next().unwrap_or_default().to_string(),
        _ => held.holder.clone(),
    };
    let known = |side: &Side| -> Vec<HolderShare> {
        side.reading.held.iter().filter(|held| held.share > 0.0).cloned().collect()
    };
    let all = sides.each_ref().map(known);
    let mut names: Vec<(String, Role)> = Vec::new();
    for held in all.iter().flatten() {
        if !names.contains(&(key(held), held.role)) {
            names.push((key(held), held.role))
        }
    }
    let is_time = sides[0].reading.objective.unit == "s";
    let values = sides.each_ref().map(|side| side.reading.value.filter(|_| is_time));
    let pair = |(name, role): (String, Role)| {
        let own = |of: &[HolderShare]| -> Vec<HolderShare> {
            of.iter().filter(|held| held.role == role && key(held) == name).cloned().collect()
        };
        let both = all.each_ref().map(|of| own(of));
        let shares = both.each_ref().map(|of| of.iter().fold(0.0, |sum, held| sum + held.share));
        let seconds = match values {
            [Some(first), Some(second)] => Some([shares[0] * first, shares[1] * second]),
            _ => None,
        };
        HolderPair { name: called(&name, &both), role, shares, seconds }
    };
    let mut all: Vec<HolderPair> = names.into_iter().map(pair).collect();
    let most = |pair: &HolderPair| pair.shares[0].max(pair.shares[1]);
    let last = |pair: &HolderPair| pair.role == Role::Unexplained;
    all.sort_by(|a, b| last(a).cmp(&last(b)).then(most(b).total_cmp(&most(a))));
    all
}

/// "key = 2", or "key = 2 → 4".
fn called(name: &str, both: &[Vec<HolderShare>; 2]) -> String {
    let [first, second] = both.each_ref().map(|of| of.first().map(|held| held.holder.as_str()));
    match (first, second) {
        (Some(first), Some(second)) if first != second => {
            let value = second.split_once(" = ").map_or(second, |(_, value)| value);
            format!("{first} → {value}")
        }
        (Some(one), _) | (None, Some(one)) => one.into(),
        (None, None) => name.into(),
    }
}
