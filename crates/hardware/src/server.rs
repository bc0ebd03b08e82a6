//! One budget that requests wait in line for.
use super::Capacity;
use rewind::{Queue, Rewind, Scalar};
use units::{Bytes, Nanos};

/// Which way the bytes go; for a disk.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Direction {
    /// From the medium.
    Read,
    /// To the medium.
    Write,
}

/// A chunk that wants to be moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Request {
    /// Whose it is: chunks of one stream and direction lie one after another, with no seek between
    /// them.
    pub stream: u64,
    /// How much.
    pub bytes: Bytes,
    /// Which way.
    pub direction: Direction,
}

/// When a request is served.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Service {
    /// Its turn comes.
    pub starts: Nanos,
    /// Its last byte is through, rounded up.
    pub ends: Nanos,
    /// Nothing was in line: a busy period begins now. It ends at the `ends` at which
    /// [`Server::in_line`] is 0.
    pub opens: bool,
}

/// First come, first served, in exact integer arithmetic: what rounding to nanoseconds leaves is
/// carried over, so a million chunks take as long as their bytes in one piece.
///
/// A chunk that comes while one of another stream or direction is in line (or was the last one
/// served) pays for the seeks among its batches, `seek · bytes / batch`: the head goes to and fro
/// as long as two streams are there. So streams that keep the resource busy get together what
/// [`Capacity::at`] says, whatever the chunk.
#[derive(Rewind)]
pub struct Server {
    capacity: Capacity,
    /// When all that is in line is done, in whole nanoseconds, rounded down.
    done: Nanos,
    /// And what was lost by that, in parts of 1/(rate · batch) ns.
    carry: u128,
    last: Option<(u64, Direction)>,
    busy: Nanos,
    bytes: Bytes,
    /// What was promised; what has passed is dropped with the next request.
    line: Queue<Promise>,
}

#[derive(Clone, Copy, Scalar)]
struct Promise {
    end: Nanos,
    stream: u64,
    direction: Direction,
}

impl Server {
    /// Idle.
    pub fn new(capacity: Capacity) -> Server {
        let (done, busy) = (Nanos::ZERO, Nanos::ZERO);
        Server { capacity, done, carry: 0, last: None, busy, bytes: Bytes(0), line: Queue::new() }
    }

    /// Puts a request in line.
    ///
    /// # Panics
    /// The rate is 0: who knows a resource to be dead does not use it.
    pub fn submit(&mut self, now: Nanos, request: Request) -> Service {
        while self.line.front().is_some_and(|promise| promise.end <= now) {
            self.line.pop_front();
        }
        let opens = self.line.is_empty();
        if self.ends() < now {
            (self.done, self.carry) = (now, 0)
        }
        let starts = self.done.max(now);
        self.serve(request);
        let ends = self.ends();
        let Request { stream, direction, .. } = request;
        self.line.push_back(Promise { end: ends, stream, direction });
        Service { starts, ends, opens }
    }

    fn serve(&mut self, request: Request) {
        let Capacity { rate, seek, .. } = self.capacity;
        let this = (request.stream, request.direction);
        let others = |promise: &Promise| (promise.stream, promise.direction) != this;
        let alone = self.last.replace(this).is_none_or(|last| last == this)
            && (seek.0 == 0 || !self.line.iter().any(others));
        let batch = if alone { self.capacity.batch } else { self.batch_of_line() };
        let whole = rate.0 as u128 * batch.0 as u128;
        assert!(whole > 0, "a request to a dead resource");
        let seeking = if !alone { rate.0 as u128 * seek.0 as u128 } else { 0 };
        let per_byte = 1_000_000_000 * batch.0 as u128 + seeking;
        let mut work = self.carry + request.bytes.0 as u128 * per_byte;
        if batch != self.capacity.batch {
            // The carry is in parts of the whole batch: both it and this are rounded up.
            let up = Nanos((self.carry > 0) as u64);
            work = (request.bytes.0 as u128 * per_byte).next_multiple_of(whole);
            (self.done, self.busy) = (self.done + up, self.busy + up)
        }
        let took = Nanos(u64::try_from(work / whole).unwrap_or(u64::MAX));
        self.carry = work % whole;
        self.done += took;
        self.busy += took;
        self.bytes += request.bytes;
    }

    /// The batch that the curve leaves to those in line, who are two at least.
    fn batch_of_line(&self) -> Bytes {
        if self.capacity.curve.is_kept() {
            return self.capacity.batch;
        }
        let mut streams: Vec<_> = self.line.iter().map(|p| (p.stream, p.direction)).collect();
        streams.extend(self.last);
        streams.sort_unstable();
        streams.dedup();
        self.capacity.batch_of(units::u32_of(streams.len().max(2)))
    }

