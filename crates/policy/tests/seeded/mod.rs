//! Reproducible randomness for tests.
use policy::Dice;

/// SplitMix64 (Steele, Lea, Flood, 2014).
pub struct Seeded(pub u64);

impl Dice for Seeded {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * u128::from(n)) >> 64) as u64
    }
}

impl Seeded {
    /// Uniform in `0..n`, without importing [`Dice`].
    #[allow(dead_code)]
    pub fn below(&mut self, n: u64) -> u64 {
        Dice::below(self, n)
    }
}
