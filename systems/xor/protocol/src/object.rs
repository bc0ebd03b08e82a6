//! How an object's bytes lie in stripes.
use crate::layout::{Cell, Layout};
use std::fmt;

/// Block sizes are multiples of this \[bytes\].
pub const GRAIN: u64 = 64;
/// Largest block \[bytes\].
pub const MAX_BLOCK: u64 = 4 << 20;
/// Stripes of an object, at most: a stripe's number has 24 bits on the wire, of which the upper
/// ones are told by the place in the ring.
pub const MAX_STRIPES: u64 = 1 << 40;

/// Bytes of an object, at most: with its parities it stays below 2⁶³.
pub const MAX_LENGTH: u64 = 1 << 60;

/// An object's length and block size, and with them where everything lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    length: u64,
    block: u64,
    data: u64,
    rows: u64,
}

/// Why there is no such shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeError {
    /// The block size is no multiple of [`GRAIN`] from [`GRAIN`] to [`MAX_BLOCK`].
    Block(u64),
    /// More than [`MAX_STRIPES`] stripes, or than [`MAX_LENGTH`] bytes.
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
                write!(f, "{length} bytes are too many for blocks so small")
            }
        }
    }
}

impl std::error::Error for ShapeError {}

impl Shape {
    /// The shape of an object of so many bytes in blocks of `block` bytes.
    ///
    /// # Errors
    /// The block size is out of range, or the stripes are too many.
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

    /// The object's length \[bytes\].
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Block size of all stripes but perhaps the last \[bytes\].
    pub fn block(&self) -> u64 {
        self.block
    }

    /// Data blocks of a stripe.
    pub fn data(&self) -> u64 {
        self.data
    }

    /// Number of stripes; none for an empty object.
    pub fn stripes(&self) -> u64 {
        self.length.div_ceil(self.block * self.data)
    }

    /// Block size of a stripe: in the last one only as large as its bytes need, so that a small
    /// object is no large one.
    pub fn block_of(&self, stripe: u64) -> u64 {
        let bytes = self.bytes_of(stripe);
        bytes.div_ceil(self.data).next_multiple_of(GRAIN).min(self.block)
    }

    /// The object's bytes in a stripe.
    pub fn bytes_of(&self, stripe: u64) -> u64 {
        let whole = self.block * self.data;
        self.length.saturating_sub(stripe * whole).min(whole)
    }

    /// Where a data block begins in the object, and how many of its bytes are the object's; the
    /// rest is zeros.
    pub fn data_at(&self, stripe: u64, data: usize) -> (u64, u64) {
        let block = self.block_of(stripe);
        let inside = block * data as u64;
        let start = stripe * self.block * self.data + inside;
        (start, self.bytes_of(stripe).saturating_sub(inside).min(block))
    }

    /// Where a cell's block begins in its node's file \[bytes\].
    pub fn place(&self, stripe: u64, cell: Cell) -> u64 {
        stripe * self.block * self.rows + self.block_of(stripe) * cell.row as u64
    }

    /// Length of a node's file \[bytes\].
    pub fn file_length(&self) -> u64 {
        match self.stripes() {
            0 => 0,
            n => (n - 1) * self.block * self.rows + self.block_of(n - 1) * self.rows,
        }
    }

    /// Blocks that a node holds.
    pub fn blocks(&self) -> u64 {
        self.stripes() * self.rows
    }
}
