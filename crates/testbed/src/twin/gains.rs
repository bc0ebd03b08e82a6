//! Relative differences between the times of two arms.
use super::campaign::ArmRuns;
use analysis::{Stat, stat};
use serde_json::{Value, json};
use std::fmt::Write;

#[derive(Clone, PartialEq, Debug)]
pub struct Gain {
    pub metric: String,
    /// Relative change of the second arm's mean prediction over the first's.
    pub predicted: f64,
    /// Relative change of the measured times, by pair of runs.
    pub measured: Stat,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Gains {
    pub pairs: usize,
    /// Times that all runs have.
    pub all: Vec<Gain>,
}

impl Gains {
    /// Gains of `arm` relative to `first`, by run.
    pub fn of(first: &ArmRuns, arm: &ArmRuns) -> Gains {
        let (first, second) = (first.pairs(), arm.pairs());
        let pairs: Vec<_> = first.iter().zip(&second).collect();
        let gain = |metric: &String| {
            let measured: Option<Vec<f64>> = pairs
                .iter()
                .map(|(a, b)| Some(b.measured.get(metric)? / a.measured.get(metric)? - 1.0))
                .collect();
            let sums: Option<Vec<[f64; 2]>> = pairs
                .iter()
                .map(|(a, b)| Some([*a.predicted.get(metric)?, *b.predicted.get(metric)?]))
                .collect();
            let sums = sums?.into_iter().fold([0.0; 2], |[a, b], [c, d]| [a + c, b + d]);
            let measured = stat(&measured?);
            Some(Gain { metric: metric.clone(), predicted: sums[1] / sums[0] - 1.0, measured })
        };
        let names = first.first().into_iter().flat_map(|pair| pair.measured.keys());
        let times = names.filter(|name| name.ends_with("_s") || name.contains("_s_"));
        Gains { pairs: pairs.len(), all: times.filter_map(gain).collect() }
    }

    /// `{METRIC: {predicted, measured: {mean, ci95, runs}}}`
    pub fn json(&self) -> Value {
        let one = |gain: &Gain| {
            let Stat { mean, ci95, .. } = gain.measured;
            let measured = json!({ "mean": mean, "ci95": ci95, "runs": self.pairs });
            (gain.metric.clone(), json!({ "predicted": gain.predicted, "measured": measured }))
        };
        Value::Object(self.all.iter().map(one).collect())
    }

    pub fn text(&self, name: &str, first: &str) -> String {
        let mut out = format!("{name}, longer than {first} by\n");
        for Gain { metric, predicted, measured } in &self.all {
            let [p, m, e] = [*predicted, measured.mean, measured.ci95].map(|part| 100.0 * part);
            let _ =
                writeln!(out, "  {metric:<18} predicted {p:+.1} %, measured {m:+.1} ± {e:.1} %");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::checkpoint::MeasuredRun;
    use super::super::machine::Work;
    use super::super::{Figures, Pair};
    use super::*;

    fn arm(name: &str, runs: &[f64], predicted: f64) -> ArmRuns {
        let of = |value| Figures::from([("job_s_mean".into(), value), ("bytes".into(), 1.0)]);
        let made = |value: &f64| MeasuredRun {
            pair: Pair { predicted: of(predicted), chance: Figures::new(), measured: of(*value) },
            work: Work { processors: 0.0, read: 0, written: 0 },
        };
        ArmRuns { name: name.into(), made: runs.iter().map(made).collect() }
    }

    #[test]
    fn arms_are_compared_pair_by_pair() {
        let gains = Gains::of(&arm("a", &[10.0, 20.0], 8.0), &arm("b", &[11.0, 22.0], 10.0));
        let [gain] = &gains.all[..] else { panic!("times alone: {gains:?}") };
        assert!((gain.measured.mean - 0.1).abs() < 1e-12 && gain.measured.ci95 < 1e-9);
        assert_eq!((gain.predicted, gains.pairs), (0.25, 2));
        assert!(gains.text("b", "a").contains("measured +10.0"), "{}", gains.text("b", "a"));
    }
}
