//! A disk that requests wait in line for.
use super::{Capacity, Direction, Request, Server, Service};
use cluster::{Channels, DiskSpec};
use rewind::Rewind;
use units::Nanos;

/// One head that reads and writes take turns at, or a channel for each.
#[derive(Rewind)]
pub struct Disk {
    /// Reads, and writes too where there is one head.
    first: Server,
    /// Writes, where they have a channel.
    second: Server,
    separate: bool,
}

impl Disk {
    /// Idle.
    pub fn new(spec: &DiskSpec) -> Disk {
        let capacity = Capacity::disk(spec);
        let separate = spec.channels == Channels::Separate;
        Disk { first: Server::new(capacity), second: Server::new(capacity), separate }
    }

    /// Puts a request in line; see [`Server::submit`].
    pub fn submit(&mut self, now: Nanos, request: Request) -> Service {
        match request.direction {
            Direction::Write if self.separate => self.second.submit(now, request),
            _ => self.first.submit(now, request),
        }
    }

    /// A slow disk, or one that is well again: from the next request on.
    pub fn set_capacity(&mut self, capacity: Capacity) {
        self.first.set_capacity(capacity);
        self.second.set_capacity(capacity)
    }

    /// The side that serves requests of a direction; one head is both.
    pub fn side(&self, direction: Direction) -> &Server {
        if direction == Direction::Write && self.separate { &self.second } else { &self.first }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::{Bytes, BytesPerSec};

    #[test]
    fn channels() {
        let ends = |channels| {
            let (seek, batch) = (Nanos::millis(5), Bytes::mb(1));
            let mut disk = Disk::new(&DiskSpec {
                rate: BytesPerSec::mb(100),
                seek,
                batch,
                channels,
                curve: Default::default(),
            });
            [Direction::Read, Direction::Write, Direction::Write].map(|direction| {
                let request = Request { stream: 1, bytes: Bytes::mb(1), direction };
                disk.submit(Nanos(0), request).ends.0 / 1_000_000
            })
        };
        assert_eq!(ends(Channels::Shared), [10, 25, 40], "turning around costs a seek");
        assert_eq!(ends(Channels::Separate), [10, 10, 20]);
    }
}
