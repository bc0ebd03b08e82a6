//! The client does it all.
use super::{Builder, Party, Schedule, Source};
use crate::layout::Layout;

/// The client computes every parity and sends every cell to its node. Its link carries n/(n−t)
/// times the data; the nodes forward nothing. Best where the nodes' links are the narrow ones: from
/// n clients on.
pub fn naive(layout: &Layout) -> Schedule {
    let mut builder = Builder::new(layout);
    for cell in layout.cells() {
        let xor = layout.contents(cell).iter().map(|&d| Source::Data(d)).collect();
        let block = builder.send(Party::Client, cell.node, xor);
        builder.keep(cell, vec![block]);
    }
    builder.schedule
}
