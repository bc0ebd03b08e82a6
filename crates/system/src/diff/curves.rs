//! Two curves on one grid, and where they differ.
use super::band::{Band, BandCurve, SAMPLES, length, progress};
use super::data::{Curve, CurveGap, LargestGap, Pair, Parts};
use super::side::Side;
use analysis::stat::SAME;
use analysis::{Bins, Steps};
use units::{Nanos, u32_of, usize_of};

/// A curve from the begin of the objective: of one run, or a range over seeds.
enum Line<'a> {
    One(Steps, Nanos),
    Many(&'a BandCurve, Nanos),
}

impl<'a> Line<'a> {
    fn of(side: &'a Side, key: &str) -> Option<Line<'a>> {
        if let Some(band) = &side.band {
            return Some(Line::Many(band.curves.get(key)?, Nanos::from_secs(band.step_s)));
        }
        let own = progress(&side.reading).into_iter().find(|one| one.key == key)?;
        Some(Line::One(own.steps, side.reading.window.0))
    }

    /// Minimum and maximum at a time; between two samples of a band, over both.
    fn range(&self, since: Nanos) -> (f64, f64) {
        match self {
            Line::One(steps, zero) => {
                let value = steps.at(*zero + since);
                (value, value)
            }
            Line::Many(curve, step) => {
                let (before, after) = places(curve, *step, since);
                let low = curve.low[before].min(curve.low[after]);
                (low, curve.high[before].max(curve.high[after]))
            }
        }
    }

    fn middle(&self, since: Nanos) -> f64 {
        match self {
            Line::One(steps, zero) => steps.at(*zero + since),
            Line::Many(curve, step) => curve.median[places(curve, *step, since).0],
        }
    }

    fn drawn(&self, times: &[Nanos], step: Nanos) -> Curve {
        Curve {
            step_s: step.as_secs(),
            median: times.iter().map(|at| self.middle(*at)).collect(),
            min: times.iter().map(|at| self.range(*at).0).collect(),
            max: times.iter().map(|at| self.range(*at).1).collect(),
        }
    }
}

/// Indices of the samples at or around a time; after the last sample, its index.
fn places(curve: &BandCurve, step: Nanos, since: Nanos) -> (usize, usize) {
    let last = curve.low.len() - 1;
    let before = since.0 / step.0;
    let after = since.0.div_ceil(step.0);
    (last.min(usize_of(before)), last.min(usize_of(after)))
}

/// The grid of both curves: the finer of the bands' steps.
fn grid(sides: &[Side; 2]) -> Bins {
    let steps = sides.iter().filter_map(|side| side.band.as_ref());
    let finest = steps.map(|band| Nanos::from_secs(band.step_s)).min();
    let longest = sides.iter().map(ends).max().unwrap_or_default();
    match finest {
        // A band much finer than the other run is long would give too many samples.
        Some(width) if longest.0 / width.0 <= 4 * SAMPLES as u64 => {
            Bins { from: Nanos::ZERO, width, count: usize_of(longest.0.div_ceil(width.0).max(1)) }
        }
        _ => Bins::round(Nanos::ZERO, longest, SAMPLES),
    }
}

fn ends(side: &Side) -> Nanos {
    let band = side.band.as_ref().and_then(|band| {
        let samples = band.curves.values().map(|curve| curve.low.len()).max()?;
        Some(Nanos::from_secs(band.step_s) * (samples as u64).saturating_sub(1))
    });
    length(&side.reading).max(band.unwrap_or_default())
}

/// Every curve that both runs have.
pub(super) fn pairs(sides: &[Side; 2]) -> Vec<Pair> {
    let grid = grid(sides);
    let times: Vec<Nanos> = (0..=grid.count as u64).map(|i| grid.width * i).collect();
    let bands: Vec<Option<&Band>> = sides.iter().map(|side| side.band.as_ref()).collect();
    let pair = |one: super::band::Progress| {
        let lines = [Line::of(&sides[0], &one.key)?, Line::of(&sides[1], &one.key)?];
        let has_band = bands.iter().any(Option::is_some);
        let parts = has_band.then(|| parts(&lines, &times, &bands, &one.key));
        let curves = lines.each_ref().map(|line| line.drawn(&times, grid.width));
        let apart_from_s = match &parts {
            Some(parts) => parts.spans.first().map(|span| span.from_s),
            None => apart_from(&curves),
        };
        Some(Pair {
            key: one.key,
            title: one.title,
            unit: one.unit,
            parts,
            farthest: farthest(&lines, &times),
            apart_from_s,
            sides: curves,
        })
    };
    progress(&sides[0].reading).into_iter().filter_map(pair).collect()
}

/// The first time when two single curves differ by over 5 % of the largest value.
fn apart_from(curves: &[Curve; 2]) -> Option<f64> {
    let most = curves.iter().flat_map(|curve| &curve.median).fold(0.0, |a: f64, b| a.max(b.abs()));
    let mut pairs = curves[0].median.iter().zip(&curves[1].median);
    let first = pairs.position(|(a, b)| (b - a).abs() > SAME * most)?;
    Some(first as f64 * curves[0].step_s)
}

fn parts(lines: &[Line<'_>; 2], times: &[Nanos], bands: &[Option<&Band>], key: &str) -> Parts {
    let spans = spans(lines, times);
    let outside_s = spans.iter().fold(0.0, |sum, span| sum + (span.to_s - span.from_s));
    let one = match bands {
        [Some(one), None] | [None, Some(one)] => Some(*one),
        _ => None,
    };
    let curve = one.and_then(|band| band.curves.get(key));
    // Tolerates the rounding of float sums.
    let alike = |curve: &BandCurve| {
        u32_of(curve.outside_s.iter().filter(|seed| **seed >= outside_s - 1e-9).count())
    };
    Parts {
        bands: (0..2).filter(|side| bands[*side as usize].is_some()).collect(),
        outside_s,
        until_s: times.last().copied().unwrap_or_default().as_secs(),
        alike: curve.map(alike),
        seeds: one.map(|band| u32_of(band.seeds.len())),
        spans,
    }
}

/// The times when the ranges do not overlap; each lasts until the next sample.
fn spans(lines: &[Line<'_>; 2], times: &[Nanos]) -> Vec<CurveGap> {
    let mut spans: Vec<CurveGap> = Vec::new();
    for pair in times.windows(2) {
        let ((low, high), (lower, higher)) = (lines[0].range(pair[0]), lines[1].range(pair[0]));
        let above = lower > high;
        if !above && higher >= low {
            continue;
        }
        let (from_s, to_s) = (pair[0].as_secs(), pair[1].as_secs());
        match spans.last_mut() {
            Some(last) if last.to_s == from_s && last.above == above => last.to_s = to_s,
            _ => spans.push(CurveGap { from_s, to_s, above }),
        }
    }
    spans
}

/// The first time of the largest difference.
fn farthest(lines: &[Line<'_>; 2], times: &[Nanos]) -> LargestGap {
    let mut most = LargestGap { at_s: 0.0, values: [0.0; 2] };
    for at in times {
        let values = [lines[0].middle(*at), lines[1].middle(*at)];
        let apart = |of: [f64; 2]| (of[1] - of[0]).abs();
        if apart(values) > apart(most.values) || *at == Nanos::ZERO {
            most = LargestGap { at_s: at.as_secs(), values }
        }
    }
    most
}
