//! Transfer times without rounding errors.
use rewind::Scalar;
use units::{Bytes, BytesPerSec, Nanos};

/// Remainder of the times returned so far, in parts of 1/rate ns; less than `rate`.
///
/// So a million chunks take as long as their bytes in one piece: the sum of all results of
/// [`take`](Carry::take) is ⌊Σ bytes / rate⌋.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Scalar)]
pub(crate) struct Carry(u64);

/// Below this, bytes times 10⁹ and a carry fit 64 bits.
const SMALL: u64 = 1 << 33;

impl Carry {
    /// Whole nanoseconds for `bytes` and the remainder so far.
    ///
    /// # Panics
    /// If the rate is 0.
    #[inline]
    pub(crate) fn take(&mut self, bytes: Bytes, rate: BytesPerSec) -> Nanos {
        assert!(rate.0 > 0, "bytes for a dead resource");
        if bytes.0 < SMALL && rate.0 < 1 << 60 {
            let work = bytes.0 * 1_000_000_000 + self.0;
            self.0 = work % rate.0;
            return Nanos(work / rate.0);
        }
        let work = bytes.0 as u128 * 1_000_000_000 + self.0 as u128;
        self.0 = saturated(work % rate.0 as u128);
        Nanos(saturated(work / rate.0 as u128))
    }

    /// As [`take`](Carry::take), for bytes that take `time` per `batch`; the remainder is in parts
    /// of 1/batch ns.
    ///
    /// # Panics
    /// If the batch is 0.
    #[inline]
    pub(crate) fn take_times(&mut self, bytes: Bytes, time: Nanos, batch: u64) -> Nanos {
        let work = bytes.0 as u128 * time.0 as u128 + self.0 as u128;
        if let Ok(work) = u64::try_from(work) {
            self.0 = work % batch;
            return Nanos(work / batch);
        }
        self.0 = saturated(work % batch as u128);
        Nanos(saturated(work / batch as u128))
    }

    /// 1 if a part of a nanosecond is left, to round up.
    #[inline]
    pub(crate) fn up(self) -> Nanos {
        Nanos((self.0 > 0) as u64)
    }
}

/// Saturates, at centuries.
#[inline(always)]
fn saturated(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost() {
        let (mut carry, mut sum) = (Carry::default(), Nanos::ZERO);
        for bytes in (0..700).map(|i| i * i % 1013) {
            sum += carry.take(Bytes(bytes), BytesPerSec(7_000_001));
        }
        let bytes: u128 = (0..700).map(|i| i * i % 1013).sum();
        assert_eq!(sum.0 as u128, bytes * 1_000_000_000 / 7_000_001);
    }

    #[test]
    fn large_and_small_are_one_rule() {
        let rate = BytesPerSec(3_000_000_000);
        let (mut whole, mut parts) = (Carry::default(), Carry::default());
        let sum: u64 = (0..3).map(|_| parts.take(Bytes(SMALL - 1), rate).0).sum();
        assert_eq!(whole.take(Bytes(3 * (SMALL - 1)), rate).0, sum);
        assert_eq!(whole, parts);
    }
}
