//! A 128-bit fingerprint, fast enough for every event of a run.

/// Multiply and fold: every bit of the product depends on every bit of both factors.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the lower half, and the upper")]
const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

// Odd constants without structure: the first digits of well-known irrationals.
const LEFT: u64 = 0x9E37_79B9_7F4A_7C15;
const RIGHT: u64 = 0xD6E8_FEB8_6659_FD93;
const FIRST: u64 = 0xA076_1D64_78BD_642F;
const SECOND: u64 = 0xE703_7ED1_A0B4_28DB;
const END: u64 = 0x8EBC_6AF0_9C88_C6E3;
const CROSS: u64 = 0x5899_65CC_7537_4CC3;

/// Hashes 64-bit words to 128 bits.
///
/// It needs one multiplication per 16 bytes, in two alternating lanes, so that consecutive pairs do
/// not wait for each other. It detects accidents, not attacks: two states that differ by a bug have
/// the same digest with a probability near 2⁻⁶⁴.
///
/// ```
/// use rewind::Hasher;
/// assert_eq!(Hasher::of(&[1u64, 2]), Hasher::of(&(1u64, 2u64)));
/// assert_ne!(Hasher::of(&[1u64, 2]), Hasher::of(&[2u64, 1]));
/// ```
#[derive(Clone, Copy)]
pub struct Hasher {
    lanes: (u64, u64),
    /// The first word of a pair.
    waiting: Option<u64>,
}

impl Hasher {
    /// An empty fingerprint, different for every pair of keys.
    #[inline(always)]
    pub fn new(a: u64, b: u64) -> Self {
        Hasher { lanes: (a ^ FIRST, b ^ SECOND), waiting: None }
    }

    /// Adds a word.
    #[inline(always)]
    pub fn word(&mut self, x: u64) {
        match self.waiting.take() {
            None => self.waiting = Some(x),
            Some(first) => {
                let lane = self.lanes.0;
                let next = fold(lane ^ first, lane.rotate_left(23) ^ x);
                self.lanes = (self.lanes.1, next)
            }
        }
    }

    /// Ends a pair of words. The words after an enum then begin a pair, whichever variant it was.
    /// Code that knows at compile time where pairs begin needs no branch.
    #[inline(always)]
    pub fn even(&mut self) {
        if self.waiting.is_some() {
            self.word(END)
        }
    }

    /// Adds bytes, eight at a time, and their number.
    #[inline(always)]
    pub fn bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word))
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.word(u64::from_le_bytes(last) ^ (rest.len() as u64) << 56)
    }

    /// The fingerprint.
    #[inline(always)]
    pub fn finish(mut self) -> u128 {
        self.even();
        let (a, b) = self.lanes;
        let high = fold(a ^ END, b ^ CROSS);
        let low = fold(b.rotate_left(32) ^ LEFT, a ^ high ^ RIGHT);
        (high as u128) << 64 | low as u128
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[u64]) -> u128 {
        let mut h = Hasher::new(1, 2);
        words.iter().for_each(|w| h.word(*w));
        h.finish()
    }

    #[test]
    fn every_bit_of_every_word_changes_about_half_of_the_digest() {
        for len in 1..=9 {
            let words: Vec<u64> = (0..len).map(|i| i * 0x1234_5678_9ABC).collect();
            for bit in 0..64 * len {
                let mut other = words.clone();
                other[bit as usize / 64] ^= 1 << (bit % 64);
                let changed = (of(&words) ^ of(&other)).count_ones();
                assert!((32..=96).contains(&changed), "{len} words, bit {bit}: {changed} of 128");
            }
        }
    }

    #[test]
    fn small_differences_never_meet() {
        let mut seen = std::collections::BTreeSet::new();
        for a in 0..40 {
            for b in 0..40 {
                for c in 0..40 {
                    seen.insert(of(&[a, b, c]) as u64);
                }
            }
        }
        for len in 0..20 {
            seen.insert(of(&vec![0; len + 4]) as u64);
        }
        assert_eq!(seen.len(), 40 * 40 * 40 + 20);
    }

    #[test]
    fn bytes_know_their_number() {
        let of = |bytes: &[u8]| {
            let mut h = Hasher::new(0, 0);
            h.bytes(bytes);
            h.finish()
        };
        let all: std::collections::BTreeSet<u128> = (0..40).map(|n| of(&vec![0; n])).collect();
        assert_eq!(all.len(), 40);
    }
}
