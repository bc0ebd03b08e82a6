//! What clients and servers say to one another.
use super::{Key, List, Name, Operation, Outcome, Saw, SharedList, Stored, Version};
use rewind::{Scalar, Value};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Peer {
    Client(u32),
    Server(u32),
}

/// An attempt at an operation over several rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct TxId {
    pub client: u32,
    /// The client's number of it.
    pub number: u32,
    /// Which attempt: by the step of the client, then by the start of who runs it; a later one is
    /// greater.
    pub attempt: u64,
}

/// A transaction as others know it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Meta {
    pub id: TxId,
    /// The server that keeps its status record.
    pub home: u32,
    /// Its first attempt began, by its own clock \[ns\].
    pub began: u64,
    /// Rows opened in all attempts.
    pub opened: u32,
    /// The client has heard the answers of all numbers below.
    pub oldest: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Mode {
    /// Looked at: whoever commits has it looked at again.
    Look,
    /// Held so that nobody writes it.
    Shared,
    Exclusive,
}

/// A row that is to be opened.
#[derive(Value, Eq)]
pub struct Want {
    pub key: Key,
    pub mode: Mode,
    /// With a new inode's number.
    pub fresh: bool,
    /// With the rows that another list takes away from here.
    pub moves: Option<Box<Moves>>,
}

#[derive(Value, Eq)]
pub struct Moves {
    pub to: List,
    /// The mark of the list by which they lie now; 0: whatever it is.
    pub base: u64,
}

/// A row that was opened.
#[derive(Value)]
pub struct Got {
    pub key: Key,
    pub mode: Mode,
    pub stored: Option<Stored>,
    /// How many rows this server has taken away; of one that is held for writing, the number of
    /// its own removal.
    pub removals: u64,
    /// Of a list of servers: an entry that is there.
    pub entry: Option<(Name, Version)>,
    /// A new inode's number.
    pub fresh: u64,
    pub moved: Vec<Write>,
}

/// A write that takes effect with its transaction.
#[derive(Value)]
pub enum Write {
    /// A row; `None`: it is taken away.
    Row(Key, Option<Stored>),
    /// What was answered to a request about a row that moves.
    Said(Version, Box<Said>),
}

/// An answer that may be asked for again.
#[derive(Value)]
pub struct Said {
    pub key: Key,
    /// In which step; of one that another is to do, the last such step.
    pub step: u32,
    pub outcome: Outcome,
    pub saw: Vec<Saw>,
}

#[derive(Value)]
pub enum Fate {
    Active,
    /// It has no effect.
    Aborted,
    /// It has these effects on the server that asked, which is to number removals from here on.
    Committed(Vec<Write>, u64),
}

/// What is in the way of opening rows.
#[derive(Value)]
pub enum Trouble {
    /// Other transactions hold a row.
    Busy(Vec<Meta>),
    /// A directory's entries do not lie so: this is its list here.
    Stale(u64, Option<SharedList>),
    /// A row was written since it was looked at; or the attempt is over here.
    Changed,
    /// The client has heard of its end: somebody runs it a second time.
    Over,
}

#[derive(Value)]
pub struct Ask {
    pub client: u32,
    /// The client's number of it.
    pub number: u32,
    /// The client has heard the answers of all numbers below.
    pub oldest: u32,
    /// Which of its steps. Each goes to one server, which does it or says once and for all that it
    /// does not.
    pub step: u32,
    pub operation: Operation,
}

#[derive(Value)]
pub struct Answer {
    pub number: u32,
    /// To which of its steps.
    pub step: u32,
    pub outcome: Outcome,
    /// What was seen, where that is wanted.
    pub saw: Vec<Saw>,
}

/// Rows of one server that a transaction opens, or looks at again.
#[derive(Value)]
pub struct Open {
    pub meta: Meta,
    pub from: Peer,
    pub round: u32,
    /// What became of those who were in the way.
    pub fates: Vec<(TxId, Fate)>,
    /// Rows that must be as they were.
    pub same: Vec<(Key, Option<Version>)>,
    pub wants: Vec<Want>,
}

#[derive(Value)]
pub struct Opened {
    pub id: TxId,
    pub round: u32,
    pub server: u32,
    pub got: Vec<Got>,
    /// Why there are no more.
    pub trouble: Option<Trouble>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct AskFate {
    pub meta: Meta,
    pub from: Peer,
    /// For whom: an operation that it is in the way of.
    pub who: TxId,
    /// On which server: its writes there are wanted.
    pub part: u32,
    /// If nothing has become of it yet, it is to be aborted.
    pub kill: bool,
}

#[derive(Value)]
pub struct Became {
    pub asked: AskFate,
    pub fate: Fate,
}

/// A client asks a server to commit what it has opened.
#[derive(Value)]
pub struct Commit {
    pub meta: Meta,
    pub round: u32,
    pub parts: Vec<(u32, Vec<Write>)>,
    /// How removals are counted from here on.
    pub removals: u64,
    pub said: Said,
}

#[derive(Value)]
pub enum Message {
    Ask(Ask),
    Answer(Answer),
    /// To a server: open rows.
    Open(Box<Open>),
    Opened(Box<Opened>),
    /// To the server that keeps the status record: commit.
    Commit(Box<Commit>),
    /// From it to a client: whether it did.
    Decided(TxId, u32, bool),
    /// To a server: a transaction is over; who wants to know that it is known.
    Settle(Meta, Box<Fate>, Option<u32>),
    Settled(TxId, u32),
    /// To the server that keeps the status record: what became of it?
    Fate(Box<AskFate>),
    Became(Box<Became>),
}
