//! What they say to one another, and what they report.
use engine::*;

/// Bytes of a message besides its data, and of an entry in the log: the chunk itself is no part of
/// the log.
pub(crate) const HEAD: u64 = 512;

/// What an entry of a pipeline's log is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub enum Kind {
    /// A chunk of data.
    Chunk,
    /// The end of a block: `PutBlock`.
    Put,
    /// A commit, told as an entry.
    Told,
}

/// What they say.
#[derive(Message)]
pub enum Event {
    /// To a gateway: objects arrive.
    Arrive,
    /// OM's answer: where the next block goes; since when it stood in line, and was served.
    Allocated { op: u64, pipeline: u32, container: u32, came: Nanos, began: Nanos, ended: Nanos },
    /// A chunk is committed.
    Taken { op: u64, attempt: u32 },
    /// A block is written, as far as the client must know.
    Written { op: u64, attempt: u32 },
    /// OM has closed the key.
    Closed { op: u64, came: Nanos, began: Nanos },
    /// A gateway's patience is over.
    Timeout { op: u64, attempt: u32 },
    /// A retry's wait is over.
    Again { op: u64 },

    /// To OM: a block of this size; not through `except`.
    Allocate { from: Lp<Event>, op: u64, bytes: u64, except: u32 },
    /// To OM: the key is written, its last block through `pipeline`.
    Close { from: Lp<Event>, op: u64, pipeline: u32 },
    /// A block is done, one way or another.
    Done { pipeline: u32 },
    /// SCM misses a node.
    Missed { node: u32 },

    /// To a leader: a chunk, or the end of a block.
    Write {
        from: Lp<Event>,
        op: u64,
        bytes: u32,
        pipeline: u32,
        container: u32,
        attempt: u32,
        kind: Kind,
    },
    /// To a follower: an entry, and how far its leader has committed.
    Append { pipeline: u32, index: u64, commit: u64, bytes: u32, container: u32, kind: Kind },
    /// To a follower: how far its leader has committed.
    Notice { pipeline: u32, commit: u64 },
    /// To a leader: how far a follower has the log on its disk, and knows of commits; when the disk
    /// had begun.
    Acked { pipeline: u32, slot: u8, flushed: u64, commit: u64, began: Nanos },
    /// To oneself: a disk is through with what it did.
    Disk { disk: u32 },
    /// To oneself: a leader that had nothing to say says so.
    Beat { pipeline: u32 },
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
    /// Where.
    pub pipeline: u32,
    /// Its end came to the leader, was on its disk.
    pub came: Nanos,
    /// The leader's disk began with its flush.
    pub began: Nanos,
    /// And ended.
    pub flushed: Nanos,
    /// When it came to the followers.
    pub reached: [Nanos; 2],
    /// When their disks began.
    pub follower_began: [Nanos; 2],
    /// When the leader heard of it; MAX: not yet.
    pub acked: [Nanos; 2],
    /// A majority had it.
    pub committed: Nanos,
    /// Enough knew of it.
    pub known: Nanos,
}

/// An object is written.
#[derive(Message)]
pub struct Object {
    /// Its number.
    pub op: u64,
    /// Its size.
    pub bytes: u64,
    /// When the client asked.
    pub asked: Nanos,
    /// OM's second service: came, began.
    pub closing: [Nanos; 2],
    /// Asked to be closed.
    pub closed_asked: Nanos,
    /// Blocks given up.
    pub tries: u32,
}

/// A block was allocated, and sent.
#[derive(Message)]
pub struct Sent {
    /// Of which object.
    pub op: u64,
    /// Asked; came to OM; began; ended.
    pub om: [Nanos; 4],
    /// Came back.
    pub back: Nanos,
}

/// What they report.
#[derive(Message)]
pub enum Record {
    /// A block was allocated.
    Sent(Box<Sent>),
    /// A block is through.
    Block(Box<Block>),
    /// A block was given up: asked elsewhere from `again` on.
    GaveUp { op: u64, sent: Nanos, again: Nanos },
    /// An object is written.
    Object(Box<Object>),
    /// A disk was busy for so long in the second that has passed.
    Busy { node: u32, disk: u32, busy: Nanos },
    /// An entry was committed in a pipeline: for the invariants.
    Commit { pipeline: u32, from: u64, to: u64, holders: u8 },
}
