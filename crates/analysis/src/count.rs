//! A yes or no counted over seeds or draws.

/// Number of runs in which a statement holds. One run proves nothing; a count has an interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    pub holds: usize,
    pub of: usize,
}

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

impl Count {
    pub fn of(runs: impl IntoIterator<Item = bool>) -> Count {
        let mut count = Count { holds: 0, of: 0 };
        for holds in runs {
            count.of += 1;
            count.holds += usize::from(holds)
        }
        count
    }

    /// Fraction that holds; 0 without runs.
    pub fn share(self) -> f64 {
        self.holds as f64 / (self.of.max(1)) as f64
    }

    /// 95 % interval of the fraction: Wilson's score interval (Wilson 1927; recommended by Brown,
    /// Cai and DasGupta 2001). It has a width also for none and all, unlike p ± 1.96 √(p (1 − p) /
    /// n).
    pub fn wilson(self) -> (f64, f64) {
        if self.of == 0 {
            return (0.0, 1.0);
        }
        let (n, p) = (self.of as f64, self.share());
        let scale = 1.0 + Z * Z / n;
        let centre = (p + Z * Z / (2.0 * n)) / scale;
        let half = Z * libm::sqrt(p * (1.0 - p) / n + Z * Z / (4.0 * n * n)) / scale;
        // Avoids rounding errors at 0 and 1.
        let low = if self.holds == 0 { 0.0 } else { centre - half };
        (low, if self.holds == self.of { 1.0 } else { centre + half })
    }

    /// Whether more than half hold; `None`: too few runs, such as three of three.
    pub fn mostly(self) -> Option<bool> {
        let (low, high) = self.wilson();
        (low > 0.5 || high < 0.5).then_some(low > 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calculated by hand, and from tables.
    #[test]
    fn ends_are_wilsons() {
        let table = [
            ((0, 10), (0.0, 0.2775)),
            ((1, 60), (0.0029, 0.0886)),
            ((10, 100), (0.0552, 0.1744)),
            ((0, 100), (0.0, 0.0370)),
            ((5, 10), (0.2366, 0.7634)),
            ((10, 10), (0.7225, 1.0)),
            ((0, 0), (0.0, 1.0)),
        ];
        for ((holds, of), (low, high)) in table {
            let ours = Count { holds, of }.wilson();
            assert!((ours.0 - low).abs() < 1e-4, "{holds} of {of}: {ours:?}");
            assert!((ours.1 - high).abs() < 1e-4, "{holds} of {of}: {ours:?}");
        }
    }

    /// Checks the definition by bisection: |holds − n p| = z √(n p (1 − p)) at both ends.
    #[test]
    fn the_interval_is_where_the_score_test_rejects() {
        for of in [1, 2, 10, 100, 10_000] {
            for holds in [0, 1, of / 3, of / 2, of - 1, of] {
                let score = |p: f64| {
                    let (holds, n) = (holds as f64, of as f64);
                    (holds - n * p).abs() - Z * libm::sqrt(n * p * (1.0 - p))
                };
                let seen = Count { holds, of }.share();
                let between = |mut out: f64, mut within: f64| {
                    for _ in 0..200 {
                        let middle = (out + within) / 2.0;
                        if score(middle) > 0.0 { out = middle } else { within = middle }
                    }
                    (out + within) / 2.0
                };
                let (low, high) = Count { holds, of }.wilson();
                assert!((low - between(0.0, seen)).abs() < 1e-9, "{holds} of {of}: {low}");
                assert!((high - between(1.0, seen)).abs() < 1e-9, "{holds} of {of}: {high}");
            }
        }
    }

    #[test]
    fn few_runs_decide_nothing() {
        let all = |of| Count { holds: of, of }.mostly();
        assert_eq!([1, 2, 3, 4].map(all), [None, None, None, Some(true)]);
        assert_eq!(Count::of([false; 4]).mostly(), Some(false));
        assert_eq!(Count::of([true, false, true, true]).mostly(), None);
    }
}
