//! Queue sharing: a resource that serves flows by turns.
use crate::{Capacity, carry::Carry};
use engine::{Nanos, Scalar};
use units::Bytes;

pub(super) const NONE: u32 = u32::MAX;

/// Why an `Event::Served` is scheduled for the end of the present turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub(super) enum DueEvent {
    /// It is not: the chunk, if any, was sent when its turn began, and no row waits.
    Nothing,
    Turn,
    /// The next turn, and the served row continues.
    Row,
}

/// A resource, the row in service, and the first and last row of the ring of waiting ones. Rows are
/// linked. One cache line.
#[derive(Clone, Copy, Debug, Scalar)]
#[repr(align(64))]
pub(super) struct Turns {
    /// End of the last turn.
    pub(super) until: Nanos,
    /// Start of the time not reported yet, and busy time since then.
    pub(super) since: Nanos,
    pub(super) busy: Nanos,
    /// Rounding remainders of transfer and seek times.
    moving: Carry,
    seeking: Carry,
    pub(super) head: u32,
    pub(super) tail: u32,
    pub(super) line: u32,
    /// The row served last.
    pub(super) last: u32,
    /// Index of its capacity in the transport's distinct ones.
    pub(super) class: u32,
    /// Its capacity differs from that of its class.
    pub(super) is_slowed: bool,
    pub(super) due: DueEvent,
}

/// Minimum time between two reports of a resource.
pub const REPORTED_EVERY: Nanos = Nanos::millis(100);

impl Turns {
    pub(super) fn new(class: u32) -> Turns {
        let (until, since, busy) = (Nanos(0), Nanos(0), Nanos(0));
        let (moving, seeking) = (Carry::default(), Carry::default());
        let (head, tail, last, due) = (NONE, NONE, NONE, DueEvent::Nothing);
        let (line, is_slowed) = (0, false);
        Turns { until, since, busy, moving, seeking, head, tail, line, last, class, is_slowed, due }
    }

    /// Service time of the row's chunk. The waiting rows share the resource; if another row was
    /// served before, at least two flows do, because the head has to move.
    #[inline]
    pub(super) fn serve(&mut self, row: u32, bytes: u32, capacity: &Capacity) -> Nanos {
        let moved = self.last != row && self.last != NONE;
        let flows = self.line.max(1 + moved as u32);
        self.last = row;
        let takes = self.take(bytes, flows, capacity);
        self.busy += takes;
        takes
    }

    /// Appends a row to the ring. Returns the row before it, which has to be linked to it.
    #[inline]
    pub(super) fn line_up(&mut self, row: u32) -> u32 {
        self.line += 1;
        let before = std::mem::replace(&mut self.tail, row);
        if before == NONE {
            self.head = row
        }
        before
    }

    /// Removes the first row; `behind` is the next one, or [`NONE`].
    #[inline]
    pub(super) fn leave(&mut self, behind: u32) {
        self.line -= 1;
        self.head = behind;
        if behind == NONE {
            self.tail = NONE
        }
    }

    /// Service time of a chunk, with the rounding remainder carried.
    ///
    /// A chunk of b bytes takes b / rate; if n ≥ 2 flows share the resource, seek · b / batch(n)
    /// more. For n flows that are always there, this gives [`Capacity::at`] in total.
    #[inline]
    fn take(&mut self, bytes: u32, flows: u32, capacity: &Capacity) -> Nanos {
        let bytes = Bytes(u64::from(bytes));
        let moving = self.moving.take(bytes, capacity.rate);
        if flows < 2 || capacity.seek.0 == 0 {
            return moving;
        }
        let batch = capacity.batch_of(flows).0;
        if !capacity.curve.is_kept() {
            // The remainder is in parts of another batch: drop it, less than a nanosecond.
            self.seeking = Carry::default()
        }
        moving + self.seeking.take_times(bytes, capacity.seek, batch)
    }

    /// Start and busy time of a report, if one is due; then the next one begins.
    #[inline]
    pub(super) fn report(&mut self, now: Nanos) -> Option<(Nanos, Nanos)> {
        if self.busy == Nanos::ZERO {
            self.since = now
        }
        let since = self.since;
        (now - since >= REPORTED_EVERY).then(|| {
            self.since = now;
            (since, std::mem::take(&mut self.busy))
        })
    }

    /// Marks another capacity for later turns.
    pub(super) fn slow(&mut self) {
        (self.is_slowed, self.moving, self.seeking) = (true, Carry::default(), Carry::default())
    }

    pub(super) fn restart(&mut self) {
        (self.head, self.tail, self.last, self.line) = (NONE, NONE, NONE, 0);
        (self.until, self.due) = (Nanos(0), DueEvent::Nothing)
    }
}

const _: () = assert!(size_of::<Turns>() == 64);

#[cfg(test)]
mod tests {
    use super::*;
    use units::BytesPerSec;

    #[test]
    fn chunks_of_many_flows_take_what_the_capacity_says() {
        for quarters in [0, 2, 4] {
            let curve = cluster::DiskCurve::quarters(quarters);
            let (seek, batch) = (Nanos::micros(12_360), Bytes::mib(4));
            let capacity = Capacity { seek, batch, curve, ..Capacity::fixed(BytesPerSec::mb(150)) };
            for flows in [1, 2, 5] {
                let mut turns = Turns::new(0);
                turns.line = flows;
                let chunk = 256 << 10;
                let spent: u64 =
                    (0..1000).map(|n| turns.serve(n % flows, chunk, &capacity).0).sum();
                let rate = 1e9 * 1000.0 * f64::from(chunk) / spent as f64;
                let off = rate / capacity.at(flows) - 1.0;
                assert!(off.abs() < 1e-6, "{flows} flows, g = {quarters}/4: {off}");
            }
        }
    }
}
