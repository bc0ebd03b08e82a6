//! How evenly a load is spread: max/mean, coefficient of variation, Gini, and the hottest.

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    pub mean: f64,
    /// Largest load over the mean; 1 is even.
    pub max_over_mean: f64,
    /// Population standard deviation (1/n) divided by the mean; 0 is even.
    pub cv: f64,
    /// Gini coefficient, Σᵢ (2i − n − 1) xᵢ / (n Σ x) with x ascending and i from 1; 0 is even, 1 −
    /// 1/n is all load on one.
    pub gini: f64,
}

impl Spread {
    /// Loads must not be negative; `None` if their sum is 0.
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

/// Indices of the `n` largest positive values, descending; equal values by index.
pub fn hottest(values: &[f64], n: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..values.len()).filter(|&i| values[i] > 0.0).collect();
    places.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
    places.truncate(n);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_worked_out_by_hand() {
        let even = Spread::of(&[3.0, 3.0, 3.0]).unwrap();
        assert_eq!((even.max_over_mean, even.cv, even.gini), (1.0, 0.0, 0.0));
        let one = Spread::of(&[0.0, 8.0, 0.0, 0.0]).unwrap();
        assert_eq!((one.max_over_mean, one.gini), (4.0, 0.75));
        assert!((one.cv - libm::sqrt(3.0)).abs() < 1e-15);
        let some = Spread::of(&[1.0, 2.0, 3.0]).unwrap();
        assert!((some.gini - 2.0 / 9.0).abs() < 1e-15);
        assert!(Spread::of(&[]).is_none() && Spread::of(&[0.0]).is_none());
        assert_eq!(hottest(&[1.0, 3.0, 0.0, 3.0], 3), [1, 3, 0]);
    }

    #[test]
    fn gini_is_the_mean_difference_of_all_pairs() {
        for seed in 1..200u64 {
            let load = |i: u64| ((seed * 7919 + i * i * 31) % 9 + 1) as f64;
            let loads: Vec<f64> = (0..1 + seed % 20).map(load).collect();
            let n = loads.len() as f64;
            let pairs = loads.iter().flat_map(|a| loads.iter().map(move |b| (a - b).abs()));
            let mean = loads.iter().sum::<f64>() / n;
            let wanted = pairs.sum::<f64>() / (2.0 * n * n * mean);
            assert!((Spread::of(&loads).unwrap().gini - wanted).abs() < 1e-12);
        }
    }
}
