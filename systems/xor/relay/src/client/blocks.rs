//! Checksums of blocks: nodes compute and check them where the blocks are stored.
use super::Client;
use super::survey::FoundVersion;
use crate::digest::of_xor;
use crate::transport::Transport;
use crate::wire::Message;
use std::collections::BTreeMap;
use std::ops::Range;
use xor_protocol::object::Shape;
use xor_protocol::{Cell, Layout, plan};

/// Bytes that a node checks in one request.
const AT_ONCE: u64 = 4 << 20;

/// By stripe.
pub(super) type Blocks = BTreeMap<u64, Vec<Cell>>;

/// By stripe and cell; `None` for a block that cannot be read.
pub(super) type Sums = Vec<Vec<Option<u32>>>;

pub(super) fn by_node(blocks: &Blocks) -> BTreeMap<usize, u64> {
    let mut counts = BTreeMap::new();
    blocks.values().flatten().for_each(|cell| *counts.entry(cell.node).or_default() += 1);
    counts
}

/// Ranges of stripes, one a request.
pub(super) fn parts(layout: &Layout, shape: Shape) -> impl Iterator<Item = Range<u64>> + use<> {
    let step = (AT_ONCE / shape.block() / layout.rows() as u64).clamp(1, 1024);
    let starts = (0..shape.stripes()).step_by(step as usize);
    starts.map(move |start| start..(start + step).min(shape.stripes()))
}

pub(super) struct Checked {
    /// Checksums of intact blocks.
    pub(super) sums: Sums,
    pub(super) bad: Blocks,
    pub(super) blocks: u64,
    /// Nodes that did not check their blocks.
    pub(super) unverified: Vec<usize>,
}

impl<T: Transport> Client<T> {
    pub(super) fn check_blocks(
        &mut self,
        found: &FoundVersion,
        layout: &Layout,
        nodes: &[usize],
        stripes: Range<u64>,
    ) -> Checked {
        let (rows, count) = (layout.rows(), (stripes.end - stripes.start) as usize);
        let (id, stripe) = (found.entry.version.id, stripes.start);
        let verify = Message::Verify { id, stripe, count: count as u32 };
        let has = |node: &usize| found.states.get(*node).is_some_and(|held| held.is_readable());
        let holders: Vec<usize> =
            nodes.iter().copied().filter(|node| self.is_up(*node)).filter(has).collect();
        let mut checked = Checked {
            sums: vec![vec![None; layout.nodes() * rows]; count],
            bad: Blocks::new(),
            blocks: 0,
            unverified: Vec::new(),
        };
        for (node, answer) in self.query_each(holders, &verify, self.patience.sync) {
            let Ok(Message::Verified { blocks }) = answer else {
                checked.unverified.push(node);
                continue;
            };
            for (at, (sum, is_right)) in blocks.into_iter().take(count * rows).enumerate() {
                let cell = Cell { node, row: at % rows };
                checked.blocks += 1;
                match is_right {
                    true => checked.sums[at / rows][layout.index(cell)] = Some(sum),
                    false => checked.bad.entry(stripe + (at / rows) as u64).or_default().push(cell),
                }
            }
        }
        checked
    }
}

/// Number of violated equations of a stripe, after missing checksums are derived from others.
pub(super) fn broken_equations(layout: &Layout, sums: &[Option<u32>], zeros: u32) -> u64 {
    let lost: Vec<Cell> = layout.cells().filter(|c| sums[layout.index(*c)].is_none()).collect();
    let mut sums = sums.to_vec();
    for step in plan::plan(layout, &lost, &lost).map(|plan| plan.steps).unwrap_or_default() {
        let from: Option<Vec<u32>> = step.from.iter().map(|c| sums[layout.index(*c)]).collect();
        sums[layout.index(step.cell)] = from.map(|from| of_xor(from, zeros))
    }
    let is_broken = |cells: &&Vec<Cell>| {
        let all: Option<Vec<u32>> = cells.iter().map(|c| sums[layout.index(*c)]).collect();
        all.is_some_and(|all| of_xor(all[1..].iter().copied(), zeros) != all[0])
    };
    layout.equations().iter().filter(is_broken).count() as u64
}
