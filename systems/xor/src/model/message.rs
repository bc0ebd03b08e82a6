//! What they say, and what they report.
use engine::*;

/// Parts of a stripe's time.
pub const PARTS: usize = 7;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The client's core: parity of naive stripes, blocks.
    ClientCore,
    /// The client's link: in line, and sent.
    ClientLink,
    /// On the way between hosts.
    Latency,
    /// A node's link, into it.
    NodeIn,
    /// A node's core: sums, blocks.
    NodeCore,
    /// A node's link, out of it.
    NodeOut,
    /// A node's disk.
    Disk,
}

/// What is behind a block: how long each part took since its stripe was begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
pub struct Path {
    pub begun: Nanos,
    /// All until here is in one of the parts.
    pub until: Nanos,
    spent: [Nanos; PARTS],
}

impl Path {
    /// Of a stripe that begins now.
    pub fn new(now: Nanos) -> Path {
        Path { begun: now, until: now, spent: [Nanos::ZERO; PARTS] }
    }

    /// All until `to` was this.
    pub fn to(mut self, to: Nanos, part: Part) -> Path {
        self.spent[part as usize] += to - self.until;
        self.until = to;
        self
    }

    /// By part; together `until − begun`.
    pub fn parts(&self) -> [Nanos; PARTS] {
        self.spent
    }
}

/// A stripe: whose, which, and by which recipe.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Scalar)]
pub struct Stripe {
    pub client: u32,
    pub recipe: u32,
    /// Its number among the client's.
    pub number: u64,
}

/// A block on its way.
#[derive(Message)]
pub struct Block {
    pub stripe: Stripe,
    /// The receiver's number for it.
    pub block: u32,
    /// Its last byte is here no sooner.
    pub tail: Nanos,
    pub path: Path,
}

/// A node has done its part of a stripe.
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
    /// To oneself: all of it is here.
    Here(Box<Block>),
    Done(Box<Done>),
}

#[derive(Message)]
pub struct Written {
    pub client: u32,
    pub number: u64,
    /// What it waited for, of the node that was last.
    pub path: Path,
}

#[derive(Message)]
pub enum Record {
    Written(Box<Written>),
    /// At the end: how long a client's link sent.
    Client {
        out: Nanos,
    },
    /// At the end: how long a node's links and its core were busy.
    Node {
        node: u32,
        into: Nanos,
        out: Nanos,
        core: Nanos,
        disk: Nanos,
    },
}
