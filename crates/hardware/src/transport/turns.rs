//! Queue sharing: a resource at which flows take turns.
use crate::{Capacity, ResourceId, carry::Carry};
use engine::{Nanos, Scalar};
use units::{Bytes, BytesPerSec};

/// No row.
pub(super) const NONE: u32 = u32::MAX;

/// How long chunks take, with what rounding leaves carried.
///
/// A chunk of b bytes takes b / rate, and seek · b / batch(n) more where n ≥ 2 flows share the
/// resource: at n flows that are always there, [`Capacity::at`] together.
#[derive(Clone, Copy, Debug, Scalar)]
struct Pace {
    capacity: Capacity,
    moving: Carry,
    seeking: Carry,
}

impl Pace {
    fn take(&mut self, bytes: u32, flows: u32) -> Nanos {
        let bytes = Bytes(u64::from(bytes));
        let moving = self.moving.take(bytes, self.capacity.rate);
        if flows < 2 || self.capacity.seek.0 == 0 {
            return moving;
        }
        let batch = self.capacity.batch_of(flows).0;
        if !self.capacity.curve.is_kept() {
            // Carried in parts of another batch: dropped, less than a nanosecond.
            self.seeking = Carry::default()
        }
        moving + self.seeking.take_times(bytes, self.capacity.seek, batch)
    }
}

/// A resource, the flow whose chunk is being served, and the ring of those that wait: the first and
/// the last row of it; rows are linked.
#[derive(Clone, Copy, Debug, Scalar)]
pub(super) struct Turns {
    pub(super) resource: ResourceId,
    /// The row being served.
    pub(super) serving: u32,
    pub(super) head: u32,
    pub(super) tail: u32,
    /// How many are in the ring.
    pub(super) line: u32,
    /// The row served last.
    pub(super) last: u32,
    /// Restarts.
    pub(super) epoch: u32,
    pace: Pace,
}

impl Turns {
    /// Idle.
    pub(super) fn new(resource: ResourceId, capacity: Capacity) -> Turns {
        let pace = Pace { capacity, moving: Carry::default(), seeking: Carry::default() };
        let (serving, head, tail, last) = (NONE, NONE, NONE, NONE);
        Turns { resource, serving, head, tail, line: 0, last, epoch: 0, pace }
    }

    /// The row's chunk is served now: for how long. Flows that share the resource are those in
    /// line, and the one served before, as the head has to move.
    #[inline]
    pub(super) fn serve(&mut self, row: u32, bytes: u32) -> Nanos {
        let moved = self.last != row && self.last != NONE;
        let flows = self.line.max(1 + moved as u32);
        (self.serving, self.last) = (row, row);
        self.pace.take(bytes, flows)
    }

    /// It gives so much to chunks whose turn is still to come.
    pub(super) fn slow(&mut self, capacity: Capacity) {
        self.pace = Pace { capacity, moving: Carry::default(), seeking: Carry::default() }
    }

    /// Nobody is served, nobody waits.
    pub(super) fn restart(&mut self) {
        (self.serving, self.head, self.tail, self.last) = (NONE, NONE, NONE, NONE);
        self.line = 0;
        self.epoch += 1
    }

    /// Of one stream.
    pub(super) fn rate(&self) -> BytesPerSec {
        self.pace.capacity.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_of_many_flows_take_what_the_capacity_says() {
        for quarters in [0, 2, 4] {
            let curve = cluster::DiskCurve::quarters(quarters);
            let (seek, batch) = (Nanos::micros(12_360), Bytes::mib(4));
            let capacity = Capacity { seek, batch, curve, ..Capacity::fixed(BytesPerSec::mb(150)) };
            for flows in [1, 2, 5] {
                let mut turns = Turns::new(ResourceId(0), capacity);
                turns.line = flows;
                let chunk = 256 << 10;
                let spent: u64 = (0..1000).map(|n| turns.serve(n % flows, chunk).0).sum();
                let rate = 1e9 * 1000.0 * f64::from(chunk) / spent as f64;
                let off = rate / capacity.at(flows) - 1.0;
                assert!(off.abs() < 1e-6, "{flows} flows, g = {quarters}/4: {off}");
            }
        }
    }
}
