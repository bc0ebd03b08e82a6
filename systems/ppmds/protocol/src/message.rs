//! Messages between clients and servers.
use super::{Key, List, Name, Operation, Outcome, RowEvidence, SharedList, Stored, Version};
use rewind::{Scalar, Value};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Peer {
    Client(u32),
    Server(u32),
}

/// One attempt at a transaction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TxId {
    pub client: u32,
    /// The client's number of the operation.
    pub number: u32,
    /// Grows with each attempt: client step << 40 | starts of the coordinator << 20 | retries.
    pub attempt: u64,
}

/// A transaction as its participants and rivals know it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Meta {
    pub id: TxId,
    /// The server that keeps its status record.
    pub home: u32,
    /// Start of the first attempt, by the coordinator's clock \[ns\].
    pub began: u64,
    /// Rows opened in all attempts so far.
    pub opened: u32,
    /// The client has the answers of all operations with lower numbers.
    pub oldest: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mode {
    /// Read without a lock. The coordinator validates the row before it commits.
    Unlocked,
    /// Locked against writers, by any number of readers.
    Shared,
    Exclusive,
}

/// A request to open a row.
#[derive(Value, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RowRequest {
    pub key: Key,
    pub mode: Mode,
    /// Also assign an inode number.
    pub fresh: bool,
    /// Also return the rows that move to other servers.
    pub moves: Option<Box<Moves>>,
}

#[derive(Value, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Moves {
    pub to: List,
    /// Mark of the expected current list; 0: any list.
    pub base: u64,
}

#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OpenedRow {
    pub key: Key,
    pub mode: Mode,
    pub stored: Option<Stored>,
    /// Removals on this server so far. For a row locked for writing: the number of its own removal.
    pub removals: u64,
    /// For a list of servers opened for writing: any entry here, as proof that the directory is not
    /// empty.
    pub entry: Option<(Name, Version)>,
    /// The assigned inode number; 0: none was requested.
    pub fresh: u64,
    pub moved: Vec<Write>,
}

/// A write that takes effect when its transaction commits.
#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Write {
    /// `None` removes the row.
    Row(Key, Option<Stored>),
    /// A remembered answer, which moves with its row.
    Answer(Version, Box<SavedAnswer>),
}

/// An answer that a server keeps in case the client repeats its request.
#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedAnswer {
    pub key: Key,
    /// The client's step that this answers. For a request left to another server or to the client:
    /// the last such step.
    pub step: u32,
    pub outcome: Outcome,
    pub saw: Vec<RowEvidence>,
}

#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TxState {
    Active,
    Aborted,
    /// The writes for the server that asked, and the lowest count of removals from now on.
    Committed(Vec<Write>, u64),
}

/// Why a row cannot be opened.
#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OpenError {
    /// Transactions that hold a conflicting lock.
    Busy(Vec<Meta>),
    /// The key's server is not this one: the directory, and its list as this server has it.
    Stale(u64, Option<SharedList>),
    /// A row was written since it was read, or this attempt has ended on this server.
    Changed,
    /// The client has its answer: a late message started the operation a second time.
    Completed,
    /// The rows that would move are too many for a transaction.
    TooLarge,
}

#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ask {
    pub client: u32,
    pub number: u32,
    /// The client has the answers of all operations with lower numbers.
    pub oldest: u32,
    /// The client's step. Each step goes to one server, which either executes it or refuses it for
    /// good.
    pub step: u32,
    pub operation: Operation,
}

#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answer {
    pub number: u32,
    pub step: u32,
    pub outcome: Outcome,
    /// The rows seen; empty without [`Options::evidence`](super::Options::evidence).
    pub saw: Vec<RowEvidence>,
}

/// Opens or validates rows on one server for a transaction.
#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Open {
    pub meta: Meta,
    pub from: Peer,
    pub round: u32,
    /// Outcomes of transactions that conflicted before.
    pub states: Vec<(TxId, TxState)>,
    /// Rows read earlier, with the versions that they must still have.
    pub same: Vec<(Key, Option<Version>)>,
    pub requests: Vec<RowRequest>,
}

#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Opened {
    pub id: TxId,
    pub round: u32,
    pub server: u32,
    pub rows: Vec<OpenedRow>,
    /// Why the other rows were not opened.
    pub error: Option<OpenError>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OutcomeQuery {
    pub meta: Meta,
    pub from: Peer,
    /// The transaction that conflicts with `meta`.
    pub requester: TxId,
    /// The server whose writes the reply returns.
    pub part: u32,
    /// Abort `meta` if it is still active.
    pub kill: bool,
}

#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OutcomeReply {
    pub query: OutcomeQuery,
    pub state: TxState,
}

/// A client asks the server of the status record to commit.
#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Commit {
    pub meta: Meta,
    pub round: u32,
    pub parts: Vec<(u32, Vec<Write>)>,
    /// The lowest count of removals from now on.
    pub removals: u64,
    pub answer: SavedAnswer,
}

#[derive(Value)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Message {
    Ask(Ask),
    Answer(Answer),
    Open(Box<Open>),
    Opened(Box<Opened>),
    /// From a client to the server of the status record.
    Commit(Box<Commit>),
    /// The reply to `Commit`: attempt, round, whether it was committed.
    Decided(TxId, u32, bool),
    /// A transaction has ended. The last field is the server that expects `Settled`, if any.
    Settle(Meta, Box<TxState>, Option<u32>),
    Settled(TxId, u32),
    /// To the server of the status record: asks for an outcome.
    OutcomeQuery(Box<OutcomeQuery>),
    OutcomeReply(Box<OutcomeReply>),
}
