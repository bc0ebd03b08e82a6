//! Counters over time and seeds: median, smallest and largest on one grid.
use crate::run::{Run, VariantRuns};
use analysis::{Bins, Span, Steps};
use hdfs_trace::{CounterId, Trace};
use serde::Serialize;
use units::Nanos;

/// A counter over time and seeds.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Curve {
    /// Sample i stands at i · step_s \[s\].
    pub step_s: f64,
    pub median: Vec<f64>,
    pub min: Vec<f64>,
    pub max: Vec<f64>,
}

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
    let from = |run: &Run| run.moments.zero().unwrap_or_default();
    let curves: Vec<(&Steps, Nanos)> =
        variant.runs.iter().map(|run| (of(run), from(run))).collect();
    let span = Span::of(&curves, step, units::usize_of(samples.saturating_sub(1)));
    (curve.median, curve.min, curve.max) = (span.median, span.low, span.high);
    curve
}

/// A counter by name; `None` where the trace has no such counter.
pub fn counter(trace: &Trace, name: &str) -> Option<Steps> {
    let id = CounterId::of(trace.counter_names.iter().position(|n| n.name == name)?);
    let mut points: Vec<(Nanos, f64)> = trace
        .counters
        .iter()
        .filter_map(|c| Some((c.at, c.value.filter(|_| c.counter == id)?)))
        .collect();
    points.sort_by_key(|point| point.0);
    Some(Steps::new(points))
}
