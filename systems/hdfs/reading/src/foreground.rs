//! What clients waited for their requests, before the repair and during it.
use crate::moments::Moments;
use hdfs_trace::{Interval, Outcome, Trace, requests};
use units::{Nanos, floored_u64, u32_of, usize_of};

/// Of fewer requests no percentile is told.
pub const ENOUGH: usize = 100;

/// Points of the curve over the run.
const POINTS: f64 = 120.0;

/// Clients' latencies in a stretch of time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LatencyPoint {
    /// Its middle, since the loss was declared \[s\].
    pub at_s: f64,
    /// Half of the requests that ended in it took no longer \[ms\].
    pub p50_ms: f64,
    /// 99 of 100 took no longer (all, where there are fewer than 100) \[ms\].
    pub p99_ms: f64,
    /// Requests that ended in it.
    pub requests: u32,
}

/// Latencies of a window, sorted \[s\].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Window(Vec<f64>);

impl Window {
    /// Requests that ended from `from` on and before `to`; those that had not ended when the run
    /// did count with what they had waited until then, where they began before `to`.
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

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The smallest latency that `part` of all do not exceed (nearest rank) \[s\]; `None` of fewer
    /// than 100.
    pub fn percentile(&self, part: f64) -> Option<f64> {
        self.nearest(part).filter(|_| self.0.len() >= ENOUGH)
    }

    /// The same, of however few.
    fn nearest(&self, part: f64) -> Option<f64> {
        let rank = usize_of(floored_u64(libm::ceil(part * self.0.len() as f64)));
        self.0.get(rank.max(1) - 1).copied()
    }
}

/// When a client had all; `None`: not until the end of the run.
fn ended(request: &Interval) -> Option<Nanos> {
    (request.outcome != Outcome::Cut).then_some(request.end)
}

/// The windows of a run: before the declaration, so without the repair; and from then on until all
/// that can be is safe.
pub fn windows(trace: &Trace, moments: &Moments) -> (Window, Window) {
    let of = |from, to| Window::of(requests(trace), from, to, moments.end);
    let before = of(Nanos::ZERO, moments.declared.unwrap_or(moments.end));
    let during = match moments.declared {
        Some(declared) => of(declared, moments.repaired().max(declared)),
        None => Window::default(),
    };
    (before, during)
}

/// Latencies over the run: the length of a stretch \[s\], and a point for each in which a request
/// ended. `None` where none ended.
pub fn curve(trace: &Trace, moments: &Moments) -> Option<(f64, Vec<LatencyPoint>)> {
    let last = requests(trace).filter_map(ended).max()?;
    // As long before the declaration as the repair takes, so that both are seen: but not before
    // there were clients.
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
