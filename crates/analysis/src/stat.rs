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

/// The 97.5 % quantile: 2.262 for 9 degrees of freedom.
fn student_t(freedom: f64) -> f64 {
    quantile(freedom, 0.975)
}

fn quantile(freedom: f64, p: f64) -> f64 {
    let t = StudentsT::new(0.0, 1.0, freedom).expect("one degree of freedom at least");
    t.inverse_cdf(p)
}
