//! Stations: requests arrive, wait while all servers are busy, and are served.
//!
//! ```text
//!              queued = start − arrival          S = start-up + time + bytes / rate
//!  arrival ──► [ in line, first come ] ── start ──► one of k servers ──► end
//! ```
//!
//! | in a system | here | end known at once |
//! |---|---|---|
//! | CPU cores, store threads, a checksum engine, a log without group commit | [`Station`] | yes |
//! | CODES' `simple-net`: serial start-ups at the sender | [`SerialNic`] | yes |
//! | map slots, handler threads: held until released | [`Slots`] | no: `release` |
//! | a log disk with group commit: one flush for all writes | [`GroupCommit`] | no: `flushed` |
//!
//! All are passive values that can be rolled back, without events or an engine. Their owner sets a
//! timer for a returned `end`, or calls back when something happens.
//!
//! Laws that hold for each (the tests check them):
//!
//! - *Utilisation law*: k servers serve X requests a second in a mean time S. They are busy for a
//!   fraction U = X · S / k of the time.
//! - *Little's law*: the mean queue length is the arrival rate times the mean of `queued`.
//! - *Lindley's recursion* for one server: queued(n+1) = max(0, queued(n) + S(n) − A(n)), where
//!   A(n) is the time between the arrivals n and n+1 (D. V. Lindley, 1952).
mod fifo;
mod group_commit;
mod serial_nic;
mod slots;
pub use fifo::{Servers, Station};
pub use group_commit::{CommittedWrite, Flush, GroupCommit, GroupCommitSpec, Turn};
use rewind::Scalar;
pub use serial_nic::{SerialNic, Transmission};
pub use slots::{SlotGrant, Slots};
use units::{Bytes, Nanos};

/// Demand of a request: time, bytes at the server's rate, or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Scalar)]
pub struct Work {
    /// Independent of the rate: a computation, a drawn latency.
    pub time: Nanos,
    /// Moved at the rate of the server.
    pub bytes: Bytes,
}

impl Work {
    pub const fn time(time: Nanos) -> Work {
        Work { time, bytes: Bytes(0) }
    }

    pub const fn bytes(bytes: Bytes) -> Work {
        Work { time: Nanos(0), bytes }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Ticket {
    /// It waits from here on.
    pub arrival: Nanos,
    pub start: Nanos,
    /// Rounded up to whole nanoseconds.
    pub end: Nanos,
}

impl Ticket {
    /// Waiting time: the `queued_ns` of a trace's row.
    pub fn queued(&self) -> Nanos {
        self.start - self.arrival
    }

    pub fn served(&self) -> Nanos {
        self.end - self.start
    }
}
