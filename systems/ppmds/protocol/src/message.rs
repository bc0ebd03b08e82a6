//! What clients and servers say to one another.
use super::{Key, List, Name, Operation, Outcome, Saw, SharedList, Stored, Version};
use rewind::{Scalar, Value};

/// Who speaks and hears.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Peer {
    /// A client.
    Client(u32),
    /// A server.
    Server(u32),
}

/// An attempt at an operation over several rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct TxId {
    /// Whose operation.
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
    /// Which.
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

/// How a row is opened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub enum Mode {
    /// Looked at: whoever commits has it looked at again.
    Look,
    /// Held so that nobody writes it.
    Shared,
    /// Held for writing.
    Exclusive,
}

/// A row that is to be opened.
#[derive(Value, Eq)]
pub struct Want {
    /// Which.
    pub key: Key,
    /// How.
    pub mode: Mode,
    /// With a new inode's number.
    pub fresh: bool,
    /// With the rows that another list takes away from here.
    pub moves: Option<Box<Moves>>,
}

/// Rows that move.
#[derive(Value, Eq)]
pub struct Moves {
    /// Where they are to lie.
    pub to: List,
    /// The mark of the list by which they lie now; 0: whatever it is.
    pub base: u64,
}

/// A row that was opened.
#[derive(Value)]
pub struct Got {
    /// Which.
    pub key: Key,
    /// How.
    pub mode: Mode,
    /// What is there.
    pub stored: Option<Stored>,
    /// How many rows this server has taken away; of one that is held for writing, the number of
    /// its own removal.
    pub removals: u64,
    /// Of a list of servers: an entry that is there.
    pub entry: Option<(Name, Version)>,
    /// A new inode's number.
    pub fresh: u64,
    /// What moves.
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
    /// About which row.
    pub key: Key,
    /// In which step; of one that another is to do, the last such step.
    pub step: u32,
    /// What came of it.
    pub outcome: Outcome,
    /// What was seen.
    pub saw: Vec<Saw>,
}

/// What became of a transaction.
#[derive(Value)]
pub enum Fate {
    /// Nothing yet.
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

/// A request.
#[derive(Value)]
pub struct Ask {
    /// Whose.
    pub client: u32,
    /// The client's number of it.
    pub number: u32,
    /// The client has heard the answers of all numbers below.
    pub oldest: u32,
    /// Which of its steps. Each goes to one server, which does it or says once and for all that it
    /// does not.
    pub step: u32,
    /// What it wants.
    pub operation: Operation,
}

/// An answer.
#[derive(Value)]
pub struct Answer {
    /// To which request.
    pub number: u32,
    /// To which of its steps.
    pub step: u32,
    /// What came of it.
    pub outcome: Outcome,
    /// What was seen, where that is wanted.
    pub saw: Vec<Saw>,
}

/// Rows of one server that a transaction opens, or looks at again.
#[derive(Value)]
pub struct Open {
    /// Whose.
    pub meta: Meta,
    /// Who asks.
    pub from: Peer,
    /// Its round.
    pub round: u32,
    /// What became of those who were in the way.
    pub fates: Vec<(TxId, Fate)>,
    /// Rows that must be as they were.
    pub same: Vec<(Key, Option<Version>)>,
    /// Rows to open.
    pub wants: Vec<Want>,
}

/// What came of it.
#[derive(Value)]
pub struct Opened {
    /// Whose.
    pub id: TxId,
    /// Its round.
    pub round: u32,
    /// By whom.
    pub server: u32,
    /// Rows that are open.
    pub got: Vec<Got>,
    /// Why there are no more.
    pub trouble: Option<Trouble>,
}

/// What became of a transaction?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct AskFate {
    /// Of this one.
    pub meta: Meta,
    /// Who asks.
    pub from: Peer,
    /// For whom: an operation that it is in the way of.
    pub who: TxId,
    /// On which server: its writes there are wanted.
    pub part: u32,
    /// If nothing has become of it yet, it is to be aborted.
    pub kill: bool,
}

/// What became of it.
#[derive(Value)]
pub struct Became {
    /// What was asked.
    pub asked: AskFate,
    /// What became of it.
    pub fate: Fate,
}

/// A client asks a server to commit what it has opened.
#[derive(Value)]
pub struct Commit {
    /// Whose.
    pub meta: Meta,
    /// Its round.
    pub round: u32,
    /// What takes effect, server by server.
    pub parts: Vec<(u32, Vec<Write>)>,
    /// How removals are counted from here on.
    pub removals: u64,
    /// What is to be answered.
    pub said: Said,
}

/// A message.
#[derive(Value)]
pub enum Message {
    /// Client to server.
    Ask(Ask),
    /// Server to client.
    Answer(Answer),
    /// To a server: open rows.
    Open(Box<Open>),
    /// They are open.
    Opened(Box<Opened>),
    /// To the server that keeps the status record: commit.
    Commit(Box<Commit>),
    /// From it to a client: whether it did.
    Decided(TxId, u32, bool),
    /// To a server: a transaction is over; who wants to know that it is known.
    Settle(Meta, Box<Fate>, Option<u32>),
    /// It is known there.
    Settled(TxId, u32),
    /// To the server that keeps the status record: what became of it?
    Fate(Box<AskFate>),
    /// This became of it.
    Became(Box<Became>),
}
