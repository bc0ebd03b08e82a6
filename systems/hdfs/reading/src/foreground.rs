//! Client latencies before and during the repair.
use crate::moments::Moments;
use hdfs_trace::{Interval, Outcome, Trace, requests};
use units::{Nanos, floored_u64, u32_of, usize_of};

/// A percentile needs at least this number of requests.
pub const ENOUGH: usize = 100;

const POINTS: f64 = 120.0;

/// Client latencies in one time step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LatencyPoint {
    /// Middle of the step, since the declaration \[s\].
    pub at_s: f64,
    /// Median of the requests that ended in the step \[ms\].
    pub p50_ms: f64,
    /// 99th percentile, or the maximum of fewer than 100 requests \[ms\].
    pub p99_ms: f64,
    /// Requests that ended in the step.
    pub requests: u32,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Window(Vec<f64>);

impl Window {
    /// Requests that ended from `from` to before `to`. A request without an end counts with its
    /// wait until the run's end, if it began before `to`.
    pub fn of<'a>(
        requests: impl Iterator<Item = &'a Interval>,
        from: Nanos,
        to: Nanos,
        end: Nanos,
    ) -> Window {
        let waited = |r: &Interval| match ended(r) {
            Some(at) => (at >= from && at < to).then(|| (at - r.start).as_secs()),
            None => (r.start < to && to >= end).then(|| end.saturating_sub(r.start).as_secs()),
        };
        let mut all: Vec<f64> = requests.filter_map(waited).collect();
        all.sort_by(f64::total_cmp);
        Window(all)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Nearest-rank percentile \[s\]; `part` from 0 to 1. `None`: fewer than 100 requests.
    pub fn percentile(&self, part: f64) -> Option<f64> {
        self.nearest(part).filter(|_| self.0.len() >= ENOUGH)
    }

    /// As [`Window::percentile`], for any number of requests.
    fn nearest(&self, part: f64) -> Option<f64> {
        let rank = usize_of(floored_u64(libm::ceil(part * self.0.len() as f64)));
        self.0.get(rank.max(1) - 1).copied()
    }
}

/// `None`: not finished by the end of the run.
fn ended(request: &Interval) -> Option<Nanos> {
    (request.outcome != Outcome::Cut).then_some(request.end)
}

/// (before the declaration, from then until every recoverable block is safe).
pub fn windows(trace: &Trace, moments: &Moments) -> (Window, Window) {
    let of = |from, to| Window::of(requests(trace), from, to, moments.end);
    let before = of(Nanos::ZERO, moments.declared.unwrap_or(moments.end));
    let during = match moments.declared {
        Some(declared) => of(declared, moments.repaired().max(declared)),
        None => Window::default(),
    };
    (before, during)
}

/// (length of a step \[s\], points of the steps with ended requests). `None`: no request ended.
pub fn curve(trace: &Trace, moments: &Moments) -> Option<(f64, Vec<LatencyPoint>)> {
    let last = requests(trace).filter_map(ended).max()?;
    // Shows as much time before the declaration as the repair takes, but not before the first
    // request.
    let declared = moments.declared.unwrap_or_default();
    let repair = moments.repaired().saturating_sub(declared).max(Nanos::secs(1));
    let first = requests(trace).map(|r| r.start).min()?;
    let from = declared.saturating_sub(repair).max(first.min(declared));
    let step = Nanos::from_secs(libm::ceil(last.saturating_sub(from).as_secs() / POINTS).max(1.0));
    let (mut points, mut at) = (Vec::new(), from);
    while at < last {
        let window = Window::of(requests(trace), at, at + step, Nanos::MAX);
        let middle = moments.since_declared(at) + step.as_secs() / 2.0;
        if let (Some(p50), Some(p99)) = (window.nearest(0.5), window.nearest(0.99)) {
            let (p50_ms, p99_ms) = (1e3 * p50, 1e3 * p99);
            let requests = u32_of(window.len());
            points.push(LatencyPoint { at_s: middle, p50_ms, p99_ms, requests })
        }
        at += step
    }
    (!points.is_empty()).then(|| (step.as_secs(), points))
}
