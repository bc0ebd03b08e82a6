//! Who sends what to whom so that every node comes to hold its cells.
//!
//! A schedule is data. `block` numbers what one node receives of one stripe; that is its place in
//! the node's ring, too, so that every block has a slot of its own.
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
    /// Who writes; it has all data blocks.
    Client,
    Node(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// A data block: only the client has it.
    Data(usize),
    /// What arrived at this node as this block.
    Block(usize),
}

/// One block on its way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub from: Party,
    pub to: usize,
    /// Which of the receiver's blocks of this stripe it is.
    pub block: usize,
    /// What is sent: the xor of these.
    pub xor: Vec<Source>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Keep {
    pub cell: Cell,
    /// The xor of these blocks, which arrived at the cell's node.
    pub xor: Vec<usize>,
}

/// A stripe's steps, each after those that it needs, and what is stored.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Schedule {
    /// In an order in which they can be done; nodes need not keep to it.
    pub steps: Vec<Step>,
    pub keeps: Vec<Keep>,
}

impl Schedule {
    /// Blocks that a node receives.
    pub fn blocks_in(&self, node: usize) -> usize {
        self.steps.iter().filter(|s| s.to == node).count()
    }
}

/// Which schedule a stripe is written by; travels with each block, in 8 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// The client computes parity and sends all cells.
    Naive,
    /// The document's: parity is made along a chain of nodes.
    Chain,
    /// All data go to this node, which forwards them and computes parity.
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

    /// From the wire; `None` for a pivot that is no node.
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

/// Adds steps and numbers what each node receives.
struct Builder {
    schedule: Schedule,
    received: Vec<usize>,
}

impl Builder {
    fn new(layout: &Layout) -> Builder {
        Builder { schedule: Schedule::default(), received: vec![0; layout.nodes()] }
    }

    /// Sends; returns the block's number at the receiver.
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
