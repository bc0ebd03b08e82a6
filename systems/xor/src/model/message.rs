//! Messages between hosts, and records of the run.
use engine::*;

/// Parts of a stripe's time.
pub const PARTS: usize = 7;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The client's core: parity of naive stripes, per-block work.
    ClientCore,
    /// The client's link: queueing and sending.
    ClientLink,
    /// Propagation between hosts.
    Latency,
    /// A node's incoming link.
    NodeIn,
    /// A node's core: sums, per-block work.
    NodeCore,
    /// A node's outgoing link.
    NodeOut,
    Disk,
}

/// The critical path of a block since its stripe began, by part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Path {
    pub begun: Nanos,
    /// All time before this is attributed to a part.
    pub until: Nanos,
    spent: [Nanos; PARTS],
}

impl Path {
    pub fn new(now: Nanos) -> Path {
        Path { begun: now, until: now, spent: [Nanos::ZERO; PARTS] }
    }

    /// Attributes the time until `to` to `part`.
    pub fn to(mut self, to: Nanos, part: Part) -> Path {
        self.spent[part as usize] += to - self.until;
        self.until = to;
        self
    }

    /// By part; the sum is `until − begun`.
    pub fn parts(&self) -> [Nanos; PARTS] {
        self.spent
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct Stripe {
    pub client: u32,
    pub recipe: u32,
    /// Among the client's stripes.
    pub number: u64,
}

#[derive(Message)]
pub struct Block {
    pub stripe: Stripe,
    /// The receiver's number of it.
    pub block: u32,
    /// Earliest arrival of its last byte.
    pub tail: Nanos,
    pub path: Path,
}

/// A node has finished its part of a stripe.
#[derive(Message)]
pub struct Done {
    pub stripe: Stripe,
    pub path: Path,
}

#[derive(Message)]
pub enum Event {
    Begin,
    /// To a node: the head of a block.
    Head(Box<Block>),
    /// To the node itself: the whole block has arrived.
    Here(Box<Block>),
    Done(Box<Done>),
}

#[derive(Message)]
pub struct Written {
    pub client: u32,
    pub number: u64,
    /// Path of the node that finished last.
    pub path: Path,
}

#[derive(Message)]
pub enum Record {
    Written(Box<Written>),
    /// At the end: time that a client's link was busy.
    Client {
        out: Nanos,
    },
    /// At the end: time that a node's links, core and disk were busy.
    Node {
        node: u32,
        into: Nanos,
        out: Nanos,
        core: Nanos,
        disk: Nanos,
    },
}
