//! What a server and a client need of the world: to send, to wait, the time, and a log.
use super::message::{Message, Peer};
use super::record::Record;
use super::{Grown, Hot, Ino, List};
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

pub trait Placement {
    /// The server that has an inode's own row: always the same.
    fn home(&self, ino: Ino) -> u32;
    /// The list of a new directory; its parent is filled in.
    fn list(&self, directory: Ino) -> List;
    /// The list of a directory that a client knows without asking: of a service long at work.
    fn known(&self, _directory: Ino) -> Option<List> {
        None
    }
    /// Whether directories that grow are spread over other servers.
    fn grows(&self) -> bool {
        false
    }
    /// Where a directory is to lie that has one entry more; `None`: where it is.
    fn grown(&self, _grown: &Grown<'_>) -> Option<List> {
        None
    }
    fn heats(&self) -> bool {
        false
    }
    /// Where the hottest directory of a server is to lie; `None`: where it is.
    fn heated(&self, _hot: &Hot<'_>) -> Option<List> {
        None
    }
}
