//! The relay of Otsuji, Tatebe 2013: nodes compute each parity along a chain.
use super::{Builder, Party, Schedule, Source};
use crate::layout::{Cell, Layout};

/// The client sends each data block to its home. For each parity the first home sends its block to
/// the second, which adds its own and sends the sum on, until the parity's node. A block travels
/// once for each parity that it is in. So nodes send 2·D blocks in a 2-D layout.
pub fn chain(layout: &Layout) -> Schedule {
    let mut builder = Builder::new(layout);
    let mut homes = Vec::new();
    for (data, &home) in layout.homes().iter().enumerate() {
        let block = builder.send(Party::Client, home.node, vec![Source::Data(data)]);
        builder.keep(home, vec![block]);
        homes.push(block);
    }
    for cell in layout.cells().filter(|c| layout.data_at(*c).is_none()) {
        let blocks = along(layout, cell, &homes, &mut builder);
        builder.keep(cell, blocks);
    }
    builder.schedule
}

/// Sends the sum from home to home, in the order of nodes from the parity's. Returns the blocks
/// that the parity's node xors.
fn along(layout: &Layout, parity: Cell, homes: &[usize], builder: &mut Builder) -> Vec<usize> {
    let own = |node: usize| {
        let here = layout.contents(parity).iter().filter(move |&&d| layout.homes()[d].node == node);
        here.map(|&data| homes[data]).collect::<Vec<usize>>()
    };
    let mut sum = None;
    let n = layout.nodes();
    let turn = (1..n).map(|step| (parity.node + step) % n);
    let path: Vec<usize> = turn.filter(|&node| !own(node).is_empty()).collect();
    for (at, &node) in path.iter().enumerate() {
        let next = path.get(at + 1).copied().unwrap_or(parity.node);
        let xor = own(node).into_iter().chain(sum).map(Source::Block).collect();
        sum = Some(builder.send(Party::Node(node), next, xor));
    }
    own(parity.node).into_iter().chain(sum).collect()
}
