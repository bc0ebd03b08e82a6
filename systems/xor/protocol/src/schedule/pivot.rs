//! One node receives all data of a stripe and computes the rest.
use super::{Builder, Party, Schedule, Source};
use crate::layout::Layout;

/// The client sends all data to the pivot. The pivot forwards each block to its home, computes
/// every parity and sends it to its node. If the pivot rotates over all nodes, this meets all lower
/// bounds of [`crate::bounds`].
pub fn pivot(layout: &Layout, pivot: usize) -> Schedule {
    let mut builder = Builder::new(layout);
    for data in 0..layout.data() {
        let block = builder.send(Party::Client, pivot, vec![Source::Data(data)]);
        debug_assert_eq!(block, data, "the pivot's blocks have the data's numbers");
    }
    for cell in layout.cells() {
        let contents = layout.contents(cell);
        if cell.node == pivot {
            builder.keep(cell, contents.to_vec());
        } else {
            let xor = contents.iter().map(|&data| Source::Block(data)).collect();
            let block = builder.send(Party::Node(pivot), cell.node, xor);
            builder.keep(cell, vec![block]);
        }
    }
    builder.schedule
}
