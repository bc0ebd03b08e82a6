//! Schedules: the transfers that bring every cell to its node.
//!
//! A schedule is data. `block` numbers what a node receives of one stripe. It is also the block's
//! place in the node's ring, so every block has its own slot.
mod chain;
mod mix;
mod naive;
mod pivot;

pub use chain::chain;
pub use mix::{Mix, Share};
pub use naive::naive;
pub use pivot::pivot;

use crate::layout::{Cell, Layout};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Party {
    /// The writer; it has all data blocks.
    Client,
    Node(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// A data block; only the client has these.
    Data(usize),
    /// A block that this node has received.
    Block(usize),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub from: Party,
    pub to: usize,
    /// Number among the receiver's blocks of this stripe.
    pub block: usize,
    /// The sent block is the xor of these.
    pub xor: Vec<Source>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Keep {
    pub cell: Cell,
    /// The xor of these received blocks is stored.
    pub xor: Vec<usize>,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Schedule {
    /// In an executable order; nodes may use another.
    pub steps: Vec<Step>,
    pub keeps: Vec<Keep>,
}

impl Schedule {
    pub fn blocks_in(&self, node: usize) -> usize {
        self.steps.iter().filter(|s| s.to == node).count()
    }
}

/// How a stripe is written. Each block carries it, in 8 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Naive,
    /// Otsuji, Tatebe 2013: nodes compute each parity along a chain.
    Chain,
    /// The client sends all data to this node, which forwards them and computes parity.
    Pivot(usize),
}

impl Kind {
    const NAIVE: u8 = 255;
    const CHAIN: u8 = 254;

    pub fn to_byte(self) -> u8 {
        match self {
            Kind::Naive => Kind::NAIVE,
            Kind::Chain => Kind::CHAIN,
            Kind::Pivot(node) => u8::try_from(node).expect("at most 255 nodes"),
        }
    }

    /// `None`: the pivot is not a node of the layout.
    pub fn from_byte(byte: u8, nodes: usize) -> Option<Kind> {
        match byte {
            Kind::NAIVE => Some(Kind::Naive),
            Kind::CHAIN => Some(Kind::Chain),
            node if usize::from(node) < nodes => Some(Kind::Pivot(usize::from(node))),
            _ => None,
        }
    }

    pub fn schedule(self, layout: &Layout) -> Schedule {
        match self {
            Kind::Naive => naive(layout),
            Kind::Chain => chain(layout),
            Kind::Pivot(node) => pivot(layout, node),
        }
    }
}

struct Builder {
    schedule: Schedule,
    received: Vec<usize>,
}

impl Builder {
    fn new(layout: &Layout) -> Builder {
        Builder { schedule: Schedule::default(), received: vec![0; layout.nodes()] }
    }

    /// Returns the block's number at the receiver.
    fn send(&mut self, from: Party, to: usize, xor: Vec<Source>) -> usize {
        let block = self.received[to];
        self.received[to] += 1;
        self.schedule.steps.push(Step { from, to, block, xor });
        block
    }

    fn keep(&mut self, cell: Cell, xor: Vec<usize>) {
        self.schedule.keeps.push(Keep { cell, xor });
    }
}
