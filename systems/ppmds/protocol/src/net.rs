//! What a server and a client need of the world: to send, to wait, the time, and a log.
use super::Ino;
use super::message::{Message, Peer};
use super::record::Record;
use rewind::Scalar;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Timer {
    /// Whoever has not answered this round of an operation is asked again.
    Patience(u32, u32, u32),
    /// A server is asked again, which had somebody in the way: operation, round, server.
    Retry(u32, u32, u32, u32),
    /// The next attempt at an operation.
    Again(u32, u32, u64),
    /// Servers that have not confirmed the end of a transaction hear of it again.
    Settle(u32, u32),
    /// An operation that waits for what became of another is taken up again.
    Parked(u32, u32),
    /// One that waits for a row of this directory to be free waits no more.
    Held(Ino, u32, u32),
}

pub trait Net {
    /// Sends, whatever becomes of it. What is sent while a message is worked on leaves after the
    /// records of that are in the log for good.
    fn send(&mut self, to: Peer, message: Message);
    /// Has [`Server::wake`](super::Server::wake) called after so many nanoseconds.
    fn later(&mut self, after: u64, timer: Timer);
    /// The time \[ns\]: for attributes, and for who is older; nothing is wrong if clocks differ.
    fn now(&self) -> u64;
    /// What outlives a crash is changed: what is sent waits for the disk.
    fn changes(&mut self) {}
    fn logs(&self) -> bool {
        false
    }
    /// A change of what outlives a crash. All of one message are written together or not at all.
    fn log(&mut self, record: &Record) {
        let _ = record;
    }
}
