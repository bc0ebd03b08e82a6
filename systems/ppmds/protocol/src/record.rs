//! Records of a server's log: what outlives a crash, change by change.
use super::message::{Meta, Said, TxId, Write};
use super::{Key, Stored};
use rewind::Value;

#[derive(Value, Default)]
pub struct Lock {
    /// Who writes it, and the number of its removal.
    pub writer: Option<(Meta, u64)>,
    pub readers: Vec<Meta>,
}

impl Lock {
    pub(super) fn is_free(&self) -> bool {
        self.writer.is_none() && self.readers.is_empty()
    }
}

/// The status record of a transaction that is over.
#[derive(Value)]
pub struct Status {
    pub meta: Meta,
    /// It has effects: server by server, for those that do not know yet. `None`: it was aborted.
    pub parts: Option<Vec<(u32, Vec<Write>)>>,
    /// How removals are counted from here on.
    pub removals: u64,
}

/// A change of what a server keeps.
#[derive(Value)]
pub enum Record {
    Row(Key, Option<Stored>),
    Lock(Key, Option<Box<Lock>>),
    Holds(TxId, Option<Vec<Key>>),
    /// The last attempt of an operation that is over here.
    Settled(u32, u32, u64),
    /// A status record, by client and number.
    Status(u32, u32, Option<Box<Status>>),
    /// What was answered to a client's request.
    Said(u32, u32, Option<Box<Said>>),
    /// What a client has heard: what is older is forgotten.
    Heard(u32, u32),
    /// Inodes given out, rows taken away, starts.
    Counts(u64, u64, u32),
}
