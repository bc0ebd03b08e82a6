//! Events between LPs, and records for the recorder.
use engine::*;
use ppmds_protocol::message::{Message as ProtocolMessage, Peer};
use ppmds_protocol::record::Record as Logged;
use ppmds_protocol::{Ino, Operation, OperationKind, Outcome, RowEvidence, Timer as Wake};
use rewind::Value;

/// Where the time of one step went, from the client's send to the answer's arrival.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Scalar)]
pub struct StepWaits {
    pub start: Nanos,
    /// Waits for the client's NIC and for its port, both directions \[ns\].
    pub nic_queue: u64,
    pub port_queue: u64,
    /// Wait for the store, and time in it \[ns\].
    pub store_queue: u64,
    pub store: u64,
    /// Waits for the server's NIC and for its switch's output \[ns\].
    pub out_queue: u64,
    pub up_queue: u64,
    /// Exchanges with other servers, and waits for other transactions \[ns\].
    pub rounds: u64,
    pub others: u64,
}

/// The cost of an operation as a transaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Scalar)]
pub struct TransactionCost {
    /// Without the client's request and its answer.
    pub messages: u32,
    /// Aborted attempts, waits for other transactions, and the length of these waits \[ns\].
    pub aborts: u32,
    pub retries: u32,
    pub others: u64,
}

impl TransactionCost {
    /// Counts a wait \[ns\] for another transaction, or before the next attempt.
    pub fn count_wait(&mut self, wake: Wake, after: u64) {
        match wake {
            Wake::Retry(..) => self.retries += 1,
            Wake::NextAttempt(..) => self.aborts += 1,
            _ => return,
        }
        self.others += after
    }

    pub fn add(&mut self, more: TransactionCost) {
        self.messages += more.messages;
        self.aborts += more.aborts;
        self.retries += more.retries;
        self.others += more.others
    }

    /// `None` if it was no transaction.
    pub fn cost(self, op: OperationKind) -> Option<Record> {
        let TransactionCost { messages, aborts, retries, .. } = self;
        let (messages, aborts, retries) = (messages.into(), aborts.into(), retries.into());
        (messages + aborts + retries > 0).then_some(Record::Cost(Cost {
            op,
            messages,
            aborts,
            retries,
        }))
    }

    /// Splits a duration into exchanges with servers and waits for transactions \[ns\].
    pub fn split(self, whole: Nanos) -> (u64, u64) {
        let others = self.others.min(whole.0);
        (whole.0 - others, others)
    }
}

#[derive(Value)]
pub struct Envelope {
    pub from: Peer,
    pub to: Peer,
    pub message: ProtocolMessage,
    pub waits: StepWaits,
    /// Transmission of the rows beyond the payload \[ns\].
    pub bulk: u64,
}

/// What a server does when its store has finished: messages to send, records to log.
#[derive(Value)]
pub struct Job {
    pub start: u32,
    pub envelopes: Vec<Envelope>,
    pub records: Vec<Logged>,
}

#[derive(Message)]
pub enum Event {
    /// To a client: starts an operation (closed loop: its first).
    Begin,
    /// The head of a message has reached the receiver's port, or its NIC where switches are LPs.
    Head(Box<Envelope>),
    /// To a client: a whole message is received.
    Delivered(Box<Envelope>),
    /// To a client: no answer to this operation within the timeout.
    Late(u32),
    /// A protocol timer, set in this start of the server.
    Wake(u32, Wake),
    Ready(Box<Job>),
    /// The first pending message of a server's store is due.
    Pending,
    /// A write reaches the log.
    Write(Box<Job>),
    /// The log has written a group, in this start of the server.
    Flushed(u32),
    Crash,
    Restart,
    /// To client 0: a client has reached the end of a phase, with this number of items.
    Arrived(u32),
    /// All clients have: go to this phase, with this number of items each.
    Go(u32, u32),
    /// To a message's sender: the transmission begins.
    Leaves(Box<Envelope>),
}

/// A step of an operation has ended.
#[derive(Message)]
pub struct Done {
    pub client: u32,
    pub server: u32,
    pub number: u32,
    pub directory: Ino,
    /// The operation, and what this step requested.
    pub op: OperationKind,
    pub asked: OperationKind,
    /// `Some` at the last step: whether the operation failed.
    pub last: Option<bool>,
    /// When the operation was due; when this step began and ended.
    pub wanted: Nanos,
    pub start: Nanos,
    pub end: Nanos,
    pub waits: StepWaits,
}

/// A client's wait in vain: the request or its answer was lost.
#[derive(Message)]
pub struct Lost {
    pub op: OperationKind,
    pub start: Nanos,
    pub end: Nanos,
}

/// The cost of a transaction, without the client's request and its answer.
#[derive(Message)]
pub struct Cost {
    pub op: OperationKind,
    pub messages: u64,
    /// Aborted attempts, and waits for other transactions.
    pub aborts: u64,
    pub retries: u64,
}

/// For the history: an operation as its client saw it.
#[derive(Message)]
pub struct Seen {
    pub client: u32,
    pub number: u32,
    pub operation: Operation,
    pub invoked: Nanos,
    pub completed: Option<Nanos>,
    pub outcome: Option<Outcome>,
    pub saw: Vec<RowEvidence>,
}

#[derive(Message)]
pub enum Record {
    Done(Done),
    Lost(Lost),
    Cost(Cost),
    Seen(Box<Seen>),
    /// For the history: an outcome that its client had not received at the end.
    Answered {
        client: u32,
        number: u32,
        outcome: Outcome,
        saw: Vec<RowEvidence>,
    },
    /// A server at the end: entries made, busy time of its store, messages sent, transactions
    /// committed, entries moved, crashes.
    Server {
        server: u32,
        rows: u64,
        store_busy: Nanos,
        sent: u64,
        transactions: u64,
        moved: u64,
        crashes: u32,
    },
    /// The server's NIC was busy, except for plain answers: with a message to a server, or with the
    /// rows of an answer.
    Sent {
        server: u32,
        at: Nanos,
        took: Nanos,
    },
    /// Messages that a client sent, at the end.
    Client {
        client: u32,
        sent: u64,
    },
    /// A client has ended a phase.
    Phase {
        phase: u32,
        operations: u64,
        from: Nanos,
        to: Nanos,
    },
    /// A trace's client made the directory with this index among its paths.
    Named {
        ino: Ino,
        path: u32,
    },
}
