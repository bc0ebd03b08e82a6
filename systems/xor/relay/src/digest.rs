//! Checksums of blocks, and of a xor from the checksums of its parts.
//!
//! CRC32C is affine over xor: crc(a ^ b) = crc(a) ^ crc(b) ^ crc(0…0). So the checksums of the data
//! blocks give that of every parity block, without computing the block. At the end, this tells
//! whether all n nodes hold the right blocks.
use xor_protocol::{Cell, Layout};

pub fn of_zeros(length: usize) -> u32 {
    const ZEROS: [u8; 4096] = [0; 4096];
    let mut left = length;
    let mut sum = 0;
    while left > 0 {
        let part = left.min(ZEROS.len());
        sum = crc32c::crc32c_append(sum, &ZEROS[..part]);
        left -= part;
    }
    sum
}

/// Checksum of the xor of blocks of one length from their checksums. `zeros`: [`of_zeros`] of this
/// length.
pub fn of_xor(sums: impl IntoIterator<Item = u32>, zeros: u32) -> u32 {
    let mut count = 0;
    let sum = sums.into_iter().fold(0, |sum, part| {
        count += 1;
        sum ^ part
    });
    if count % 2 == 0 { sum ^ zeros } else { sum }
}

/// A block's summand in a node's digest; the order of blocks does not matter.
pub fn mix(stripe: u64, row: usize, sum: u32) -> u64 {
    let mut mixed = stripe.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (row as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        ^ u64::from(sum) << 17;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// The digest that each node must have at the end.
#[derive(Clone, Debug)]
pub struct Expected {
    digests: Vec<u64>,
    zeros: (usize, u32),
}

impl Expected {
    pub fn new(nodes: usize) -> Expected {
        Expected { digests: vec![0; nodes], zeros: (0, 0) }
    }

    /// Adds a stripe of blocks of `length` bytes; `data` has the checksums of the data blocks.
    pub fn stripe(&mut self, layout: &Layout, stripe: u64, length: usize, data: &[u32]) {
        if self.zeros.0 != length {
            self.zeros = (length, of_zeros(length))
        }
        for cell in layout.cells() {
            let parts = layout.contents(cell).iter().map(|&d| data[d]);
            self.block(stripe, cell, of_xor(parts, self.zeros.1))
        }
    }

    pub fn block(&mut self, stripe: u64, cell: Cell, sum: u32) {
        let digest = &mut self.digests[cell.node];
        *digest = digest.wrapping_add(mix(stripe, cell.row, sum))
    }

    pub fn of(&self, node: usize) -> u64 {
        self.digests[node]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_a_xor_follows_from_its_parts() {
        for (count, length) in [(1, 64), (2, 64), (3, 4096), (4, 5000), (5, 1)] {
            let block = |seed: usize| (0..length).map(move |at| (seed * 37 + at * 11) as u8);
            let blocks: Vec<Vec<u8>> = (0..count).map(|s| block(s).collect()).collect();
            let xor: Vec<u8> =
                (0..length).map(|at| blocks.iter().fold(0, |sum, b| sum ^ b[at])).collect();
            let sums = blocks.iter().map(|b| crc32c::crc32c(b));
            assert_eq!(of_xor(sums, of_zeros(length)), crc32c::crc32c(&xor), "{count} {length}");
        }
    }
}
