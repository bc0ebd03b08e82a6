//! The sample of operations kept whole: all long ones, and short ones with a probability
//! proportional to their length. So estimates of their blocked time are unbiased.
//!
//! An operation's rank is its length divided by a number in 0–1, drawn from the seed and its own
//! number. The highest ranks whose rows fit into the budget are kept. The highest rank that did not
//! fit is T, the threshold of docs/trace.md, whatever the order. (Duffield, Lund, Thorup: Priority
//! sampling for estimation of arbitrary subset sums, J. ACM 54(6), 2007.)
use super::rows::Rows;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use units::Nanos;

struct SampledOperation {
    rank: f64,
    number: u64,
    length: Nanos,
    rows: Rows,
}

impl Ord for SampledOperation {
    fn cmp(&self, other: &SampledOperation) -> Ordering {
        self.rank.total_cmp(&other.rank).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for SampledOperation {
    fn partial_cmp(&self, other: &SampledOperation) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SampledOperation {
    fn eq(&self, other: &SampledOperation) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for SampledOperation {}

pub(super) struct OperationSample {
    seed: u64,
    budget: usize,
    rows: usize,
    /// T \[ns\]: the highest rank that did not fit.
    threshold: f64,
    kept: BinaryHeap<Reverse<SampledOperation>>,
}

impl OperationSample {
    pub(super) fn new(seed: u64, budget: usize) -> OperationSample {
        OperationSample { seed, budget, rows: 0, threshold: 0.0, kept: BinaryHeap::new() }
    }

    /// Keeps the operation if its rank is high enough; drops the lowest ranks beyond the budget.
    pub(super) fn take(&mut self, number: u64, length: Nanos, rows: &Rows) {
        let rank = length.0 as f64 / draw(self.seed, number);
        if rank <= self.threshold {
            return;
        }
        self.rows += rows.intervals.len();
        self.kept.push(Reverse(SampledOperation { rank, number, length, rows: rows.clone() }));
        while self.rows > self.budget
            && let Some(Reverse(least)) = self.kept.pop()
        {
            self.rows -= least.rows.intervals.len();
            self.threshold = least.rank
        }
    }

    /// Passes the kept operations by number, each with its weight.
    pub(super) fn kept(self, mut each: impl FnMut(&Rows)) {
        let mut kept: Vec<SampledOperation> =
            self.kept.into_iter().map(|Reverse(kept)| kept).collect();
        kept.sort_unstable_by_key(|kept| kept.number);
        for mut one in kept {
            one.rows.intervals[0].weight = (self.threshold / one.length.0 as f64).max(1.0);
            each(&one.rows)
        }
    }
}

/// Uniform in (0, 1), a function of both numbers.
fn draw(seed: u64, number: u64) -> f64 {
    let mixed = mix(mix(seed) ^ number);
    ((mixed >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

/// SplitMix64's step (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ value >> 31
}
