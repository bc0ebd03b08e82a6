//! Proves that a schedule stores what the layout says, and prices it.
//!
//! Checked: every sender has what it sends, no block is numbered twice or left out, every cell is
//! stored once, at its node, and equals its definition as a xor of data blocks. Since every block
//! of a stripe has a slot of its own and steps stand after what they need, a stripe that has its
//! slots on all nodes always ends: no step waits for a slot. Not checked: the time that it takes.
use crate::bounds::Ratio;
use crate::layout::{Cell, Layout};
use crate::schedule::{Party, Schedule, Source, Step};
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// A step's sender does not have what it is to send, or sends nothing.
    Missing {
        /// Which step, from 0.
        step: usize,
    },
    /// A node sends to itself, or to a node that is none.
    Target { step: usize },
    /// A block of this number has come before, or one before it has not.
    Numbering { step: usize },
    /// A cell is not stored, or twice.
    Stored(Cell),
    /// What is stored is not what the layout says.
    Wrong {
        cell: Cell,
        /// Data blocks whose xor is there.
        is: Vec<usize>,
    },
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Missing { step } => write!(f, "step {step}: the sender does not have it"),
            Flaw::Target { step } => write!(f, "step {step}: no other node is there"),
            Flaw::Numbering { step } => write!(f, "step {step}: not the next block of its node"),
            Flaw::Stored(c) => write!(f, "node {} row {}: not stored once", c.node, c.row),
            Flaw::Wrong { cell: c, is } => {
                write!(f, "node {} row {}: holds the xor of {is:?}", c.node, c.row)
            }
        }
    }
}

impl std::error::Error for Flaw {}

/// What a stripe costs \[blocks\].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Price {
    pub client_out: usize,
    pub node_in: Vec<usize>,
    pub node_out: Vec<usize>,
}

impl Price {
    pub fn between(&self) -> usize {
        self.node_out.iter().sum()
    }
}

/// Whether each data block is in a sum.
type Sum = Vec<bool>;

/// What each node has received: `[node][block]`.
struct Seen(Vec<Vec<Sum>>);

impl Seen {
    fn sum(&self, layout: &Layout, from: Party, xor: &[Source]) -> Option<Sum> {
        let mut sum = vec![false; layout.data()];
        for source in xor {
            match (from, source) {
                (Party::Client, Source::Data(data)) => *sum.get_mut(*data)? ^= true,
                (Party::Node(node), Source::Block(block)) => {
                    let part = self.0.get(node)?.get(*block)?;
                    sum.iter_mut().zip(part).for_each(|(a, b)| *a ^= b);
                }
                _ => return None,
            }
        }
        Some(sum)
    }
}

/// Proves a schedule and prices it.
///
/// # Errors
/// The first flaw.
pub fn check(layout: &Layout, schedule: &Schedule) -> Result<Price, Flaw> {
    let nodes = layout.nodes();
    let mut seen = Seen(vec![Vec::new(); nodes]);
    let mut price = Price { client_out: 0, node_in: vec![0; nodes], node_out: vec![0; nodes] };
    for (at, step) in schedule.steps.iter().enumerate() {
        do_step(layout, &mut seen, at, step)?;
        price.node_in[step.to] += 1;
        match step.from {
            Party::Client => price.client_out += 1,
            Party::Node(node) => price.node_out[node] += 1,
        }
    }
    keeps(layout, schedule, &seen)?;
    Ok(price)
}

fn do_step(layout: &Layout, seen: &mut Seen, at: usize, step: &Step) -> Result<(), Flaw> {
    if step.to >= layout.nodes() || step.from == Party::Node(step.to) {
        return Err(Flaw::Target { step: at });
    }
    let sum = seen.sum(layout, step.from, &step.xor).filter(|_| !step.xor.is_empty());
    let sum = sum.ok_or(Flaw::Missing { step: at })?;
    if seen.0[step.to].len() != step.block {
        return Err(Flaw::Numbering { step: at });
    }
    seen.0[step.to].push(sum);
    Ok(())
}

fn keeps(layout: &Layout, schedule: &Schedule, seen: &Seen) -> Result<(), Flaw> {
    for cell in layout.cells() {
        let mut of_cell = schedule.keeps.iter().filter(|k| k.cell == cell);
        let (Some(keep), None) = (of_cell.next(), of_cell.next()) else {
            return Err(Flaw::Stored(cell));
        };
        let xor: Vec<Source> = keep.xor.iter().map(|&b| Source::Block(b)).collect();
        let sum = seen.sum(layout, Party::Node(cell.node), &xor).ok_or(Flaw::Stored(cell))?;
        let is: Vec<usize> = (0..sum.len()).filter(|&data| sum[data]).collect();
        if is != layout.contents(cell) {
            return Err(Flaw::Wrong { cell, is });
        }
    }
    Ok(())
}

/// What stripes cost on average, at the client and at the busiest node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeanPrice {
    pub client_out: Ratio,
    pub between: Ratio,
    /// Into the node that receives most.
    pub node_in: Ratio,
    /// Out of the node that sends most.
    pub node_out: Ratio,
}

/// The average over stripes written by these schedules in turn.
///
/// # Errors
/// The first flaw of any.
///
/// # Panics
/// Without a schedule.
pub fn mean_price(layout: &Layout, schedules: &[Schedule]) -> Result<MeanPrice, Flaw> {
    assert!(!schedules.is_empty(), "an average of nothing");
    let mut total = Price {
        client_out: 0,
        node_in: vec![0; layout.nodes()],
        node_out: vec![0; layout.nodes()],
    };
    for schedule in schedules {
        let price = check(layout, schedule)?;
        total.client_out += price.client_out;
        for node in 0..layout.nodes() {
            total.node_in[node] += price.node_in[node];
            total.node_out[node] += price.node_out[node];
        }
    }
    let per_stripe = |num: usize| Ratio { num: num as u64, den: schedules.len() as u64 };
    let most = |of: &[usize]| per_stripe(of.iter().copied().max().unwrap_or(0));
    Ok(MeanPrice {
        client_out: per_stripe(total.client_out),
        between: per_stripe(total.between()),
        node_in: most(&total.node_in),
        node_out: most(&total.node_out),
    })
}
