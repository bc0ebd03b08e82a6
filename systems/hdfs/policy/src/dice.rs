//! Randomness as an argument.

/// Where a policy's random choices come from: the engine's counter-based draws, a notebook's
/// generator, or a test's list of answers.
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
