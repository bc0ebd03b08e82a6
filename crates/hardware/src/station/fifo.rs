//! A line, first come first served, before k servers that are alike.
use super::{Ticket, Work};
use crate::carry::Carry;
use rewind::{Array, Rewind, Scalar};
use units::{BytesPerSec, Nanos};

/// How many servers, and how long one takes.
///
/// A request of (time, bytes) is served for S = startup + time + bytes / rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Servers {
    /// k, at least 1.
    pub servers: u32,
    /// Of each request, before anything else.
    pub startup: Nanos,
    /// Of one server; of no meaning where requests have no bytes.
    pub rate: BytesPerSec,
}

impl Servers {
    /// Servers whose requests say how long they take: cores, threads.
    pub const fn timed(servers: u32) -> Servers {
        Servers { servers, startup: Nanos(0), rate: BytesPerSec(0) }
    }

    /// One server that moves bytes.
    pub const fn moving(rate: BytesPerSec) -> Servers {
        Servers { servers: 1, startup: Nanos(0), rate }
    }
}

/// When a server is through with all that it was given: whole nanoseconds rounded down, and what
/// is left of one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Scalar)]
struct Free {
    at: Nanos,
    carry: Carry,
}

/// Of requests in the order of their arrival, the next goes to the server that is free first, so
/// its end is known when it comes.
///
/// `submit` costs O(log k). The servers stand in a heap by the time at which they are free.
#[derive(Rewind)]
pub struct Station {
    spec: Servers,
    /// A binary heap, the least first.
    free: Array<Free>,
    /// The last arrival.
    last: Nanos,
    /// Time given to requests, rounded as the servers' ends are.
    promised: Nanos,
    requests: u64,
}

impl Station {
    /// Idle.
    ///
    /// # Panics
    /// No servers.
    pub fn new(spec: Servers) -> Station {
        assert!(spec.servers > 0, "a station without a server");
        let free = (0..spec.servers).map(|_| Free::default()).collect();
        Station { spec, free, last: Nanos(0), promised: Nanos(0), requests: 0 }
    }

    /// A request comes.
    ///
    /// # Panics
    /// A time that goes back; bytes where the rate is 0.
    pub fn submit(&mut self, now: Nanos, work: Work) -> Ticket {
        assert!(now >= self.last, "a request at {now:?} behind one at {:?}", self.last);
        let first = self.free[0];
        let mut free =
            if end_of(first) < now { Free { at: now, ..Free::default() } } else { first };
        // What is left of a nanosecond is served with the next request of a busy server.
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

    /// The first of the heap gets another value, not a lesser one.
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

    /// When a request that comes now would be taken.
    pub fn free_at(&self, now: Nanos) -> Nanos {
        self.free[0].at.max(now)
    }

    /// Whether one that comes now would be taken at once.
    pub fn is_free(&self, now: Nanos) -> bool {
        self.free_at(now) == now
    }

    /// Another rate for those who come from now on; what was promised stays.
    pub fn set_rate(&mut self, rate: BytesPerSec) {
        self.spec.rate = rate;
        // All ends are rounded up: the order of the heap stays.
        for at in 0..self.free.len() {
            let free = Free { at: end_of(self.free[at]), ..Free::default() };
            self.free.set(at, free)
        }
    }

    /// All that was promised is forgotten: the machine restarts and is idle.
    pub fn restart(&mut self, now: Nanos) {
        self.promised = self.busy(now);
        for at in 0..self.free.len() {
            self.free.set(at, Free { at: now, ..Free::default() })
        }
        self.last = now
    }

    /// Server time spent until now, of all servers together: U · k · now of the utilisation law.
    /// O(k).
    pub fn busy(&self, now: Nanos) -> Nanos {
        let to_come = self.free.iter().map(|free| end_of(*free).saturating_sub(now).0).sum();
        self.promised - Nanos(to_come)
    }

    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// How many servers there are, and how long they take.
    pub fn spec(&self) -> Servers {
        self.spec
    }
}

fn end_of(free: Free) -> Nanos {
    free.at + free.carry.up()
}
