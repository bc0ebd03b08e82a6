//! Stations of work: requests come, wait where all servers are taken, and are served.
//!
//! ```text
//!              queued = start − arrival          S = start-up + time + bytes / rate
//!  arrival ──► [ in line, first come ] ── start ──► one of k servers ──► end
//! ```
//!
//! | what a system has | here | end known at once |
//! |---|---|---|
//! | CPU cores, store threads, a checksum engine, a log without group commit | [`Station`] | yes |
//! | CODES' `simple-net`: start-ups one after the other at the sender | [`SerialNic`] | yes |
//! | map slots, handler threads: held as long as their user says | [`Slots`] | no: `release` |
//! | a log disk with group commit: one flush for all who wait | [`GroupCommit`] | no: `flushed` |
//!
//! All are passive values that can be undone: they know neither events nor the engine. Whoever
//! drives them sets a timer for the `end` that it was told, or tells them what has happened.
//!
//! What holds for each (and what the tests check):
//!
//! - *Utilisation law*: over a time T in which X requests a second are served in a mean time S by k
//!   servers, the servers are busy for a share U = X · S / k of it.
//! - *Little's law*: the mean number in line is the arrival rate times the mean of `queued`.
//! - *Lindley's recursion* for one server: queued(n+1) = max(0, queued(n) + S(n) − A(n)), where
//!   A(n) lies between the arrivals n and n+1 (D. V. Lindley, 1952).
mod fifo;
mod group_commit;
mod serial_nic;
mod slots;
pub use fifo::{Servers, Station};
pub use group_commit::{Flush, GroupCommit, Grouping, Turn, Written};
use rewind::Scalar;
pub use serial_nic::{Sent, SerialNic};
pub use slots::{Granted, Slots};
use units::{Bytes, Nanos};

/// What a request asks of a server: time, bytes at the server's rate, or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Scalar)]
pub struct Work {
    /// Taken whatever the rate is: a computation, a drawn latency.
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
    /// It came, and stood in line from here on.
    pub arrival: Nanos,
    pub start: Nanos,
    /// It is done, rounded up to whole nanoseconds.
    pub end: Nanos,
}

impl Ticket {
    /// How long it stood in line: the `queued_ns` of a trace's row.
    pub fn queued(&self) -> Nanos {
        self.start - self.arrival
    }

    pub fn served(&self) -> Nanos {
        self.end - self.start
    }
}
