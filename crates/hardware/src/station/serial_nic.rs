//! The NIC of CODES' `simple-net`.
use super::{Servers, Station, Ticket, Work};
use rewind::{Rewind, Scalar};
use units::{Bytes, BytesPerSec, Nanos};

/// A message in transit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Transmission {
    /// Its head leaves the sender: call [`SerialNic::receive`] after the latency of the link.
    pub head: Nanos,
    /// It waits until `start` and is sent until `end`.
    pub ticket: Ticket,
}

/// Start-ups are charged one after the other at the sender. Bytes take time at both ends, but
/// pipelined: an unloaded message takes start-up + bytes / rate, not twice the latter.
///
/// ```text
/// sender     [ in line ][ start-up ][ bytes / rate ]
///                                  | head: leaves here
/// receiver                         [ in line ][ bytes / rate ] delivered
/// ```
///
/// head = max(now, sender idle) + startup; sender idle = head + bytes/rate; delivered = max(head at
/// the receiver, receiver idle) + bytes/rate = receiver idle. So a sender sends at most 1 /
/// (startup + bytes/rate) messages a second: for small messages 1 / startup, at any bandwidth
/// (`handle_msg_start_event`, `handle_msg_ready_event` in CODES'
/// `src/networks/model-net/simplenet-upd.c`, where rates are in MiB/s).
#[derive(Rewind)]
pub struct SerialNic {
    out: Station,
    into: Station,
}

impl SerialNic {
    /// The rate is that of each direction.
    pub fn new(startup: Nanos, rate: BytesPerSec) -> SerialNic {
        let into = Servers::moving(rate);
        SerialNic { out: Station::new(Servers { startup, ..into }), into: Station::new(into) }
    }

    pub fn send(&mut self, now: Nanos, bytes: Bytes) -> Transmission {
        let ticket = self.out.submit(now, Work::bytes(bytes));
        Transmission { head: ticket.start + self.out.spec().startup, ticket }
    }

    /// Call when the head of a message arrives; the message is delivered at the ticket's end.
    pub fn receive(&mut self, now: Nanos, bytes: Bytes) -> Ticket {
        self.into.submit(now, Work::bytes(bytes))
    }

    pub fn out(&self) -> &Station {
        &self.out
    }

    pub fn into_side(&self) -> &Station {
        &self.into
    }
}
