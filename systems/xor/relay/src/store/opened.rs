use crate::disk::Blob;
use crate::wire::Entry;
use std::io;
use std::sync::Arc;
use xor_protocol::Cell;
use xor_protocol::object::Shape;

#[derive(Clone)]
pub struct Opened {
    pub(super) blocks: Arc<dyn Blob>,
    pub(super) sums: Arc<dyn Blob>,
    shape: Shape,
    /// The node's number in the layout.
    index: usize,
    rows: usize,
}

impl Opened {
    pub(super) fn new(
        blocks: Arc<dyn Blob>,
        sums: Arc<dyn Blob>,
        entry: &Entry,
        shape: Shape,
        rows: usize,
    ) -> Opened {
        Opened { blocks, sums, shape, index: usize::from(entry.index), rows }
    }

    /// Offset of a block \[bytes\].
    pub(super) fn place(&self, stripe: u64, row: usize) -> u64 {
        self.shape.place(stripe, Cell { node: self.index, row })
    }

    /// Index of a block's checksum in its file.
    pub(super) fn number(&self, stripe: u64, row: usize) -> u64 {
        stripe * self.rows as u64 + row as u64
    }

    /// Reads a block into `to`, which has its length. Returns the checksum of the read bytes, and
    /// whether it equals the stored one.
    pub fn block(&self, stripe: u64, row: usize, to: &mut [u8]) -> io::Result<(u32, bool)> {
        self.blocks.read_at(to, self.place(stripe, row))?;
        let mut sum = [0; 4];
        self.sums.read_at(&mut sum, 4 * self.number(stripe, row))?;
        let now = crc32c::crc32c(to);
        Ok((now, now == u32::from_le_bytes(sum)))
    }

    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Blocks a stripe on this node.
    pub fn rows(&self) -> usize {
        self.rows
    }
}
