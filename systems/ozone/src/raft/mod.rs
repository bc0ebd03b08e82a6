//! Raft of three, as Ratis has it on Ozone's write path: who leads, what is in the log, what is
//! committed. Pure: no time, no network, no disk. Whoever uses it carries the messages, and says
//! when entries are stored and flushed.
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
pub use follow::Heard;

pub const MEMBERS: u8 = 3;

/// No member.
pub const NOBODY: u8 = MEMBERS;

/// What an entry of a pipeline's log is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub enum Kind {
    Chunk,
    /// The end of a block: `PutBlock`.
    Put,
    /// A commit, told as an entry.
    CommitIndex,
    /// A leader's first.
    Begin,
}

/// An entry of a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Entry {
    /// Of the leader that made it.
    pub term: u32,
    pub kind: Kind,
    pub bytes: u32,
    pub container: u32,
}

/// A leader sends an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Append {
    /// Who says it, and how far it is.
    pub notice: Notice,
    /// The entry's.
    pub index: u64,
    /// Term of the entry before.
    pub before: u32,
    pub entry: Entry,
}

/// A leader says how far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Notice {
    /// The leader's.
    pub term: u32,
    pub leader: u8,
    pub commit: u64,
    /// All three have all up to here on disk.
    pub floor: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Answer {
    /// The follower's.
    pub term: u32,
    pub place: u8,
    /// It has the leader's log up to here on disk.
    pub flushed: u64,
    /// It knows that all up to here is committed, and has it.
    pub commit: u64,
    /// It lacks what comes before what it was sent: it wants this entry; 0: it lacks nothing.
    pub wanted: u64,
}

/// A candidate asks for a vote.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Ask {
    /// The candidate's.
    pub term: u32,
    pub place: u8,
    /// The last entry of its log, and that entry's term.
    pub last: (u32, u64),
}

/// An answer to a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Vote {
    /// The voter's.
    pub term: u32,
    pub place: u8,
    pub granted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Scalar)]
pub enum Role {
    /// It takes a leader's entries.
    #[default]
    Follower,
    Candidate,
    Leader,
}

/// What a leader knows of another member.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Scalar)]
pub struct Peer {
    /// The next entry that it is sent.
    pub next: u64,
    /// What is under way to it comes after this entry.
    pub answered: u64,
    /// It has all up to here on disk.
    pub flushed: u64,
    /// It knows that all up to here is committed.
    pub commit: u64,
}

/// A member of a pipeline, with its log.
#[derive(Rewind)]
pub struct Replica {
    place: u8,
    role: Role,
    leader: u8,
    term: u32,
    /// The last term in which it gave its vote.
    voted: u32,
    /// As candidate: who voted for it, a bit each.
    votes: u8,
    /// All up to here is on the disks of all three, and no longer kept.
    floor: u64,
    floor_term: u32,
    /// What comes after `floor`, and whether its data is stored.
    log: Queue<(Entry, bool)>,
    flushed: u64,
    /// A flush is under way, up to here.
    flushing: u64,
    busy: bool,
    /// Up to here the log is the leader's, surely.
    matched: u64,
    /// The leader has committed up to here.
    commit: u64,
    /// As leader: the members, by place.
    peers: Array<Peer>,
}

impl Replica {
    /// A member of a new pipeline, which `leader` leads.
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
            replica.take_over()
        }
        replica
    }

    pub fn leads(&self) -> bool {
        self.role == Role::Leader
    }

    /// Whom it takes for the leader; [`NOBODY`] while it knows none.
    pub fn leader(&self) -> u8 {
        self.leader
    }

    pub fn term(&self) -> u32 {
        self.term
    }

    pub fn place(&self) -> u8 {
        self.place
    }

    /// What is committed as far as it knows, of what it has.
    pub fn committed(&self) -> u64 {
        self.commit.min(self.matched)
    }

    /// As leader: what it knows of the two others.
    pub fn others(&self) -> [Peer; 2] {
        let [a, b] = self.places();
        [self.peers[usize::from(a)], self.peers[usize::from(b)]]
    }

    /// Places of the two others, ascending.
    pub fn places(&self) -> [u8; 2] {
        match self.place {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        }
    }

    /// A term that is later than its own has begun: whoever led or stood does no longer.
    fn enter(&mut self, term: u32, leader: u8) {
        self.commit = self.committed();
        (self.term, self.leader, self.role) = (term, leader, Role::Follower);
        self.matched = self.commit.max(self.floor)
    }
}
