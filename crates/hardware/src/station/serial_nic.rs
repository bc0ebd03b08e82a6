//! The NIC of CODES' `simple-net`.
use super::{Servers, Station, Ticket, Work};
use rewind::{Rewind, Scalar};
use units::{Bytes, BytesPerSec, Nanos};

/// A message is on its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Sent {
    /// Its head leaves the sender: this is when the receiver's side is asked, the link's latency
    /// later.
    pub head: Nanos,
    /// It stood in line until here, served from here to `end`.
    pub ticket: Ticket,
}

/// Start-up charged one after the other at the sender; bytes that take time at both ends, but
/// pass through: an unloaded message takes start-up + bytes / rate, not twice the latter.
///
/// ```text
/// sender     [ in line ][ start-up ][ bytes / rate ]
///                                  | head: leaves here
/// receiver                         [ in line ][ bytes / rate ] delivered
/// ```
///
/// head = max(now, sender idle) + startup; sender idle = head + bytes/rate; delivered =
/// max(head at the receiver, receiver idle) + bytes/rate = receiver idle. So a sender gives at most
/// 1 / (startup + bytes/rate) messages a second, which for small messages is 1 / startup, whatever
/// the bandwidth (`handle_msg_start_event`, `handle_msg_ready_event` in CODES'
/// `src/networks/model-net/simplenet-upd.c`, where rates are in MiB/s).
#[derive(Rewind)]
pub struct SerialNic {
    out: Station,
    into: Station,
}

impl SerialNic {
    /// Idle, the same rate each way.
    pub fn new(startup: Nanos, rate: BytesPerSec) -> SerialNic {
        let into = Servers::moving(rate);
        SerialNic { out: Station::new(Servers { startup, ..into }), into: Station::new(into) }
    }

    /// A message goes to the sending side's line.
    pub fn send(&mut self, now: Nanos, bytes: Bytes) -> Sent {
        let ticket = self.out.submit(now, Work::bytes(bytes));
        Sent { head: ticket.start + self.out.spec().startup, ticket }
    }

    /// The head of a message is here; it is delivered at the ticket's end.
    pub fn receive(&mut self, now: Nanos, bytes: Bytes) -> Ticket {
        self.into.submit(now, Work::bytes(bytes))
    }

    /// The sending side, for its use.
    pub fn out(&self) -> &Station {
        &self.out
    }

    /// The receiving side, for its use.
    pub fn into_side(&self) -> &Station {
        &self.into
    }
}
