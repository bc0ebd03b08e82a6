//! Network cards and links that chunks wait in line for.
use super::{Capacity, Direction, Request, Server, Service};
use rewind::Rewind;
use units::{Bytes, BytesPerSec, Nanos};

/// A node's two sides, independent of each other (full duplex).
#[derive(Rewind)]
pub struct Nic {
    /// Sends.
    pub out: Link,
    /// Receives.
    pub into: Link,
}

impl Nic {
    /// Idle, the same rate each way. The latency of the way stands at the sending side.
    pub fn new(rate: BytesPerSec, latency: Nanos) -> Nic {
        Nic { out: Link::new(rate, latency), into: Link::new(rate, Nanos::ZERO) }
    }
}

/// A line of one rate, and the time that a bit needs from its one end to the other whatever the
/// rate.
#[derive(Rewind)]
pub struct Link {
    server: Server,
    latency: Nanos,
}

impl Link {
    /// Idle.
    pub fn new(rate: BytesPerSec, latency: Nanos) -> Link {
        Link { server: Server::new(Capacity::fixed(rate)), latency }
    }

    /// Puts a chunk in line. It has left at the service's `ends` and is at the other end by
    /// [`latency`](Link::latency) later; meanwhile the next one is served.
    pub fn submit(&mut self, now: Nanos, bytes: Bytes) -> Service {
        self.server.submit(now, Request { stream: 0, bytes, direction: Direction::Read })
    }

    /// From end to end.
    pub fn latency(&self) -> Nanos {
        self.latency
    }

    /// A slower or faster link: from the next chunk on.
    pub fn set_rate(&mut self, rate: BytesPerSec) {
        self.server.set_capacity(Capacity::fixed(rate))
    }

    /// The line, for its use and length.
    pub fn server(&self) -> &Server {
        &self.server
    }
}
