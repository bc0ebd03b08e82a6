//! What LPs say to one another, and what they report.
use engine::*;
use ppmds_protocol::message::{Message as Said, Peer};
use ppmds_protocol::record::Record as Logged;
use ppmds_protocol::{Doing, Ino, Operation, Outcome, Saw, Timer as Wake};
use rewind::Value;

/// What held a step of an operation up, from its client's sending to its answer's coming.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Scalar)]
pub struct Held {
    pub start: Nanos,
    /// Waited for the client's NIC, and for its port, both ways \[ns\].
    pub nic_queue: u64,
    pub port_queue: u64,
    /// Waited for the store, and in it \[ns\].
    pub store_queue: u64,
    pub store: u64,
    /// Waited for the server's NIC, and for the way out of its switch \[ns\].
    pub out_queue: u64,
    pub up_queue: u64,
    /// Its server asked other servers, and waited for other transactions \[ns\].
    pub rounds: u64,
    pub others: u64,
}

/// What an operation takes as a transaction, whoever runs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Scalar)]
pub struct Spent {
    /// Messages beside the client's question and its answer.
    pub messages: u32,
    /// Attempts without effect, waits for others, and how long those were \[ns\].
    pub aborts: u32,
    pub retries: u32,
    pub others: u64,
}

impl Spent {
    /// The transaction waits for so long: for another, or before its next attempt.
    pub fn waits(&mut self, wake: Wake, after: u64) {
        match wake {
            Wake::Retry(..) => self.retries += 1,
            Wake::Again(..) => self.aborts += 1,
            _ => return,
        }
        self.others += after
    }

    pub fn add(&mut self, more: Spent) {
        self.messages += more.messages;
        self.aborts += more.aborts;
        self.retries += more.retries;
        self.others += more.others
    }

    /// What is recorded of it, if it was any.
    pub fn cost(self, op: Doing) -> Option<Record> {
        let Spent { messages, aborts, retries, .. } = self;
        let (messages, aborts, retries) = (messages.into(), aborts.into(), retries.into());
        (messages + aborts + retries > 0).then_some(Record::Cost(Cost {
            op,
            messages,
            aborts,
            retries,
        }))
    }

    /// Of a time how much it asked other servers, and how much it waited for other transactions.
    pub fn held(self, whole: Nanos) -> (u64, u64) {
        let others = self.others.min(whole.0);
        (whole.0 - others, others)
    }
}

/// A message on its way: what is to be done, who is called back, and what held it up so far.
#[derive(Value)]
pub struct Parcel {
    pub from: Peer,
    pub to: Peer,
    pub said: Said,
    pub held: Held,
    /// Rows that it carries take so long besides \[ns\].
    pub bulk: u64,
}

/// What a server sends once its store is through.
#[derive(Value)]
pub struct Job {
    pub start: u32,
    pub parcels: Vec<Parcel>,
    pub records: Vec<Logged>,
}

#[derive(Message)]
pub enum Event {
    /// To a client: an operation begins (closed: its first).
    Begin,
    /// To a client, a server or a switch: the head of a message is at its port (at its NIC, where
    /// switches are LPs).
    Head(Box<Parcel>),
    /// To a client: a message is there.
    Heard(Box<Parcel>),
    /// To a client: it has waited long enough for this one.
    Late(u32),
    /// Somebody's own timer, of which start.
    Wake(u32, Wake),
    /// A server's store is through.
    Ready(Box<Job>),
    /// The first of those that are pending is through.
    Pending,
    /// A write comes to the log.
    Write(Box<Job>),
    /// The log has written a group.
    Flushed(u32),
    /// A server or a client stops.
    Crash,
    Restart,
    /// To the first client: one has come to the end of a phase with so many items.
    Arrived(u32),
    /// All have: to this phase, with so many items each.
    Go(u32, u32),
}

/// A step of an operation is over.
#[derive(Message)]
pub struct Done {
    pub client: u32,
    pub server: u32,
    pub number: u32,
    pub directory: Ino,
    /// What the operation is, and what this step of it asked.
    pub op: Doing,
    pub asked: Doing,
    /// It is over with this step: whether it failed.
    pub last: Option<bool>,
    /// The operation was wanted; this step of it began, and ended.
    pub wanted: Nanos,
    pub start: Nanos,
    pub end: Nanos,
    pub held: Held,
}

/// A request or its answer was lost: the client waited for nothing.
#[derive(Message)]
pub struct Lost {
    pub op: Doing,
    pub start: Nanos,
    pub end: Nanos,
}

/// What a transaction took beside its client's question and answer.
#[derive(Message)]
pub struct Cost {
    pub op: Doing,
    /// Messages among servers, or of a client that runs it itself.
    pub messages: u64,
    /// Attempts that had no effect, and waits for others.
    pub aborts: u64,
    pub retries: u64,
}

/// An operation as its client saw it.
#[derive(Message)]
pub struct Seen {
    pub client: u32,
    pub number: u32,
    pub operation: Operation,
    pub invoked: Nanos,
    pub completed: Option<Nanos>,
    pub outcome: Option<Outcome>,
    pub saw: Vec<Saw>,
}

#[derive(Message)]
pub enum Record {
    Done(Done),
    Lost(Lost),
    Cost(Cost),
    Seen(Box<Seen>),
    /// What a client would have been answered that had not heard it at the end.
    Answered {
        client: u32,
        number: u32,
        outcome: Outcome,
        saw: Vec<Saw>,
    },
    /// A server at the end: rows, time that its store was busy, messages that it sent,
    /// transactions that it committed, rows that it had moved, and times that it crashed.
    Server {
        server: u32,
        rows: u64,
        store_busy: Nanos,
        sent: u64,
        transactions: u64,
        moved: u64,
        crashes: u32,
    },
    /// A message of a server's that is no answer to a client, or what an answer's rows took: its
    /// NIC was busy for so long.
    Sent {
        server: u32,
        at: Nanos,
        took: Nanos,
    },
    /// A client's messages at the end.
    Client {
        client: u32,
        sent: u64,
    },
    /// A client came to the end of a phase with so many operations.
    Phase {
        phase: u32,
        operations: u64,
        from: Nanos,
        to: Nanos,
    },
    /// A client of a trace made a directory at this path of it.
    Named {
        ino: Ino,
        path: u32,
    },
}
