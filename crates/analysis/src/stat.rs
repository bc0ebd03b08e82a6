//! Means with 95 % intervals.
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Stat {
    pub mean: f64,
    /// Half width of the 95 % interval (Student's t); 0 with one seed.
    pub ci95: f64,
    pub min: f64,
    pub max: f64,
}

/// Smaller relative differences count as none.
pub const SAME: f64 = 0.05;

/// The 95 % interval has half width t · s / √n (Student's t with n − 1 degrees of freedom). Panics
/// without values.
pub fn stat(values: &[f64]) -> Stat {
    assert!(!values.is_empty(), "a statistic of nothing");
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    let ci95 = match values.len() {
        1 => 0.0,
        _ => student_t(n - 1.0) * libm::sqrt(squares / (n - 1.0) / n),
    };
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Stat { mean, ci95, min, max }
}

/// Whether an insignificant difference may exceed 5 % of the present, by its interval: more seeds
/// decide.
pub fn is_open(difference: &Stat, present: f64) -> bool {
    difference.mean.abs() + difference.ci95 > SAME * present.abs()
}

/// Half width of the 95 % prediction interval of another value: t · s · √(1 + 1/n), Student's t
/// with n − 1 degrees of freedom. `None` for fewer than two values.
pub fn further(values: &[f64]) -> Option<f64> {
    let n = values.len() as f64;
    // `stat` has t · s · √(1/n).
    (values.len() > 1).then(|| stat(values).ci95 * libm::sqrt(n + 1.0))
}

/// Factor of [`further`] so that *all* `numbers` of another run are within their ranges in 95 % of
/// runs (Bonferroni). `values` is the number of seeds.
pub fn jointly(values: usize, numbers: usize) -> f64 {
    let freedom = values.saturating_sub(1).max(1) as f64;
    quantile(freedom, 1.0 - 0.025 / numbers.max(1) as f64) / student_t(freedom)
}

/// Least difference that two means of `runs` new values each can separate: t · s · √(2/runs),
/// Student's t with 2·runs − 2 degrees of freedom and s of `values`. `None` for fewer than two.
pub fn separated(values: &[f64], runs: u32) -> Option<f64> {
    let (n, runs) = (values.len() as f64, f64::from(runs));
    // `stat` has t · s / √n.
    let s = || stat(values).ci95 / student_t(n - 1.0) * libm::sqrt(n);
    (n > 1.0 && runs > 1.0).then(|| student_t(2.0 * runs - 2.0) * s() * libm::sqrt(2.0 / runs))
}

/// The 97.5 % quantile: 2.262 for 9 degrees of freedom.
fn student_t(freedom: f64) -> f64 {
    quantile(freedom, 0.975)
}

fn quantile(freedom: f64, p: f64) -> f64 {
    let t = StudentsT::new(0.0, 1.0, freedom).expect("one degree of freedom at least");
    t.inverse_cdf(p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seven_runs_separate_what_their_spread_allows() {
        // A standard deviation of 7: t of 12 degrees is 2.179, times 7, times the root of 2/7.
        let apart = separated(&[93.0, 100.0, 107.0], 7).unwrap();
        assert!((apart - 8.153).abs() < 1e-3, "{apart}");
        assert_eq!((separated(&[1.0], 7), separated(&[1.0, 2.0], 1)), (None, None));
    }
}