    /// When all that is in line is through, rounded up.
    pub fn ends(&self) -> Nanos {
        Nanos(self.done.0 + (self.carry > 0) as u64)
    }

    /// From the next request on it gives more or less; what has been promised stays.
    pub fn set_capacity(&mut self, capacity: Capacity) {
        (self.done, self.carry) = (self.ends(), 0);
        self.capacity = capacity
    }

    /// How much it gives.
    pub fn capacity(&self) -> Capacity {
        self.capacity
    }

    /// Requests in line, the one being served among them.
    pub fn in_line(&self, now: Nanos) -> u32 {
        units::u32_of(self.line.iter().filter(|promise| promise.end > now).count())
    }

    /// Time spent at work until now.
    pub fn busy(&self, now: Nanos) -> Nanos {
        self.busy - self.done.saturating_sub(now)
    }

    /// Bytes of all requests, those in line among them.
    pub fn bytes(&self) -> Bytes {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::BytesPerSec;

    fn read(stream: u64, bytes: u64) -> Request {
        Request { stream, bytes: Bytes(bytes), direction: Direction::Read }
    }

    #[test]
    fn rounding_is_carried() {
        // 1 byte at 3 GB/s takes a third of a nanosecond.
        let mut server = Server::new(Capacity::fixed(BytesPerSec::mb(3000)));
        let ends: Vec<u64> = (0..7).map(|_| server.submit(Nanos(5), read(1, 1)).ends.0).collect();
        assert_eq!(ends, [6, 6, 6, 7, 7, 7, 8]);
        // One at a time, each when the one before is through: none is lost either.
        let mut server = Server::new(Capacity::fixed(BytesPerSec(7_000_001)));
        let mut now = Nanos::ZERO;
        for _ in 0..7_000_001 {
            now = server.submit(now, read(1, 1)).ends;
        }
        assert_eq!(now, Nanos::secs(1));
    }

    #[test]
    fn seeks_are_paid_while_two_streams_are_there() {
        // 1 MB at 100 MB/s takes 10 ms, a seek 10 ms.
        let (seek, batch) = (Nanos::millis(10), Bytes::mb(1));
        let disk = Capacity { seek, batch, ..Capacity::fixed(BytesPerSec::mb(100)) };
        let mut server = Server::new(disk);
        let mut ends = |stream, bytes| server.submit(Nanos(0), read(stream, bytes)).ends.0 / 1000;
        assert_eq!([ends(1, 1_000_000), ends(1, 1_000_000)], [10_000, 20_000]);
        assert_eq!([ends(2, 1_000_000), ends(1, 250_000)], [40_000, 45_000]);
        assert_eq!(ends(1, 500_000), 55_000, "the other's chunk is still in line");
        assert_eq!(server.submit(Nanos::secs(1), read(1, 1_000_000)).ends, Nanos::millis(1010));
    }

    #[test]
    fn more_streams_leave_less_of_the_batch() {
        // As above, but n streams share one batch: a seek for each 1/n MB.
        let (seek, batch, curve) =
            (Nanos::millis(10), Bytes::mb(1), cluster::DiskCurve::quarters(4));
        let disk = Capacity { seek, batch, curve, ..Capacity::fixed(BytesPerSec::mb(100)) };
        let mut server = Server::new(disk);
        let mut ends = |stream| server.submit(Nanos(0), read(stream, 1_000_000)).ends.0 / 1_000_000;
        assert_eq!([ends(1), ends(1)], [10, 20], "alone");
        assert_eq!([ends(2), ends(1)], [50, 80], "10 ms and two seeks");
        assert_eq!(ends(3), 120, "10 ms and three seeks");
    }

    #[test]
    fn busy_periods_and_the_line() {
        let mut server = Server::new(Capacity::fixed(BytesPerSec(1_000_000_000)));
        let opens: Vec<bool> =
            [0, 50, 200, 250, 300].map(|at| server.submit(Nanos(at), read(1, 100)).opens).into();
        // Served 0-100, 100-200, 200-300, 300-400, 400-500; at 200 the line is just empty.
        assert_eq!(opens, [true, false, true, false, false]);
        assert_eq!([300, 399, 400, 500].map(|at| server.in_line(Nanos(at))), [2, 2, 1, 0]);
        assert_eq!(server.submit(Nanos(1000), read(1, 100)).ends, Nanos(1100));
        assert_eq!(
            [1000, 1040, 1100, 2000].map(|at| server.busy(Nanos(at)).0),
            [500, 540, 600, 600]
        );
        assert_eq!(server.bytes(), Bytes(600));
    }
}
