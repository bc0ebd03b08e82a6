//! What LPs say to one another, and what they report.
use engine::*;
use ppmds_protocol::{Ask, Map, Op, Outcome, Response, Row};

/// An answer with what held it up at its server. Times are from the head's coming to a queue.
#[derive(Clone, Copy, PartialEq, Debug, Scalar)]
pub struct Reply {
    /// What it says.
    pub response: Response,
    /// In the server's hands the client, then the server.
    pub other: u32,
    /// Waited for the store \[ns\].
    pub store_queue: u64,
    /// In the store \[ns\]; as the next two, of more than 4 s the rest counts as the port's.
    pub store: u32,
    /// Waited for the server's NIC \[ns\].
    pub out_queue: u32,
    /// Waited for the way out of the server's switch \[ns\].
    pub up_queue: u32,
}

/// Half of a partition on its way.
#[derive(Message)]
pub struct Half {
    pub directory: u32,
    pub part: u32,
    pub radix: u32,
    /// The partitions of the directory.
    pub map: Map,
    pub rows: Vec<(u64, Row)>,
    pub said: Vec<(u32, u32, Outcome, u64)>,
}

/// A message at a switch.
#[derive(Message)]
pub enum Pass {
    Up { ask: Ask, server: u32 },
    Down { reply: Reply, client: u32 },
}

#[derive(Message)]
pub enum Event {
    /// To a client: an operation begins (closed: its first).
    Begin,
    /// To a server: the head of a request is at its switch's port (at its NIC, where switches are
    /// LPs).
    Ask(Ask),
    /// To a client: the head of an answer is at its switch's port (at its NIC).
    Answer(Reply),
    /// To a client: an answer is there.
    Heard(Reply),
    /// To a client: it has waited long enough for this one.
    Late(u32),
    /// A server's store is through with one.
    Ready(Reply),
    /// The first of those that are pending is through.
    Pending,
    /// A write comes to the log.
    Write(Reply),
    /// The log has written a group.
    Flushed,
    /// To a server, from another.
    Half(Box<Half>),
    /// To a switch: the head of a message is there.
    Pass(Box<Pass>),
}

/// A request and its answer are over.
#[derive(Message)]
pub struct Done {
    pub client: u32,
    pub server: u32,
    pub number: u32,
    /// What the operation is, and what this step of it asked.
    pub op: Op,
    pub asked: Op,
    /// The operation is over with it, as it says.
    pub last: Option<Outcome>,
    /// The operation was wanted.
    pub wanted: Nanos,
    /// This step of it began, and ended.
    pub start: Nanos,
    pub end: Nanos,
    /// Waited for the client's NIC, and for the way down to it.
    pub nic_queue: u64,
    pub down_queue: u64,
    pub store_queue: u64,
    pub store: u32,
    pub out_queue: u32,
    pub up_queue: u32,
}

/// A request or its answer was lost: the client waited for nothing.
#[derive(Message)]
pub struct Lost {
    pub op: Op,
    pub start: Nanos,
    pub end: Nanos,
}

#[derive(Message)]
pub enum Record {
    Done(Done),
    Lost(Lost),
    /// A server at the end: rows, time that its store was busy.
    Server {
        server: u32,
        rows: u64,
        store_busy: Nanos,
    },
    /// A client's messages at the end.
    Client {
        client: u32,
        sent: u64,
    },
    /// A partition was split, and so many rows moved.
    Moved {
        rows: u64,
    },
}
