//! Equal bins of time, and what a step function comes to in each.
use units::{Nanos, usize_of};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bins {
    /// Start of the first.
    pub from: Nanos,
    /// Of each; not 0.
    pub width: Nanos,
    pub count: usize,
}

impl Bins {
    /// Bins of a round width (1, 2 or 5 times a power of ten nanoseconds), at most `most` of them,
    /// that cover `from..to`.
    pub fn round(from: Nanos, to: Nanos, most: usize) -> Bins {
        let span = to.saturating_sub(from).0.max(1);
        let width = round_up(span.div_ceil(most as u64));
        Bins { from, width: Nanos(width), count: usize_of(span.div_ceil(width)) }
    }

    /// End of the last.
    pub fn to(&self) -> Nanos {
        self.from + self.width * self.count as u64
    }

    /// Adds `rate` over `start..end` (within the bins) to the bins that it touches.
    pub fn spread(&self, start: Nanos, end: Nanos, rate: f64, out: &mut [f64]) {
        let mut at = start;
        while at < end {
            let bin = usize_of((at - self.from).0 / self.width.0);
            let until = (self.from + self.width * (bin as u64 + 1)).min(end);
            out[bin] += rate * (until - at).as_secs();
            at = until;
        }
    }
}

/// The smallest of 1, 2, 5 · 10ᵏ that is not below `n`.
fn round_up(n: u64) -> u64 {
    let mut power = 1u64;
    loop {
        for digit in [1, 2, 5] {
            if power.saturating_mul(digit) >= n {
                return power.saturating_mul(digit);
            }
        }
        power = power.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_round_and_cover() {
        for (span_ms, most, width_ms, count) in [
            (48_025, 60, 1_000, 49),
            (48_025, 120, 500, 97),
            (700_000, 60, 20_000, 35),
            (60, 60, 1, 60),
        ] {
            let bins = Bins::round(Nanos::secs(7), Nanos::secs(7) + Nanos::millis(span_ms), most);
            assert_eq!((bins.width, bins.count), (Nanos::millis(width_ms), count));
        }
        assert_eq!(Bins::round(Nanos::secs(7), Nanos::secs(7), 60).count, 1);
    }
}
