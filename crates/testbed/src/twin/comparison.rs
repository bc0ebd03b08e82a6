//! Compares predicted and measured figures.
use analysis::stat::further;
use analysis::{Stat, stat};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

pub type Figures = BTreeMap<String, f64>;

/// One run: measured, and simulated from its initial state.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Pair {
    /// Mean over seeds of the simulation.
    pub predicted: Figures,
    /// Half width of the range with 95 % of further seeds around the mean; empty for a single seed.
    pub chance: Figures,
    pub measured: Figures,
}

/// (mean, half width of the range with 95 % of further seeds) of figures that all seeds have.
pub fn of_seeds(seeds: &[Figures]) -> (Figures, Figures) {
    let names = seeds.first().into_iter().flat_map(Figures::keys);
    let all = |name: &String| -> Option<(String, Vec<f64>)> {
        let values = seeds.iter().map(|one| one.get(name).copied()).collect::<Option<Vec<_>>>()?;
        Some((name.clone(), values))
    };
    let values: Vec<(String, Vec<f64>)> = names.filter_map(all).collect();
    let mean = |(name, all): &(String, Vec<f64>)| (name.clone(), stat(all).mean);
    let chance = |(name, all): &(String, Vec<f64>)| Some((name.clone(), further(all)?));
    (values.iter().map(mean).collect(), values.iter().filter_map(chance).collect())
}

#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub metric: String,
    pub predicted: Stat,
    pub measured: Stat,
    /// Predicted − measured, by run.
    pub difference: Stat,
    /// Mean difference / mean measured; `None`: the latter is 0.
    pub error: Option<f64>,
    /// Runs with a difference within `chance`; `None`: chance is unknown or 0.
    pub inside: Option<usize>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    pub runs: usize,
    /// Figures that each run has on both sides.
    pub rows: Vec<Row>,
}

impl Comparison {
    /// Omits figures that a run or prediction lacks.
    pub fn of(pairs: &[Pair]) -> Comparison {
        let inside = |pair: &Pair, name: &String| {
            let [predicted, measured, chance] =
                [&pair.predicted, &pair.measured, &pair.chance].map(|of| of.get(name));
            let off = predicted.zip(measured).map(|(p, m)| (p - m).abs());
            off.zip(chance).is_some_and(|(off, chance)| off <= *chance)
        };
        let names: BTreeSet<&String> = pairs.iter().flat_map(|pair| pair.measured.keys()).collect();
        let row = |name: &String| {
            let all = |side: fn(&Pair) -> &Figures| -> Option<Vec<f64>> {
                pairs.iter().map(|pair| side(pair).get(name).copied()).collect()
            };
            let (predicted, measured) = (all(|p| &p.predicted)?, all(|p| &p.measured)?);
            let less: Vec<f64> = predicted.iter().zip(&measured).map(|(p, m)| p - m).collect();
            let (difference, of) = (stat(&less), stat(&measured));
            Some(Row {
                metric: name.clone(),
                predicted: stat(&predicted),
                measured: of,
                difference,
                error: (of.mean != 0.0).then(|| difference.mean / of.mean),
                inside: pairs
                    .iter()
                    .any(|pair| pair.chance.get(name).is_some_and(|chance| *chance > 0.0))
                    .then(|| pairs.iter().filter(|pair| inside(pair, name)).count()),
            })
        };
        Comparison { runs: pairs.len(), rows: names.into_iter().filter_map(row).collect() }
    }

    pub fn median_error(&self) -> Option<f64> {
        let mut sizes: Vec<f64> =
            self.rows.iter().filter_map(|row| Some(row.error?.abs())).collect();
        sizes.sort_by(f64::total_cmp);
        let middle = sizes.len() / 2;
        match sizes.len() {
            0 => None,
            n if n % 2 == 1 => Some(sizes[middle]),
            _ => Some((sizes[middle - 1] + sizes[middle]) / 2.0),
        }
    }

    /// `{predicted: {METRIC: {mean, ci95, runs}}, measured: …, difference: …, error: {METRIC: …}}`
    pub fn json(&self) -> Map<String, Value> {
        let of = |which: fn(&Row) -> Stat| -> Value {
            let one = |row: &Row| {
                let Stat { mean, ci95, .. } = which(row);
                (row.metric.clone(), json!({ "mean": mean, "ci95": ci95, "runs": self.runs }))
            };
            Value::Object(self.rows.iter().map(one).collect())
        };
        let inside = self.rows.iter().map(|row| (row.metric.clone(), json!(row.inside)));
        let errors = self.rows.iter().map(|row| (row.metric.clone(), json!(row.error)));
        Map::from_iter([
            ("predicted".into(), of(|row| row.predicted)),
            ("measured".into(), of(|row| row.measured)),
            ("difference".into(), of(|row| row.difference)),
            ("error".into(), Value::Object(errors.collect())),
            ("inside".into(), Value::Object(inside.collect())),
            ("median_error".into(), json!(self.median_error())),
        ])
    }

