//! Messages between a server and its standby.
use crate::disk::Row;
use crate::rows::Changes;
use serde::{Deserialize, Serialize};

/// From a server, in order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Replica {
    /// Requests to follow, with the server's generation.
    Attach(u32),
    /// All rows from the end of the former page up to `end`, or to the end of the store.
    Copy { rows: Vec<Row>, end: Option<Vec<u8>> },
    /// The first part of the next commit, which is too large for a message.
    Part(Changes),
    /// A commit with a number: a reply, once it is durable, is requested.
    Commit(Changes, Option<u64>),
    /// Requests a reply with this number.
    Ping(u64),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ReplicaReply {
    /// `Attach` or a `Copy` is done.
    Continue,
    Done(u64),
    /// The caller must stop, since the other copy is the server.
    Refused(String),
}
