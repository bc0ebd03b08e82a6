//! Records of a server's log: changes of durable state.
use super::message::{Meta, SavedAnswer, TxId, Write};
use super::{Key, Stored};
use rewind::Value;

#[derive(Value, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lock {
    /// The writing transaction, and the number that the row's removal would have.
    pub writer: Option<(Meta, u64)>,
    pub readers: Vec<Meta>,
}

impl Lock {
    pub(super) fn is_free(&self) -> bool {
        self.writer.is_none() && self.readers.is_empty()
    }
}

/// The status record of a transaction that has ended.
#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Status {
    pub meta: Meta,
    /// `None`: aborted. Else the writes of the other servers, until all have confirmed them.
    pub parts: Option<Vec<(u32, Vec<Write>)>>,
    /// The lowest count of removals from now on.
    pub removals: u64,
}

#[derive(Value)]
pub enum Record {
    Row(Key, Option<Stored>),
    Lock(Key, Option<Box<Lock>>),
    Holds(TxId, Option<Vec<Key>>),
    /// Client, number, last attempt of an operation that has ended on this server.
    Settled(u32, u32, u64),
    /// Client, number, status.
    Status(u32, u32, Option<Box<Status>>),
    /// Client, number, answer.
    Answer(u32, u32, Option<Box<SavedAnswer>>),
    /// The client has the answers below this number; older state is dropped.
    Acknowledged(u32, u32),
    /// Inode numbers assigned, removals, starts.
    Counts(u64, u64, u32),
}
