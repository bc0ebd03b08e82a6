//! Raft with three replicas, as Ratis uses it in Ozone's write path: elections, log, commits. A
//! pure state machine without time, network and disk: the caller carries messages, and reports when
//! entries are stored and flushed.
//!
//! ```text
//!  Ask ─► Vote        an election: a majority's votes, for a log that is at least as long
//!  Append ─► Answer   an entry, in the order of the log; the answer comes when it is on disk
//!  Notice ─► Answer   how far the leader has committed
//! ```
//! Source: Ongaro, Ousterhout, 2014; Ratis 3.1 (`LeaderStateImpl`, `GrpcLogAppender`).
mod election;
mod follow;
mod lead;
mod log;
#[cfg(test)]
mod tests;
use engine::*;
pub use follow::AppendResult;

pub const MEMBERS: u8 = 3;

pub const NO_LEADER: u8 = MEMBERS;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub enum Kind {
    Chunk,
    /// The end of a block: `PutBlock`.
    Put,
    /// A commit notice as an entry of its own.
    CommitIndex,
    /// The first entry of a new leader.
    Begin,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Entry {
    /// Term of the leader that appended it.
    pub term: u32,
    pub kind: Kind,
    pub bytes: u32,
    pub container: u32,
}

/// To a follower: an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Append {
    pub notice: Notice,
    pub index: u64,
    /// Term of the entry before `index`.
    pub before: u32,
    pub entry: Entry,
}

/// To a follower: the leader's commit index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Notice {
    pub term: u32,
    pub leader: u8,
    pub commit: u64,
    /// Last entry that all three replicas have flushed.
    pub floor: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct AppendReply {
    pub term: u32,
    pub place: u8,
    /// Last flushed entry that matches the leader's log.
    pub flushed: u64,
    /// Last entry that the follower has, and knows to be committed.
    pub commit: u64,
    /// First missing entry, if the one before the received entry is missing; 0: none is missing.
    pub first_missing: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct VoteRequest {
    pub term: u32,
    pub place: u8,
    /// Term and index of the last entry in its log.
    pub last: (u32, u64),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Vote {
    pub term: u32,
    pub place: u8,
    pub granted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Scalar)]
pub enum Role {
    #[default]
    Follower,
    Candidate,
    Leader,
}

/// State of another replica, as the leader knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Scalar)]
pub struct Peer {
    /// Next entry to send.
    pub next: u64,
    /// Entries in flight come after this one.
    pub answered: u64,
    /// Last entry that it has flushed.
    pub flushed: u64,
    /// Last entry that it knows to be committed.
    pub commit: u64,
}

#[derive(Rewind)]
pub struct Replica {
    place: u8,
    role: Role,
    leader: u8,
    term: u32,
    /// Last term in which it voted.
    voted: u32,
    /// As candidate: bit mask of replicas that voted for it.
    votes: u8,
    /// All three replicas have flushed entries up to here; they are discarded.
    floor: u64,
    floor_term: u32,
    /// Entries after `floor`, and whether their data is stored.
    log: Queue<(Entry, bool)>,
    flushed: u64,
    /// Last entry of the running flush, if `busy`.
    flushing: u64,
    busy: bool,
    /// Up to here the log is known to match the leader's.
    matched: u64,
    /// Last entry that the leader has committed.
    commit: u64,
    /// As leader: by index of the replica.
    peers: Array<Peer>,
}

impl Replica {
    /// A replica of a new pipeline led by `leader`.
    pub fn new(place: u8, leader: u8) -> Replica {
        let mut replica = Replica {
            place,
            role: Role::Follower,
            leader,
            term: 1,
            voted: 1,
            votes: 0,
            floor: 0,
            floor_term: 1,
            log: Queue::new(),
            flushed: 0,
            flushing: 0,
            busy: false,
            matched: 0,
            commit: 0,
            peers: Array::new(),
        };
        if place == leader {
            replica.become_leader()
        }
        replica
    }

    pub fn leads(&self) -> bool {
        self.role == Role::Leader
    }

    /// [`NO_LEADER`]: unknown.
    pub fn leader(&self) -> u8 {
        self.leader
    }

    pub fn term(&self) -> u32 {
        self.term
    }

    pub fn place(&self) -> u8 {
        self.place
    }

    /// Last entry in the own log that is known to be committed.
    pub fn committed(&self) -> u64 {
        self.commit.min(self.matched)
    }

    /// As leader: the other two replicas, by index.
    pub fn others(&self) -> [Peer; 2] {
        let [a, b] = self.places();
        [self.peers[usize::from(a)], self.peers[usize::from(b)]]
    }

    /// Indexes of the other two replicas, ascending.
    pub fn places(&self) -> [u8; 2] {
        match self.place {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        }
    }

    /// Moves to a later term as a follower.
    fn enter(&mut self, term: u32, leader: u8) {
        self.commit = self.committed();
        (self.term, self.leader, self.role) = (term, leader, Role::Follower);
        self.matched = self.commit.max(self.floor)
    }
}
