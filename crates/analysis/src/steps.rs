//! Step functions of time: a counter, or a resource's utilisation.
use units::Nanos;

/// A value from each time to the next; 0 before the first.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Steps {
    /// Ascending.
    at: Vec<Nanos>,
    /// `value[i]` holds from `at[i]` on.
    value: Vec<f64>,
}

impl Steps {
    /// Points in ascending order of time; of several at one time the last counts.
    pub fn new(points: impl IntoIterator<Item = (Nanos, f64)>) -> Steps {
        let mut steps = Steps::default();
        for (at, value) in points {
            let last = steps.at.last().copied();
            assert!(last.is_none_or(|t| t <= at), "a step function goes back in time: {at:?}");
            if last == Some(at) {
                *steps.value.last_mut().expect("as long as `at`") = value;
            } else {
                steps.at.push(at);
                steps.value.push(value);
            }
        }
        steps
    }

    pub fn at(&self, time: Nanos) -> f64 {
        let after = self.at.partition_point(|&t| t <= time);
        after.checked_sub(1).map_or(0.0, |place| self.value[place])
    }

    pub fn last(&self) -> f64 {
        self.value.last().copied().unwrap_or(0.0)
    }

    pub fn scaled(&self, factor: f64) -> Steps {
        let value = self.value.iter().map(|value| value * factor).collect();
        Steps { at: self.at.clone(), value }
    }

    pub fn max(&self) -> f64 {
        self.value.iter().copied().fold(0.0, f64::max)
    }

    /// (from, to, value) between two times; starts at the first point.
    pub fn pieces(&self, from: Nanos, to: Nanos) -> impl Iterator<Item = (Nanos, Nanos, f64)> {
        let first = self.at.partition_point(|&t| t <= from).saturating_sub(1);
        (first..self.at.len()).map_while(move |place| {
            let start = self.at[place].max(from);
            let end = self.at.get(place + 1).copied().unwrap_or(Nanos::MAX).min(to);
            (self.at[place] < to).then_some((start, end.max(start), self.value[place]))
        })
    }

    /// Changes whenever either function changes.
    pub fn minus(&self, other: &Steps) -> Steps {
        let mut times: Vec<Nanos> = self.at.iter().chain(&other.at).copied().collect();
        times.sort_unstable();
        times.dedup();
        Steps::new(times.into_iter().map(|at| (at, self.at(at) - other.at(at))))
    }

    /// End of the last period above 0, at most `end`; `None` if there is none.
    pub fn last_above_zero(&self, end: Nanos) -> Option<Nanos> {
        let begun = self.at.partition_point(|&t| t < end);
        let above = self.value[..begun].iter().rposition(|&value| value > 0.0)?;
        Some(self.at.get(above + 1).copied().unwrap_or(Nanos::MAX).min(end))
    }

    /// ∫ value dt \[value · s\].
    pub fn integral(&self, from: Nanos, to: Nanos) -> f64 {
        // `sum` of an empty iterator is −0.0, which JSON shows.
        let pieces = self.pieces(from, to);
        pieces.fold(0.0, |sum, (start, end, value)| sum + value * (end - start).as_secs())
    }

    /// Time above 0 between two times \[s\].
    pub fn time_above_zero(&self, from: Nanos, to: Nanos) -> f64 {
        let above = self.pieces(from, to).filter(|piece| piece.2 > 0.0);
        above.map(|(start, end, _)| (end - start).0).sum::<u64>() as f64 / 1e9
    }
}

/// Range of several curves on one grid.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Span {
    pub low: Vec<f64>,
    pub median: Vec<f64>,
    pub high: Vec<f64>,
    /// For each curve: time outside the range of the others \[s\].
    pub outside_s: Vec<f64>,
}

impl Span {
    /// Each curve has its own time 0; samples at `count` + 1 places, `step` apart.
    pub fn of(curves: &[(&Steps, Nanos)], step: Nanos, count: usize) -> Span {
        let mut span = Span { outside_s: vec![0.0; curves.len()], ..Span::default() };
        for place in 0..=count as u64 {
            let values: Vec<f64> =
                curves.iter().map(|(steps, from)| steps.at(*from + step * place)).collect();
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let n = sorted.len();
            if n == 0 {
                break;
            }
            span.low.push(sorted[0]);
            span.median.push((sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0);
            span.high.push(sorted[n - 1]);
            let alone = |v: f64| n > 1 && (v < sorted[1] || v > sorted[n - 2]);
            for (curve, _) in values.iter().enumerate().filter(|(_, v)| alone(**v)) {
                span.outside_s[curve] += step.as_secs()
            }
        }
        span
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_integrate_exactly() {
        // 0 0 2 2 2 0 0 1 …
        let steps =
            Steps::new([(2, 2.0), (5, 0.0), (7, 4.0), (7, 1.0)].map(|(s, v)| (Nanos::secs(s), v)));
        let span = |from, to| (Nanos::secs(from), Nanos::secs(to));
        for (from, to, integral, above) in [
            (0, 10, 9.0, 6.0),
            (3, 4, 2.0, 1.0),
            (4, 8, 3.0, 2.0),
            (0, 2, 0.0, 0.0),
            (9, 9, 0.0, 0.0),
        ] {
            let (from, to) = span(from, to);
            assert_eq!(steps.integral(from, to), integral);
            assert_eq!(steps.time_above_zero(from, to), above);
        }
        assert_eq!(
            (steps.at(Nanos::secs(1)), steps.at(Nanos::secs(2)), steps.last()),
            (0.0, 2.0, 1.0)
        );
    }
}
