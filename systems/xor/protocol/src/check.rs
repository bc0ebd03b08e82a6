//! Proves that a schedule stores what the layout defines, and counts its blocks.
//!
//! Checked: every sender has what it sends, blocks are numbered without gaps, and every cell is
//! stored once, at its node, as its definition. A stripe with slots on all nodes always ends: each
//! block has its own slot, and steps follow what they need. Time is not checked.
use crate::bounds::Ratio;
use crate::layout::{Cell, Layout};
use crate::schedule::{Party, Schedule, Source, Step};
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The sender of a step lacks a source, or the step has none.
    Missing { step: usize },
    /// A node sends to itself or to an unknown node.
    Target { step: usize },
    /// The block is not the next number at its receiver.
    Numbering { step: usize },
    /// A cell is stored twice or not at all.
    Stored(Cell),
    Wrong {
        cell: Cell,
        /// Data blocks whose xor the cell holds.
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

/// Cost of a stripe \[blocks\].
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

/// By data block: whether it is part of the sum.
type Sum = Vec<bool>;

/// Blocks received so far: `[node][block]`.
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

/// Mean cost of stripes \[blocks a stripe\].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeanPrice {
    pub client_out: Ratio,
    pub between: Ratio,
    /// Traffic of the node that receives most.
    pub node_in: Ratio,
    /// Traffic of the node that sends most.
    pub node_out: Ratio,
}

/// Stripes use the schedules round-robin.
///
/// # Errors
/// The first flaw of any schedule.
///
/// # Panics
/// If `schedules` is empty.
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
