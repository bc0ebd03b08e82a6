//! What they say to one another, and what they report.
use crate::raft::{Answer, Append, Ask, Kind, Notice, Vote};
use engine::*;

/// Bytes of a message besides its data, and of an entry in the log: the chunk itself is no part of
/// the log.
pub(crate) const HEAD: u64 = 512;

#[derive(Message)]
pub enum Event {
    /// To a gateway: objects arrive.
    Arrive,
    /// OM's answer: where the next block goes; since when it stood in line, and was served.
    Allocated {
        op: u64,
        pipeline: u32,
        container: u32,
        came: Nanos,
        began: Nanos,
        ended: Nanos,
    },
    Taken {
        op: u64,
        attempt: u32,
    },
    /// A block is written, as far as the client must know.
    Written {
        op: u64,
        attempt: u32,
    },
    /// OM has closed the key.
    Closed {
        op: u64,
        came: Nanos,
        began: Nanos,
    },
    /// A gateway's patience is over.
    Timeout {
        op: u64,
        attempt: u32,
    },
    /// A retry's wait is over: the block is asked for elsewhere.
    Again {
        op: u64,
    },
    /// Who was written to does not lead, or is down; [`NOBODY`](crate::raft::NOBODY): it knows of
    /// no leader.
    NotLeader {
        op: u64,
        attempt: u32,
        round: u32,
        leader: u8,
    },
    /// A node is down: its connections are reset.
    Down {
        node: u32,
    },
    /// A retry's wait is over: what was not answered is sent once more.
    Resend {
        op: u64,
        attempt: u32,
        round: u32,
    },

    /// To OM: a block of this size; not through `except`.
    Allocate {
        from: Lp<Event>,
        op: u64,
        bytes: u64,
        except: u32,
    },
    /// To OM: the key is written, its last block through `pipeline`.
    Close {
        from: Lp<Event>,
        op: u64,
        pipeline: u32,
    },
    /// A block is done, one way or another.
    Done {
        pipeline: u32,
    },
    Missed {
        node: u32,
    },
    /// SCM has opened new pipelines.
    Opened,

    /// To a leader: a chunk, or the end of a block.
    Write {
        from: Lp<Event>,
        op: u64,
        bytes: u32,
        pipeline: u32,
        container: u32,
        attempt: u32,
        round: u32,
        kind: Kind,
    },
    /// To a follower: an entry.
    Append {
        pipeline: u32,
        append: Append,
    },
    /// To a follower: how far its leader has committed.
    Notice {
        pipeline: u32,
        notice: Notice,
    },
    /// To a leader: how far a follower is; when its disk had begun.
    Acked {
        pipeline: u32,
        answer: Answer,
        began: Nanos,
    },
    /// To all others: a candidate asks for votes.
    Ask {
        pipeline: u32,
        ask: Ask,
    },
    Vote {
        pipeline: u32,
        vote: Vote,
    },
    /// To oneself: has a leader been heard of?
    Elect {
        pipeline: u32,
    },
    /// To oneself: a disk is through with what it did.
    Disk {
        disk: u32,
    },
    /// To oneself: a leader that had nothing to say says so.
    Beat {
        pipeline: u32,
    },
    /// To oneself: a second has passed.
    Tick,
    /// A node falls, or its disks get slower.
    Fault,
}

/// How a block got through its pipeline.
#[derive(Message)]
pub struct Block {
    /// Of which object, which attempt.
    pub op: u64,
    /// Its number among the object's attempts.
    pub attempt: u32,
    pub pipeline: u32,
    /// Who led: its place among the pipeline's nodes.
    pub leader: u8,
    /// Its end came to the leader, was on its disk.
    pub came: Nanos,
    /// The leader's disk began with its flush.
    pub began: Nanos,
    pub flushed: Nanos,
    /// When it left the window of each follower.
    pub left: [Nanos; 2],
    pub reached: [Nanos; 2],
    pub follower_began: [Nanos; 2],
    /// When the leader heard of it; MAX: not yet.
    pub acked: [Nanos; 2],
    pub committed: Nanos,
    pub known: Nanos,
}

#[derive(Message)]
pub struct Object {
    pub op: u64,
    pub bytes: u64,
    pub asked: Nanos,
    /// OM's second service: came, began.
    pub closing: [Nanos; 2],
    pub closed_asked: Nanos,
    pub tries: u32,
    /// The time that the gateway's sending side was at work so far.
    pub sending: Nanos,
}

/// A block was allocated, and sent.
#[derive(Message)]
pub struct Sent {
    pub op: u64,
    /// Asked; came to OM; began; ended.
    pub om: [Nanos; 4],
    pub back: Nanos,
}

#[derive(Message)]
pub enum Record {
    Sent(Box<Sent>),
    Block(Box<Block>),
    /// A block was given up: asked elsewhere from `again` on.
    GaveUp {
        op: u64,
        sent: Nanos,
        again: Nanos,
    },
    /// What was not answered is sent once more from `again` on, to another node.
    Resent {
        op: u64,
        sent: Nanos,
        again: Nanos,
    },
    Object(Box<Object>),
    /// A disk was busy for so long in the second that has passed.
    Busy {
        node: u32,
        disk: u32,
        busy: Nanos,
    },
    /// A node's sending side was given so much work in the second that has passed.
    Sending {
        node: u32,
        busy: Nanos,
    },
    /// An entry was committed in a pipeline: for the invariants.
    Commit {
        pipeline: u32,
        from: u64,
        to: u64,
        holders: u8,
    },
    /// A node leads a pipeline from this term on; its log ends there.
    Leads {
        pipeline: u32,
        node: u32,
        term: u32,
        last: u64,
    },
}
