//! How evenly a load is spread: max/mean, coefficient of variation, Gini; who has most.

/// How evenly a load is spread over its bearers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// Mean load.
    pub mean: f64,
    /// Largest load over the mean; 1 is even.
    pub max_over_mean: f64,
    /// Standard deviation (of the whole population, σ with 1/n) over the mean; 0 is even.
    pub cv: f64,
    /// Gini coefficient, Σᵢ (2i − n − 1) xᵢ / (n Σ x) with x ascending and i from 1; 0 is even,
    /// 1 − 1/n is all on one.
    pub gini: f64,
}

impl Spread {
    /// Of loads that are not negative; `None` where there is no load at all.
    pub fn of(loads: &[f64]) -> Option<Spread> {
        let total: f64 = loads.iter().sum();
        if total <= 0.0 {
            return None;
        }
        let n = loads.len() as f64;
        let mean = total / n;
        let variance = loads.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
        let mut ascending = loads.to_vec();
        ascending.sort_by(f64::total_cmp);
        let ranked = ascending.iter().enumerate();
        let weighted: f64 = ranked.map(|(i, x)| (2.0 * (i as f64 + 1.0) - n - 1.0) * x).sum();
        Some(Spread {
            mean,
            max_over_mean: ascending[ascending.len() - 1] / mean,
            cv: libm::sqrt(variance) / mean,
            gini: weighted / (n * total),
        })
    }
}

/// Places of the `n` largest values, largest first; equal ones by place. What is not above 0 is
/// left out.
pub fn hottest(values: &[f64], n: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..values.len()).filter(|&i| values[i] > 0.0).collect();
    places.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
    places.truncate(n);
    places
}
