//! Seeds of a claim's runs: a stated number, or more until the claim is decided.
use std::time::Duration;

/// Seeds of a run without `--seeds`, at the first look.
const FIRST: u32 = 10;
/// Most seeds of a run without `--seeds`.
const MOST: u32 = 320;
/// No look begins later. A look at most doubles the runs, so it takes no longer than all before.
pub(super) const LATEST: Duration = Duration::from_secs(100);

/// Each look doubles the seeds of claims that are not decided. A claim is looked at several times,
/// so each look may err in its part of 5 % only (Bonferroni): all looks together err in 5 %.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seeds {
    pub first: u32,
    pub most: u32,
}

impl Seeds {
    pub const UNTIL_DECIDED: Seeds = Seeds { first: FIRST, most: MOST };

    pub const fn fixed(seeds: u32) -> Seeds {
        Seeds { first: seeds, most: seeds }
    }

    pub fn looks(self) -> usize {
        1 + std::iter::successors(self.next(self.first), |seeds| self.next(*seeds)).count()
    }

    /// Seeds of the look after one with `seeds`.
    pub fn next(self, seeds: u32) -> Option<u32> {
        Some(seeds.saturating_mul(2)).filter(|next| *next <= self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_double_the_seeds() {
        let all = Seeds::UNTIL_DECIDED;
        assert_eq!((all.next(10), all.next(160), all.next(320)), (Some(20), Some(320), None));
        assert_eq!((all.looks(), Seeds::fixed(200).looks()), (6, 1));
    }
}
