//! Placement of an object's bytes in stripes.
use crate::layout::{Cell, Layout};
use std::fmt;

/// Block sizes are multiples of this \[bytes\].
pub const GRAIN: u64 = 64;
/// In bytes.
pub const MAX_BLOCK: u64 = 4 << 20;
/// Stripes of an object. A stripe's number has 24 bits on the wire; the place in the ring gives the
/// upper bits.
pub const MAX_STRIPES: u64 = 1 << 40;

/// Length of an object \[bytes\]. With its parities it stays below 2⁶³.
pub const MAX_LENGTH: u64 = 1 << 60;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    length: u64,
    block: u64,
    data: u64,
    rows: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeError {
    /// Not a multiple of [`GRAIN`] from [`GRAIN`] to [`MAX_BLOCK`].
    Block(u64),
    /// Over [`MAX_STRIPES`] stripes or [`MAX_LENGTH`] bytes.
    TooLong(u64),
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeError::Block(size) => write!(
                f,
                "block size {size}: expected a multiple of {GRAIN} up to {MAX_BLOCK} bytes"
            ),
            ShapeError::TooLong(length) => {
                write!(f, "{length} bytes are too many for this block size")
            }
        }
    }
}

impl std::error::Error for ShapeError {}

impl Shape {
    /// Length and block size in bytes.
    ///
    /// # Errors
    /// If the block size is out of range or the object has too many bytes or stripes.
    pub fn new(layout: &Layout, length: u64, block: u64) -> Result<Shape, ShapeError> {
        if block == 0 || block > MAX_BLOCK || !block.is_multiple_of(GRAIN) {
            return Err(ShapeError::Block(block));
        }
        let shape = Shape { length, block, data: layout.data() as u64, rows: layout.rows() as u64 };
        match length > MAX_LENGTH || shape.stripes() > MAX_STRIPES {
            true => Err(ShapeError::TooLong(length)),
            false => Ok(shape),
        }
    }

    /// In bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Block size of every stripe except perhaps the last \[bytes\].
    pub fn block(&self) -> u64 {
        self.block
    }

    /// Data blocks of a stripe.
    pub fn data(&self) -> u64 {
        self.data
    }

    /// 0 for an empty object.
    pub fn stripes(&self) -> u64 {
        self.length.div_ceil(self.block * self.data)
    }

    /// In bytes. Smaller in the last stripe if its bytes need less, so that small objects take
    /// little space.
    pub fn block_of(&self, stripe: u64) -> u64 {
        let bytes = self.bytes_of(stripe);
        bytes.div_ceil(self.data).next_multiple_of(GRAIN).min(self.block)
    }

    /// Bytes of the object, without the zeros at the end.
    pub fn bytes_of(&self, stripe: u64) -> u64 {
        let whole = self.block * self.data;
        self.length.saturating_sub(stripe * whole).min(whole)
    }

    /// Offset of a data block in the object, and how many of its bytes belong to the object. The
    /// rest is zeros.
    pub fn data_at(&self, stripe: u64, data: usize) -> (u64, u64) {
        let block = self.block_of(stripe);
        let inside = block * data as u64;
        let start = stripe * self.block * self.data + inside;
        (start, self.bytes_of(stripe).saturating_sub(inside).min(block))
    }

    /// Offset of a cell's block in its node's file \[bytes\].
    pub fn place(&self, stripe: u64, cell: Cell) -> u64 {
        stripe * self.block * self.rows + self.block_of(stripe) * cell.row as u64
    }

    /// Length of one node's file \[bytes\].
    pub fn file_length(&self) -> u64 {
        match self.stripes() {
            0 => 0,
            n => (n - 1) * self.block * self.rows + self.block_of(n - 1) * self.rows,
        }
    }

    /// Blocks of the object on one node.
    pub fn blocks(&self) -> u64 {
        self.stripes() * self.rows
    }
}
