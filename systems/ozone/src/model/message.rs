//! Events between LPs, and records of a run.
use crate::raft::{Append, AppendReply, Kind, Notice, Vote, VoteRequest};
use engine::*;

/// Bytes of a message without its data, and of an entry in the log. A chunk's data is not in the
/// log.
pub(crate) const HEAD: u64 = 512;

#[derive(Message)]
pub enum Event {
    /// To a gateway: objects arrive.
    Arrive,
    /// OM's answer: pipeline and container of the next block, and the times of its request in OM.
    Allocated {
        op: u64,
        pipeline: u32,
        container: u32,
        arrived: Nanos,
        started: Nanos,
        ended: Nanos,
    },
    Taken {
        op: u64,
        attempt: u32,
    },
    /// A block is acknowledged.
    Written {
        op: u64,
        attempt: u32,
    },
    Closed {
        op: u64,
        arrived: Nanos,
        started: Nanos,
    },
    /// A gateway's write timeout has expired.
    Timeout {
        op: u64,
        attempt: u32,
    },
    /// The backoff has ended: request a block in another pipeline.
    Again {
        op: u64,
    },
    /// The node does not lead, or is down. `leader` is [`NOBODY`](crate::raft::NOBODY) if it knows
    /// of none.
    NotLeader {
        op: u64,
        attempt: u32,
        round: u32,
        leader: u8,
    },
    /// A node is down; its connections are reset.
    Down {
        node: u32,
    },
    /// The sleep has ended: resend data without an answer.
    Resend {
        op: u64,
        attempt: u32,
        round: u32,
    },

    /// To OM: request a block of this size, not in pipeline `except`.
    Allocate {
        from: Lp<Event>,
        op: u64,
        bytes: u64,
        except: u32,
    },
    /// To OM: the key is written, its last block in `pipeline`.
    Close {
        from: Lp<Event>,
        op: u64,
        pipeline: u32,
    },
    /// To OM: a block was written or abandoned.
    Done {
        pipeline: u32,
    },
    Missed {
        node: u32,
    },
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
        /// Time for which the receiving NIC was occupied by other messages. `None`: not yet
        /// received.
        held: Option<Nanos>,
    },
    Append {
        pipeline: u32,
        append: Append,
        held: Option<Nanos>,
    },
    /// To a follower: the leader's commit index.
    Notice {
        pipeline: u32,
        notice: Notice,
    },
    /// To a leader: a follower's progress. `held`: of the last entry received. `started`: of its
    /// flush.
    Acked {
        pipeline: u32,
        answer: AppendReply,
        held: Nanos,
        started: Nanos,
    },
    Ask {
        pipeline: u32,
        ask: VoteRequest,
    },
    Vote {
        pipeline: u32,
        vote: Vote,
    },
    /// To the node itself: check whether the election timeout has expired.
    Elect {
        pipeline: u32,
    },
    /// To the node itself: a disk has finished a job.
    Disk {
        disk: u32,
    },
    /// To the node itself: send a heartbeat if one is due.
    Beat {
        pipeline: u32,
    },
    /// To the node itself: a second has passed.
    Tick,
    /// A node stops, or its disks become slower.
    Fault,
}

impl Event {
    /// The message, received by a NIC that other messages occupied for `held`.
    pub(crate) fn received(&self, held: Nanos) -> Event {
        let held = Some(held);
        match *self {
            Event::Write { from, op, bytes, pipeline, container, attempt, round, kind, .. } => {
                Event::Write { from, op, bytes, pipeline, container, attempt, round, kind, held }
            }
            Event::Append { pipeline, append, .. } => Event::Append { pipeline, append, held },
            _ => unreachable!("only these carry data"),
        }
    }
}

/// Times of a block in its pipeline.
#[derive(Message)]
pub struct Block {
    pub op: u64,
    /// Index among the object's attempts.
    pub attempt: u32,
    pub pipeline: u32,
    /// Index of the leader in the pipeline.
    pub leader: u8,
    /// Time for which the leader's NIC was occupied by other messages.
    pub held: Nanos,
    /// When the leader received the block's end.
    pub arrived: Nanos,
    /// Start of the leader's flush.
    pub started: Nanos,
    pub flushed: Nanos,
    /// When it was sent to each follower, within the follower's window.
    pub left: [Nanos; 2],
    pub reached: [Nanos; 2],
    /// As `held`, at each follower.
    pub follower_held: [Nanos; 2],
    pub follower_began: [Nanos; 2],
    /// When the leader received each answer; MAX: not yet.
    pub acked: [Nanos; 2],
    pub committed: Nanos,
    pub known: Nanos,
}

/// Times of a block at a follower, in this order. None is after the client continued.
pub(crate) struct FollowerTimes {
    pub(crate) left: Nanos,
    pub(crate) reached: Nanos,
    pub(crate) received: Nanos,
    pub(crate) began: Nanos,
    pub(crate) there: Nanos,
    pub(crate) acked: Nanos,
}

impl Block {
    pub(crate) fn at_follower(&self, slot: usize, latency: Nanos) -> FollowerTimes {
        let came = self.arrived;
        let acked = self.acked[slot].min(self.known);
        let there = acked.saturating_sub(latency).max(came);
        let left = self.left[slot].clamp(came, there);
        let reached = self.reached[slot].clamp(left, there);
        let began = self.follower_began[slot].clamp(reached, there);
        let received = (reached + self.follower_held[slot]).min(began);
        FollowerTimes { left, reached, received, began, there, acked }
    }
}

#[derive(Message)]
pub struct KeyRecord {
    pub op: u64,
    pub bytes: u64,
    pub requested: Nanos,
    /// The close request in OM: arrival, start of service.
    pub closing: [Nanos; 2],
    pub close_requested: Nanos,
    pub tries: u32,
    /// Total time that the gateway has spent sending.
    pub sending: Nanos,
}

#[derive(Message)]
pub struct OmRequest {
    pub op: u64,
    /// Request sent; arrival at OM; start and end of service.
    pub om: [Nanos; 4],
    pub back: Nanos,
}

#[derive(Message)]
pub enum Record {
    Sent(Box<OmRequest>),
    Block(Box<Block>),
    /// A block was abandoned; it is requested again at `again`.
    GaveUp {
        op: u64,
        sent: Nanos,
        again: Nanos,
    },
    /// Data without an answer is resent to another node at `again`.
    Resent {
        op: u64,
        sent: Nanos,
        again: Nanos,
    },
    Object(Box<KeyRecord>),
    /// Busy time of a disk in the last second.
    Busy {
        node: u32,
        disk: u32,
        busy: Nanos,
    },
    /// Time of the messages queued on a node's NIC in the last second, of the busier direction.
    Nic {
        node: u32,
        busy: Nanos,
    },
    /// Entries `from` to `to` were committed, for checks of invariants.
    Commit {
        pipeline: u32,
        from: u64,
        to: u64,
        holders: u8,
    },
    /// A node leads a pipeline from this term on; `last`: end of its log.
    Leads {
        pipeline: u32,
        node: u32,
        term: u32,
        last: u64,
    },
}
