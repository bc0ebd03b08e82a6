//! The client computes and sends every cell.
use super::{Builder, Party, Schedule, Source};
use crate::layout::Layout;

/// The client computes every parity and sends every cell to its node. Its link carries n/(n−t)
/// times the data; nodes forward nothing. Best if the nodes' links are the bottleneck: from n
/// clients.
pub fn naive(layout: &Layout) -> Schedule {
    let mut builder = Builder::new(layout);
    for cell in layout.cells() {
        let xor = layout.contents(cell).iter().map(|&d| Source::Data(d)).collect();
        let block = builder.send(Party::Client, cell.node, xor);
        builder.keep(cell, vec![block]);
    }
    builder.schedule
}
