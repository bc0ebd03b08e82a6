//! Queue sharing: a resource at which flows take turns.
use crate::{Capacity, carry::Carry};
use engine::{Nanos, Scalar};
use units::Bytes;

/// No row.
pub(super) const NONE: u32 = u32::MAX;

/// What has to happen when the chunk being served is through: what an `Event::Served` is under way
/// for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub(super) enum Due {
    /// Nothing: the chunk, if there is one, was sent on when its turn came, and nobody waits.
    Nothing,
    /// The next one's turn.
    Turn,
    /// The next one's turn; and the row served goes on.
    Row,
}

/// A resource, the flow whose chunk is being served, and the ring of those that wait: the first and
/// the last row of it; rows are linked. One cache line.
#[derive(Clone, Copy, Debug, Scalar)]
#[repr(align(64))]
pub(super) struct Turns {
    /// The chunk served last is through.
    pub(super) until: Nanos,
    /// Time given to chunks since then, which nobody was told of.
    pub(super) since: Nanos,
    pub(super) busy: Nanos,
    /// What rounding leaves of the time that bytes take, and of seeks.
    moving: Carry,
    seeking: Carry,
    pub(super) head: u32,
    pub(super) tail: u32,
    pub(super) line: u32,
    /// The row served last.
    pub(super) last: u32,
    /// What it gives, as a number of the transport's.
    pub(super) class: u32,
    /// It gives something else.
    pub(super) is_slowed: bool,
    pub(super) due: Due,
}

/// A resource says how long it has worked no more often than this.
pub const REPORTED_EVERY: Nanos = Nanos::millis(100);

impl Turns {
    pub(super) fn new(class: u32) -> Turns {
        let (until, since, busy) = (Nanos(0), Nanos(0), Nanos(0));
        let (moving, seeking) = (Carry::default(), Carry::default());
        let (head, tail, last, due) = (NONE, NONE, NONE, Due::Nothing);
        let (line, is_slowed) = (0, false);
        Turns { until, since, busy, moving, seeking, head, tail, line, last, class, is_slowed, due }
    }

    /// The row's chunk is served now: for how long. Flows that share the resource are those in
    /// line, and the one served before, as the head has to move.
    #[inline]
    pub(super) fn serve(&mut self, row: u32, bytes: u32, capacity: &Capacity) -> Nanos {
        let moved = self.last != row && self.last != NONE;
        let flows = self.line.max(1 + moved as u32);
        self.last = row;
        let takes = self.take(bytes, flows, capacity);
        self.busy += takes;
        takes
    }

    /// A row goes to the end of the ring. Says behind which one: it has to be linked to that.
    #[inline]
    pub(super) fn line_up(&mut self, row: u32) -> u32 {
        self.line += 1;
        let before = std::mem::replace(&mut self.tail, row);
        if before == NONE {
            self.head = row
        }
        before
    }

    /// The first row leaves the ring, and another one was behind it, or none.
    #[inline]
    pub(super) fn leave(&mut self, behind: u32) {
        self.line -= 1;
        self.head = behind;
        if behind == NONE {
            self.tail = NONE
        }
    }

    /// How long a chunk takes, with what rounding leaves carried.
    ///
    /// A chunk of b bytes takes b / rate, and seek · b / batch(n) more where n ≥ 2 flows share the
    /// resource: at n flows that are always there, [`Capacity::at`] together.
    #[inline]
    fn take(&mut self, bytes: u32, flows: u32, capacity: &Capacity) -> Nanos {
        let bytes = Bytes(u64::from(bytes));
        let moving = self.moving.take(bytes, capacity.rate);
        if flows < 2 || capacity.seek.0 == 0 {
            return moving;
        }
        let batch = capacity.batch_of(flows).0;
        if !capacity.curve.is_kept() {
            // Carried in parts of another batch: dropped, less than a nanosecond.
            self.seeking = Carry::default()
        }
        moving + self.seeking.take_times(bytes, capacity.seek, batch)
    }

    /// What is to be said of the time since the last report, if it is time: since when, and how
    /// much; `now` a report begins.
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

    /// It gives something else to chunks whose turn is still to come.
    pub(super) fn slow(&mut self) {
        (self.is_slowed, self.moving, self.seeking) = (true, Carry::default(), Carry::default())
    }

    /// Nobody is served, nobody waits.
    pub(super) fn restart(&mut self) {
        (self.head, self.tail, self.last, self.line) = (NONE, NONE, NONE, 0);
        (self.until, self.due) = (Nanos(0), Due::Nothing)
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
