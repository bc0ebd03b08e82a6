//! Internal blocks of an erasure-coded group and their lengths (`StripedBlockUtil`).
use units::Bytes;

/// Cell size of Hadoop's built-in policies (`…-1024k`): data goes round-robin over the data blocks
/// in pieces of this length.
const CELL: u64 = 1 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code {
    /// k of RS-k-m.
    pub data: u8,
    /// m of RS-k-m.
    pub parity: u8,
    /// Length of the group without parity.
    pub bytes: Bytes,
}

impl Code {
    /// Data blocks that are not empty: fewer than `data` if the group has fewer cells
    /// (`getRealDataBlockNum`). This number of internal blocks rebuilds any other.
    pub fn real_data(self) -> u8 {
        let cells = self.bytes.0.div_ceil(CELL).max(1);
        units::narrow::<u8>(cells.min(u64::from(self.data)))
    }

    /// Length of the shortest group without empty data blocks.
    pub fn shortest_length(data: u8) -> Bytes {
        Bytes(CELL * u64::from(data.saturating_sub(1)) + 1)
    }

    /// Non-empty internal blocks (`getRealTotalBlockNum`).
    pub fn total(self) -> u8 {
        self.real_data() + self.parity
    }

    /// Indices of the non-empty internal blocks, ascending.
    pub fn indices(self) -> impl Iterator<Item = u8> {
        (0..self.data + self.parity).filter(move |index| self.has(*index))
    }

    /// Whether the internal block of this index is not empty.
    pub fn has(self, index: u8) -> bool {
        index < self.real_data() || (self.data..self.data + self.parity).contains(&index)
    }

    /// Length of an internal block (`getInternalBlockLength`): its cells of whole stripes, plus its
    /// part of the last one. Parity is as long as the first data block.
    pub fn internal_bytes(self, index: u8) -> Bytes {
        let stripe = CELL * u64::from(self.data);
        let before = if index < self.data { u64::from(index) * CELL } else { 0 };
        let last = (self.bytes.0 % stripe).saturating_sub(before).min(CELL);
        Bytes(self.bytes.0 / stripe * CELL + last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn dealt(code: Code) -> Vec<u64> {
        let mut lengths = vec![0; usize::from(code.data)];
        let mut left = code.bytes.0;
        while left > 0 {
            for length in &mut lengths {
                let cell = left.min(CELL);
                *length += cell;
                left -= cell
            }
        }
        let longest = lengths[0];
        lengths.extend((0..code.parity).map(|_| longest));
        lengths
    }

    #[test]
    fn lengths_are_those_of_bytes_dealt_out_cell_by_cell() {
        for (data, parity) in [(6, 3), (10, 4), (3, 2), (2, 1)] {
            let sizes =
                [1, 5, MIB - 1, MIB, MIB + 1, 6 * MIB, 6 * MIB + 7, 25 * MIB + 3, 768 * MIB];
            for bytes in sizes {
                let code = Code { data, parity, bytes: Bytes(bytes) };
                let all: Vec<u64> = (0..data + parity).map(|i| code.internal_bytes(i).0).collect();
                assert_eq!(all, dealt(code), "{code:?}");
                let full = (0..data + parity).filter(|i| all[usize::from(*i)] > 0);
                assert!(full.eq(code.indices()), "{code:?}");
                assert_eq!(code.indices().count(), usize::from(code.total()));
            }
        }
    }
}
