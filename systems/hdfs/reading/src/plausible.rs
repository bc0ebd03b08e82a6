//! A resource is charged only if its own work fills at least a fifth of the wait.
use hdfs_trace::{Trace, bytes};
use std::collections::BTreeMap;
use trace::ResourceId;
use trace::series::Series;
use trace::walk::{Holder, Piece};
use units::Nanos;

/// Minimum part of a wait that the resource's own work must fill.
pub const LEAST_WORK: f64 = 0.2;

/// Resources that can be charged with the waits attributed to them.
pub struct Plausible {
    /// (seconds of work at the capacity of the time, seconds waited).
    work: BTreeMap<ResourceId, (f64, f64)>,
}

impl Plausible {
    /// Sums the work of each resource for all users over the time waited for it. Without samples in
    /// the trace, the waiting copy's own bytes count.
    pub fn of(trace: &Trace, uses: &Series<'_>, pieces: &[Piece]) -> Plausible {
        let mut work: BTreeMap<ResourceId, (f64, f64)> = BTreeMap::new();
        for piece in pieces {
            let Holder::Resource(resource) = piece.holder else { continue };
            let sum = work.entry(resource).or_default();
            // A resource that became slow needs more time for later work.
            for (start, end, capacity) in uses.capacities(resource, piece.start, piece.end) {
                let part = Piece { start, end, ..*piece };
                let work = match uses.known(resource) {
                    true => uses.work(resource, start, end),
                    false => own_bytes(trace, &part),
                };
                let waited = (end - start).as_secs();
                sum.0 += if capacity > 0.0 { (work / capacity).min(waited) } else { 0.0 };
                sum.1 += waited
            }
        }
        Plausible { work }
    }

    pub fn is_limit(&self, resource: ResourceId) -> bool {
        self.work.get(&resource).is_some_and(|&(work, waited)| work >= LEAST_WORK * waited)
    }
}

/// Bytes of a copy, or part of it, in proportion to the piece's length.
fn own_bytes(trace: &Trace, piece: &Piece) -> f64 {
    let Some(mut interval) = piece.interval.map(|id| &trace.intervals[id.at()]) else {
        return 0.0;
    };
    if bytes(interval) == 0 {
        let parent = interval.parent.and_then(|id| trace.intervals.get(id.at()));
        interval = parent.unwrap_or(interval);
    }
    let length: Nanos = interval.end.saturating_sub(interval.start);
    if length == Nanos::ZERO {
        return 0.0;
    }
    bytes(interval) as f64 * (piece.end - piece.start).as_secs() / length.as_secs()
}
