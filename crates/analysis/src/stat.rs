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

/// Below this part of the present value a difference is none.
pub const SAME: f64 = 0.05;

/// Mean, half width of the 95 % interval (t · s / √n, Student's t with n − 1 degrees of freedom),
/// smallest and largest. Nothing is a bug of the caller.
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

/// Whether a difference that is not told from none may still be one: its interval reaches beyond
/// 5 % of the present. More seeds would tell.
pub fn is_open(difference: &Stat, present: f64) -> bool {
    difference.mean.abs() + difference.ci95 > SAME * present.abs()
}

/// Half width of the range in which 95 % of further values lie, if they are spread as these are
/// (t · s · √(1 + 1/n), Student's t with n − 1 degrees of freedom); `None` of fewer than two.
pub fn further(values: &[f64]) -> Option<f64> {
    let n = values.len() as f64;
    // Of n values the interval of the mean is t · s · √(1/n).
    (values.len() > 1).then(|| stat(values).ci95 * libm::sqrt(n + 1.0))
}

/// How many times as wide as [`further`] of `values` values such a range is to be, so that of so
/// many numbers of a further run *all* lie in theirs, in 95 % of runs (Bonferroni's bound).
pub fn jointly(values: usize, numbers: usize) -> f64 {
    let freedom = values.saturating_sub(1).max(1) as f64;
    quantile(freedom, 1.0 - 0.025 / numbers.max(1) as f64) / student_t(freedom)
}

/// The 97.5 % quantile: 2.262 for 9 degrees of freedom.
fn student_t(freedom: f64) -> f64 {
    quantile(freedom, 0.975)
}

fn quantile(freedom: f64, p: f64) -> f64 {
    let t = StudentsT::new(0.0, 1.0, freedom).expect("one degree of freedom at least");
    t.inverse_cdf(p)
}
