//! Equal bins of time, and the integral of step functions over them.
use units::{Nanos, usize_of};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bins {
    /// Start of the first bin.
    pub from: Nanos,
    /// Width of a bin; not 0.
    pub width: Nanos,
    pub count: usize,
}

impl Bins {
    /// At most `most` bins that cover `from..to`, with a width of 1, 2 or 5 · 10ᵏ ns.
    pub fn round(from: Nanos, to: Nanos, most: usize) -> Bins {
        let span = to.saturating_sub(from).0.max(1);
        let width = round_up(span.div_ceil(most as u64));
        Bins { from, width: Nanos(width), count: usize_of(span.div_ceil(width)) }
    }

    /// End of the last bin.
    pub fn to(&self) -> Nanos {
        self.from + self.width * self.count as u64
    }

    /// Adds `rate` × time over `start..end` (within the bins) to `out`.
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

/// The smallest 1, 2 or 5 · 10ᵏ that is at least `n`.
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
