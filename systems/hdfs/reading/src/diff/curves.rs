//! Two curves on one grid, and where they part.
use super::Side;
use super::page::{Apart, Farthest, Pair, Parts};
use crate::band::{BandCurve, CURVES, Of};
use crate::curves::Curve;
use analysis::{Bins, Steps};
use units::{Nanos, u32_of, usize_of};

/// Most samples of a curve.
const SAMPLES: usize = 600;

/// What curves are called.
const TITLES: [(&str, &str); 2] = [("at_risk", "Blocks at risk"), ("made", "Copies made")];

/// A curve from the declaration on: of one run, or what several span.
enum Line<'a> {
    One(&'a Steps, Nanos),
    Many(&'a BandCurve, Nanos),
}

impl<'a> Line<'a> {
    fn of(side: &'a Side, name: &str, of: Of) -> Line<'a> {
        let band = side.band.as_ref().and_then(|band| Some((band, band.curves.get(name)?)));
        match band {
            Some((band, curve)) => Line::Many(curve, Nanos::from_secs(band.step_s)),
            None => Line::One(of(&side.run), side.run.moments.declared.unwrap_or_default()),
        }
    }

    /// Smallest and largest at a time. Between two samples of a band, what both span.
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
}

/// The samples at a time: one, or the two around it; the last for ever.
fn places(curve: &BandCurve, step: Nanos, since: Nanos) -> (usize, usize) {
    let last = curve.low.len() - 1;
    let before = since.0 / step.0;
    let after = since.0.div_ceil(step.0);
    (last.min(usize_of(before)), last.min(usize_of(after)))
}

/// The step of both, and how many of them: a band's own, the finer of two.
fn grid(sides: [&Side; 2]) -> Bins {
    let steps = sides.iter().filter_map(|side| side.band.as_ref());
    let finest = steps.map(|band| Nanos::from_secs(band.step_s)).min();
    let longest = sides.iter().map(|side| length(side)).max().unwrap_or_default();
    let own = Bins::round(Nanos::ZERO, longest, SAMPLES);
    match finest {
        // A band that is much finer than the other run is long gives no more than twice as many.
        Some(width) if longest.0 / width.0 <= 4 * SAMPLES as u64 => {
            Bins { from: Nanos::ZERO, width, count: usize_of(longest.0.div_ceil(width.0).max(1)) }
        }
        _ => own,
    }
}

fn length(side: &Side) -> Nanos {
    let band = side.band.as_ref().and_then(|band| {
        let samples = band.curves.values().map(|curve| curve.low.len()).max()?;
        Some(Nanos::from_secs(band.step_s) * (samples as u64).saturating_sub(1))
    });
    side.run.length().max(band.unwrap_or_default())
}

/// Every curve of both.
pub fn pairs(first: &Side, second: &Side) -> Vec<Pair> {
    let grid = grid([first, second]);
    let times: Vec<Nanos> = (0..=grid.count as u64).map(|i| grid.width * i).collect();
    let pair = |(name, of): (&str, Of)| {
        let lines = [Line::of(first, name, of), Line::of(second, name, of)];
        let bands: Vec<&Side> = [first, second].into_iter().filter(|s| s.band.is_some()).collect();
        let title = TITLES.iter().find(|(key, _)| *key == name).map_or(name, |(_, title)| *title);
        Pair {
            key: name.into(),
            title: title.into(),
            parts: (!bands.is_empty()).then(|| parts(&lines, &times, &bands, name)),
            farthest: farthest(&lines, &times),
            sides: lines.map(|line| drawn(&line, &times, grid.width)),
        }
    };
    CURVES.into_iter().map(pair).collect()
}

fn drawn(line: &Line<'_>, times: &[Nanos], step: Nanos) -> Curve {
    Curve {
        step_s: step.as_secs(),
        median: times.iter().map(|at| line.middle(*at)).collect(),
        min: times.iter().map(|at| line.range(*at).0).collect(),
        max: times.iter().map(|at| line.range(*at).1).collect(),
    }
}

fn parts(lines: &[Line<'_>; 2], times: &[Nanos], bands: &[&Side], name: &str) -> Parts {
    let is_band = |line: &Line<'_>| matches!(line, Line::Many(..));
    let spans = spans(lines, times);
    let outside_s = spans.iter().fold(0.0, |sum, span| sum + (span.to_s - span.from_s));
    let one = match bands {
        [one] => one.band.as_ref(),
        _ => None,
    };
    let curve = one.and_then(|band| band.curves.get(name));
    // A grid's width less is no less: sums of floats.
    let alike = |curve: &BandCurve| {
        u32_of(curve.outside_s.iter().filter(|seed| **seed >= outside_s - 1e-9).count())
    };
    Parts {
        bands: (0..2).filter(|side| is_band(&lines[*side as usize])).collect(),
        outside_s,
        until_s: times.last().copied().unwrap_or_default().as_secs(),
        alike: curve.map(alike),
        seeds: one.map(|band| u32_of(band.seeds.len())),
        spans,
    }
}

/// The times at which what they span does not meet; each holds until the next sample.
fn spans(lines: &[Line<'_>; 2], times: &[Nanos]) -> Vec<Apart> {
    let mut spans: Vec<Apart> = Vec::new();
    for pair in times.windows(2) {
        let ((low, high), (lower, higher)) = (lines[0].range(pair[0]), lines[1].range(pair[0]));
        let above = lower > high;
        if !above && higher >= low {
            continue;
        }
        let (from_s, to_s) = (pair[0].as_secs(), pair[1].as_secs());
        match spans.last_mut() {
            Some(last) if last.to_s == from_s && last.above == above => last.to_s = to_s,
            _ => spans.push(Apart { from_s, to_s, above }),
        }
    }
    spans
}

/// The first of the times at which they differ most.
fn farthest(lines: &[Line<'_>; 2], times: &[Nanos]) -> Farthest {
    let mut most = Farthest { at_s: 0.0, values: [0.0; 2] };
    for at in times {
        let values = [lines[0].middle(*at), lines[1].middle(*at)];
        let apart = |of: [f64; 2]| (of[1] - of[0]).abs();
        if apart(values) > apart(most.values) || *at == Nanos::ZERO {
            most = Farthest { at_s: at.as_secs(), values }
        }
    }
    most
}
