//! Randomness as an argument, so that policies stay pure.

/// Source of a policy's random choices: the engine's counter-based draws, or a test's list.
pub trait Dice {
    /// Uniform in `0..n`; `n` is at least 1.
    fn below(&mut self, n: u64) -> u64;
    /// True with probability ½ (`ThreadLocalRandom.nextBoolean`).
    fn coin(&mut self) -> bool {
        self.below(2) == 1
    }
}

impl<F: FnMut(u64) -> u64> Dice for F {
    fn below(&mut self, n: u64) -> u64 {
        self(n)
    }
}
