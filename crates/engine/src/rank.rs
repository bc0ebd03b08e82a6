//! The sender's part of an event's key.
use crate::draw::mix;

/// Keys with a rank in the upper bits and a sequence number in the lower ones. Rank 0 is the
/// scenario.
#[derive(Clone, Copy)]
pub(crate) struct Ranks {
    lps: u32,
    seed: u64,
    pub(crate) shift: u32,
}

impl Ranks {
    pub(crate) fn new(lps: u32, seed: u64) -> Self {
        Ranks { lps, seed, shift: (lps.max(1) as u64).leading_zeros() }
    }

    /// The LP's rank with sequence number 0.
    pub(crate) fn first(&self, lp: u32) -> u64 {
        (1 + permute(lp, self.lps, self.seed) as u64) << self.shift
    }

    /// Panics if the sequence number has overflowed into the rank: keys would no longer be unique.
    #[inline(always)]
    pub(crate) fn check(&self, before: u64, after: u64, lp: u32) {
        if (before ^ after) >> self.shift != 0 {
            self.refuse(lp)
        }
    }

    #[cold]
    #[inline(never)]
    fn refuse(&self, lp: u32) -> ! {
        panic!(
            "LP {lp} has sent 2^{} messages, the most that {} LPs can number: run fewer LPs, or a \
             shorter run",
            self.shift, self.lps
        )
    }
}

/// Position of `id` in a permutation of 0..n drawn from the seed: four Feistel rounds, repeated
/// until the result is below n.
fn permute(id: u32, n: u32, seed: u64) -> u32 {
    let half = (32 - n.leading_zeros()).div_ceil(2).max(1);
    let mask = (1u64 << half) - 1;
    let mut x = id as u64;
    loop {
        let (mut l, mut r) = (x >> half, x & mask);
        for round in 0..4 {
            (l, r) = (r, l ^ (mix(seed ^ r << 8 ^ round) & mask))
        }
        x = l << half | r;
        if x < n as u64 {
            return x as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_a_permutation_that_the_seed_draws() {
        for n in [1, 2, 3, 7, 8, 100, 1000] {
            let ranks = |seed| {
                let ranks = Ranks::new(n, seed);
                (0..n).map(|lp| ranks.first(lp) >> ranks.shift).collect::<Vec<_>>()
            };
            let mut sorted = ranks(5);
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(1..=n as u64), "{n}");
            assert!(n < 7 || ranks(5) != ranks(6));
        }
    }

    #[test]
    fn a_million_lps_leave_44_bits_of_sequence() {
        assert_eq!(Ranks::new(1_000_000, 0).shift, 44);
        let r = Ranks::new(1_000_000, 0);
        assert!((0..1_000_000).all(|lp| r.first(lp).checked_add((1 << 44) - 1).is_some()));
    }

    #[test]
    #[should_panic(expected = "the most that 3 LPs can number")]
    fn a_sequence_that_runs_out_ends_the_run() {
        let ranks = Ranks::new(3, 0);
        let first = ranks.first(0);
        let last = first + (1 << ranks.shift) - 1;
        ranks.check(first, last, 0);
        ranks.check(last, last + 1, 0)
    }
}
