//! A first-come, first-served queue before k equal servers.
use super::{Ticket, Work};
use crate::carry::Carry;
use rewind::{Array, Rewind, Scalar};
use units::{BytesPerSec, Nanos};

/// Number of servers and their service time.
///
/// A request of (time, bytes) takes S = startup + time + bytes / rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Servers {
    /// k, at least 1.
    pub servers: u32,
    /// Per request.
    pub startup: Nanos,
    /// Per server; unused if requests have no bytes.
    pub rate: BytesPerSec,
}

impl Servers {
    /// Servers whose requests have a time: cores, threads.
    pub const fn timed(servers: u32) -> Servers {
        Servers { servers, startup: Nanos(0), rate: BytesPerSec(0) }
    }

    /// One server that moves bytes.
    pub const fn moving(rate: BytesPerSec) -> Servers {
        Servers { servers: 1, startup: Nanos(0), rate }
    }
}

/// When a server has finished all its requests: whole nanoseconds, rounded down, and the remainder.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Scalar)]
struct Free {
    at: Nanos,
    carry: Carry,
}

/// Requests, in the order of arrival, go to the server that is free first. So the end of a request
/// is known when it arrives.
///
/// `submit` costs O(log k): the servers are in a heap by the time at which they are free.
#[derive(Rewind)]
pub struct Station {
    spec: Servers,
    /// A binary min-heap.
    free: Array<Free>,
    last: Nanos,
    /// Time given to requests, rounded like the servers' ends.
    promised: Nanos,
    requests: u64,
}

impl Station {
    /// # Panics
    /// If there is no server.
    pub fn new(spec: Servers) -> Station {
        assert!(spec.servers > 0, "a station without a server");
        let free = (0..spec.servers).map(|_| Free::default()).collect();
        Station { spec, free, last: Nanos(0), promised: Nanos(0), requests: 0 }
    }

    /// # Panics
    /// If time goes back, or for bytes at a rate of 0.
    pub fn submit(&mut self, now: Nanos, work: Work) -> Ticket {
        assert!(now >= self.last, "a request at {now:?} behind one at {:?}", self.last);
        let first = self.free[0];
        let mut free =
            if end_of(first) < now { Free { at: now, ..Free::default() } } else { first };
        // A busy server adds the remainder of a nanosecond to its next request.
        let start = free.at.max(now);
        let before = end_of(free);
        free.at += self.spec.startup + work.time;
        if work.bytes.0 > 0 {
            free.at += free.carry.take(work.bytes, self.spec.rate)
        }
        let end = end_of(free);
        self.promised += end - before;
        self.last = now;
        self.requests += 1;
        self.replace_first(free);
        Ticket { arrival: now, start, end }
    }

    /// Replaces the least value of the heap by one that is not less.
    fn replace_first(&mut self, value: Free) {
        let mut at = 0;
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let Some(&(mut least)) = self.free.get(left) else { break };
            let mut child = left;
            if let Some(&other) = self.free.get(right).filter(|other| **other < least) {
                (least, child) = (other, right)
            }
            if value <= least {
                break;
            }
            self.free.set(at, least);
            at = child
        }
        self.free.set(at, value)
    }

    /// When a request that arrives now would be started.
    pub fn free_at(&self, now: Nanos) -> Nanos {
        self.free[0].at.max(now)
    }

    /// Whether a request that arrives now would be started at once.
    pub fn is_free(&self, now: Nanos) -> bool {
        self.free_at(now) == now
    }

    /// Sets the rate of later requests; known ends stay.
    pub fn set_rate(&mut self, rate: BytesPerSec) {
        self.spec.rate = rate;
        // All ends are rounded up, so the heap stays in order.
        for at in 0..self.free.len() {
            let free = Free { at: end_of(self.free[at]), ..Free::default() };
            self.free.set(at, free)
        }
    }

    /// The machine restarts: all requests are dropped.
    pub fn restart(&mut self, now: Nanos) {
        self.promised = self.busy(now);
        for at in 0..self.free.len() {
            self.free.set(at, Free { at: now, ..Free::default() })
        }
        self.last = now
    }

    /// Busy time until now, summed over all servers: U · k · now of the utilisation law. O(k).
    pub fn busy(&self, now: Nanos) -> Nanos {
        let to_come = self.free.iter().map(|free| end_of(*free).saturating_sub(now).0).sum();
        self.promised - Nanos(to_come)
    }

    pub fn requests(&self) -> u64 {
        self.requests
    }

    pub fn spec(&self) -> Servers {
        self.spec
    }
}

fn end_of(free: Free) -> Nanos {
    free.at + free.carry.up()
}
