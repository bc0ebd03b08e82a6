//! The partitions of a directory: GIGA+'s bitmap (Patil, Gibson: Scale and concurrency of GIGA+,
//! FAST 2011).
use rewind::Scalar;

pub const MOST_PARTITIONS: u32 = 64;

/// A set of partitions. An older map has fewer partitions, all of which still exist.
///
/// ```text
///  radix 0      0                      all names
///  radix 1      0        1             by the hash's lowest bit
///  radix 2      0   2    1   3         by its two lowest
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Scalar)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Map(u64);

impl Default for Map {
    fn default() -> Map {
        Map(1)
    }
}

impl Map {
    pub fn has(self, partition: u32) -> bool {
        partition < MOST_PARTITIONS && self.0 >> partition & 1 == 1
    }

    pub fn with(self, partition: u32) -> Map {
        Map(self.0 | 1 << partition)
    }

    pub fn and(self, other: Map) -> Map {
        Map(self.0 | other.0)
    }

    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Never: partition 0 always exists.
    pub fn is_empty(self) -> bool {
        false
    }

    /// The `at`-th existing partition, by number.
    pub fn nth(self, at: u32) -> Option<u32> {
        (0..MOST_PARTITIONS).filter(|p| self.has(*p)).nth(at as usize)
    }

    /// The deepest existing partition of a hash, found by dropping the hash's highest bits.
    pub fn of(self, hash: u64) -> u32 {
        let mut bits = MOST_PARTITIONS.ilog2();
        loop {
            let partition = u32::try_from(hash & ((1 << bits) - 1)).expect("at most 32 bits");
            if bits == 0 || self.has(partition) {
                return partition;
            }
            bits -= 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hash_falls_into_a_partition_whose_bits_it_has() {
        let map = Map::default().with(1).with(2).with(5);
        for hash in 0..4096u64 {
            let partition = map.of(hash.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            assert!(map.has(partition));
        }
        // 5 = 101 splits from 1 = 01; the other half of 1, which is 3 = 11, does not exist.
        assert_eq!([0b000, 0b001, 0b010, 0b011, 0b101].map(|h| map.of(h)), [0, 1, 2, 1, 5]);
    }

    #[test]
    fn an_older_map_leads_to_an_ancestor() {
        let old = Map::default().with(1);
        let new = old.with(2).with(3).with(7);
        for hash in 0..256 {
            let (before, now) = (old.of(hash), new.of(hash));
            assert_eq!(u64::from(before), u64::from(now) & 1, "hash {hash}");
        }
    }
}