    pub fn text(&self) -> String {
        let width = self.rows.iter().map(|row| row.metric.len()).max().unwrap_or(0);
        let mut out = format!(
            "{:<width$} {:>14} {:>14} {:>9}  chance\n",
            "", "predicted", "measured", "error"
        );
        for row in &self.rows {
            let [p, m] = [row.predicted, row.measured].map(|of| shown(of, self.runs));
            let error = row.error.map_or("–".into(), |e| format!("{:+.1} %", 100.0 * e));
            let inside = row.inside.map_or("–".into(), |n| format!("{n} of {}", self.runs));
            let _ = writeln!(out, "{:<width$} {p:>14} {m:>14} {error:>9}  {inside}", row.metric);
        }
        if let Some(error) = self.median_error() {
            let (runs, s) = (self.runs, if self.runs == 1 { "" } else { "s" });
            let _ = writeln!(
                out,
                "median error {:.1} % of {} figures, {runs} run{s}; ± is the 95 % interval of the \
                 mean; chance: runs within the 95 % range of the simulation's seeds",
                100.0 * error,
                self.rows.len()
            );
        }
        out
    }
}

/// `25.9 ± 0.3`; a single run has no interval.
fn shown(of: Stat, runs: usize) -> String {
    let digits = match of.mean.abs().max(of.ci95) {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    };
    match runs {
        1 => format!("{:.digits$}", of.mean),
        _ => format!("{:.digits$} ± {:.digits$}", of.mean, of.ci95),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(predicted: &[(&str, f64)], measured: &[(&str, f64)]) -> Pair {
        let of = |all: &[(&str, f64)]| all.iter().map(|(k, v)| (k.to_string(), *v)).collect();
        Pair { predicted: of(predicted), chance: of(&[("a_s", 1.0)]), measured: of(measured) }
    }

    #[test]
    fn runs_are_paired_with_their_own_predictions() {
        let pairs = [
            pair(&[("a_s", 11.0), ("b", 4.0)], &[("a_s", 10.0), ("b", 0.0), ("c", 1.0)]),
            pair(&[("a_s", 22.0), ("b", 4.0)], &[("a_s", 21.0), ("b", 0.0)]),
        ];
        let all = Comparison::of(&pairs);
        let names: Vec<&str> = all.rows.iter().map(|row| row.metric.as_str()).collect();
        assert_eq!(names, ["a_s", "b"], "what one side lacks is no figure");
        assert_eq!((all.rows[0].difference.mean, all.rows[0].difference.ci95), (1.0, 0.0));
        assert_eq!(all.rows[0].error, Some(1.0 / 15.5));
        assert_eq!(all.rows[1].error, None, "nothing is no part of 0");
        assert_eq!((all.rows[0].inside, all.rows[1].inside), (Some(2), None));
        assert_eq!(all.median_error(), Some(1.0 / 15.5));
        let json = Value::Object(all.json());
        assert_eq!(json["measured"]["a_s"]["mean"], 15.5);
        assert_eq!(json["predicted"]["a_s"]["runs"], 2);
        assert_eq!(json["error"]["b"], Value::Null);
        let text = all.text();
        assert!(text.contains("+6.5 %  2 of 2"), "{text}");
    }

    #[test]
    fn the_median_is_of_the_errors_sizes() {
        let of = |errors: &[f64]| {
            let names: Vec<String> = (0..errors.len()).map(|n| n.to_string()).collect();
            let named = |f: fn(f64) -> f64| -> Vec<(&str, f64)> {
                names.iter().map(String::as_str).zip(errors.iter().map(|e| f(*e))).collect()
            };
            Comparison::of(&[pair(&named(|e| 100.0 + e), &named(|_| 100.0))]).median_error()
        };
        assert_eq!(of(&[-30.0, 1.0, 2.0]), Some(0.02));
        assert_eq!(of(&[-30.0, 1.0, 2.0, 4.0]), Some(0.03));
        assert_eq!(of(&[]), None);
    }
}
