//! Whether a task's input explains its time: time = start + slope × input, fitted to the other
//! tasks.
use super::view::View;
use crate::why::Attempt;
use crate::why::stats::{median, quantile};

/// Up to this factor over the prediction, the input explains a time: sorting and merging grow
/// faster than the input.
const MARGIN: f64 = 2.0;

/// A slope is fitted only if the inputs' 90th and 10th percentiles differ by this factor.
const SPREAD: f64 = 1.5;

/// A slope may exceed the fitted one by this many standard errors.
const ERRORS: f64 = 3.0;

/// Minimum number of tasks to fit a slope.
const FEW: usize = 5;

/// Counters of a task's input, for reduces (first two) and for maps.
const COUNTED: [(&str, &str); 5] = [
    ("REDUCE_INPUT_RECORDS", "records"),
    ("REDUCE_SHUFFLE_BYTES", "bytes"),
    ("HDFS_BYTES_READ", "bytes"),
    ("MAP_INPUT_RECORDS", "records"),
    ("FILE_BYTES_READ", "bytes"),
];

/// Counters of input that most tasks of the kind have, with their unit.
pub(super) fn common_counters(kind: &str, all: &[&Attempt]) -> Vec<(&'static str, &'static str)> {
    let told = |name: &str| all.iter().filter(|a| a.number(name) > 0.0).count();
    let counted = if kind == "REDUCE" { &COUNTED[..2] } else { &COUNTED[2..] };
    counted.iter().filter(|(name, _)| 2 * told(name) > all.len()).copied().collect()
}

/// Time = start + slope × input; both are at least 0.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct LinearFit {
    start: f64,
    slope: f64,
}

fn square(x: f64) -> f64 {
    x * x
}

impl LinearFit {
    /// Least squares through (input, time).
    pub(super) fn of(points: &[(f64, f64)]) -> LinearFit {
        let n = points.len().max(1) as f64;
        let (x, y) = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0 / n, sum.1 + p.1 / n));
        let about = |x: f64, y: f64| {
            let add = |sum: (f64, f64), p: &(f64, f64)| {
                (sum.0 + square(p.0 - x), sum.1 + (p.0 - x) * (p.1 - y))
            };
            points.iter().fold((0.0, 0.0), add)
        };
        let (xx, xy) = about(x, y);
        let slope = if xx > 0.0 { (xy / xx).max(0.0) } else { 0.0 };
        match y - slope * x {
            start if start >= 0.0 => LinearFit { start, slope },
            // Through the origin, since the start may not be negative.
            _ => {
                let (xx, xy) = about(0.0, 0.0);
                LinearFit { start: 0.0, slope: xy / xx }
            }
        }
    }

    pub(super) fn at(self, input: f64) -> f64 {
        self.start + self.slope * input
    }

    /// Standard error of the slope.
    fn error(self, points: &[(f64, f64)]) -> f64 {
        let n = points.len().max(3) as f64;
        let mean = points.iter().map(|p| p.0 / n).sum::<f64>();
        let (xx, rest) = points.iter().fold((0.0, 0.0), |sum, p| {
            (sum.0 + square(p.0 - mean), sum.1 + square(p.1 - self.at(p.0)))
        });
        if xx > 0.0 { (rest / (n - 2.0) / xx).sqrt() } else { 0.0 }
    }
}

/// Upper bound of a task's time by its input, from other tasks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct TimePredictor {
    /// Median input and median time.
    typical: (f64, f64),
    /// The line and the error of its slope; `None`: too few tasks, or too similar inputs.
    line: Option<(LinearFit, f64)>,
}

impl TimePredictor {
    /// `others`: (input, time) of tasks of the same kind.
    pub(super) fn of(others: &[(f64, f64)]) -> TimePredictor {
        let inputs = || others.iter().map(|p| p.0).collect::<Vec<f64>>();
        let middle = |all: Vec<f64>| median(all).unwrap_or(0.0);
        let apart = quantile(inputs(), 0.9) >= SPREAD * quantile(inputs(), 0.1);
        let line = LinearFit::of(others);
        TimePredictor {
            typical: (middle(inputs()), middle(others.iter().map(|p| p.1).collect())),
            line: (others.len() >= FEW && apart).then(|| (line, line.error(others))),
        }
    }

    /// By the line, else in proportion to the input.
    fn most(&self, input: f64) -> f64 {
        let (typical, usual) = self.typical;
        if typical <= 0.0 {
            return f64::INFINITY;
        }
        let in_proportion = usual * (input / typical).max(1.0);
        match self.line {
            Some((line, error)) => {
                let steeper = ERRORS * error * (input - typical).max(0.0);
                (line.at(input) + steeper).clamp(usual, in_proportion)
            }
            None => in_proportion,
        }
    }

    pub(super) fn covers_time(&self, took: f64, input: f64) -> bool {
        took <= MARGIN * self.most(input)
    }
}

pub(super) fn points(view: &View<'_>, all: &[&Attempt], name: &str) -> Vec<(f64, f64)> {
    all.iter().map(|a| (a.number(name), view.work(a))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, wanted: f64) -> bool {
        (value - wanted).abs() <= 0.02 * wanted.abs().max(1.0)
    }

    #[test]
    fn a_line_has_a_start_and_a_slope_and_neither_is_negative() {
        let line = LinearFit::of(&[(1.0, 12.0), (2.0, 14.0), (10.0, 30.0)]);
        assert!(near(line.start, 10.0) && near(line.slope, 2.0), "{line:?}");
        let falls = LinearFit::of(&[(1.0, 20.0), (2.0, 18.0), (3.0, 16.0)]);
        assert!(falls.slope == 0.0 && near(falls.start, 18.0), "{falls:?}");
        let steep = LinearFit::of(&[(1.0, 1.0), (2.0, 6.0), (3.0, 11.0)]);
        assert!(steep.start == 0.0 && steep.slope > 0.0, "{steep:?}");
        let same = LinearFit::of(&[(5.0, 15.0), (5.0, 17.0)]);
        assert!(near(same.at(5.0), 16.0) && same.slope == 0.0, "{same:?}")
    }

    #[test]
    fn inputs_that_differ_predict_by_their_line_and_equal_ones_in_proportion() {
        let of = |n: u32| (f64::from(n), 10.0 + f64::from(n));
        let differ: Vec<(f64, f64)> = (1..=8).map(of).collect();
        assert!(
            near(TimePredictor::of(&differ).most(40.0), 50.0),
            "{}",
            TimePredictor::of(&differ).most(40.0)
        );
        let same = [(1.0, 15.0); 9];
        assert!(near(TimePredictor::of(&same).most(40.0), 600.0));
        assert!(
            near(TimePredictor::of(&same).most(0.5), 15.0),
            "less input does not make the start shorter"
        );
        assert!(
            TimePredictor::of(&[(0.0, 2.0); 3]).most(7.0).is_infinite(),
            "the slope is unknown"
        );
        let noisy = [(1.0, 3.2), (2.0, 2.7), (3.0, 3.1), (4.0, 2.9), (5.0, 3.1), (6.0, 3.0)];
        let most = TimePredictor::of(&noisy).most(60.0);
        assert!((5.0..60.0).contains(&most), "flat times predict little: {most}")
    }
}
