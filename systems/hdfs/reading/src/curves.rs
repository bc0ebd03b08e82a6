//! Counters over time and seeds: median, smallest and largest on one grid.
use crate::report::Curve;
use crate::run::{Run, VariantRuns};
use crate::series::Bins;
use crate::steps::Steps;
use units::Nanos;

/// Most samples of a curve.
const SAMPLES: usize = 300;

/// The step that all curves of a comparison share.
pub fn grid(variants: &[VariantRuns]) -> Nanos {
    let runs = variants.iter().flat_map(|variant| &variant.runs);
    let longest = runs.map(Run::length).max().unwrap_or_default();
    Bins::round(Nanos::ZERO, longest, SAMPLES).width
}

/// A counter of all runs of a variant, from each run's declaration until its longest run ends;
/// empty where a run does not see one.
pub fn curve(variant: &VariantRuns, step: Nanos, of: impl Fn(&Run) -> &Steps) -> Curve {
    let longest = variant.runs.iter().map(Run::length).max().unwrap_or_default();
    let samples = longest.0.div_ceil(step.0) + 1;
    let mut curve = Curve { step_s: step.as_secs(), ..Curve::default() };
    if variant.runs.iter().any(|run| run.moments.zero().is_none()) {
        return curve;
    }
    for i in 0..samples {
        let since = step * i;
        let value = |run: &Run| of(run).at(run.moments.zero().unwrap_or_default() + since);
        let mut values: Vec<f64> = variant.runs.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        curve.median.push(median(&values));
        curve.min.push(values.first().copied().unwrap_or(0.0));
        curve.max.push(values.last().copied().unwrap_or(0.0));
    }
    curve
}

/// Of sorted values; the mean of the middle two of an even number.
fn median(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    match n {
        0 => 0.0,
        _ => (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0,
    }
}
