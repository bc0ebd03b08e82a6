//! The environment of clients and servers: network, timers, clock and log.
use super::Ino;
use super::message::{Message, Peer};
use super::record::Record;
use rewind::Scalar;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Timer {
    /// Resend the requests of this round that have no answer: client, number, round.
    Resend(u32, u32, u32),
    /// Resend to one server, which reported a conflict: client, number, round, server.
    Retry(u32, u32, u32, u32),
    /// Start the next attempt: client, number, attempt.
    NextAttempt(u32, u32, u64),
    /// Notify the servers again that have not confirmed the end of a transaction: client, number.
    Settle(u32, u32),
    /// Ask again for the outcomes that a read waits for: client, number.
    Parked(u32, u32),
    /// Make a write that waits for a locked row a transaction: directory, client, number.
    Held(Ino, u32, u32),
}

pub trait Net {
    /// Sends without a guarantee of delivery. Messages leave only after the log records of the
    /// message that caused them are durable.
    fn send(&mut self, to: Peer, message: Message);
    /// Calls [`Server::wake`](super::Server::wake) with the timer `after` nanoseconds from now.
    fn later(&mut self, after: u64, timer: Timer);
    /// Clock \[ns\], for attributes and the age of transactions. Clocks may differ.
    fn now(&self) -> u64;
    /// Durable state changed: messages sent from now on wait for the disk.
    fn changes(&mut self) {}
    fn logs(&self) -> bool {
        false
    }
    /// Logs a change of durable state. The records of one message are written atomically.
    fn log(&mut self, record: &Record) {
        let _ = record;
    }
}
