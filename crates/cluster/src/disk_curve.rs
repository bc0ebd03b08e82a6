//! Loss of a disk's rate with the number of concurrent streams.
use rewind::{Digest, Hasher, Reader, Wire, WireError};
use units::{Bytes, floored_u64};

/// Batch b(n) that a disk moves for one stream before the next, and total rate R(n), of n streams:
///
/// ```text
///     b(n) = batch / n^g        R(n) = rate · b(n) / (b(n) + rate · seek),  n ≥ 2;  R(1) = rate
/// ```
///
/// g = 0: read-ahead and elevator keep the batch, so the loss does not grow with n. g = 1: all
/// streams share one read-ahead budget, so R falls as 1/n. Measurements are in between: one SATA
/// disk under CFQ gave 13 MB/s with 17–32 sequential readers, and 24–28 MB/s with 32 if slices
/// adapt to their number. Several g fit the same totals, and results of rules that limit streams
/// depend on g: so it is named, shown and swept.
///
/// g is stored in quarters, so that n^g only needs square roots, which are equal on all machines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct DiskCurve {
    quarters: u8,
}

impl DiskCurve {
    pub const KEPT: DiskCurve = DiskCurve { quarters: 0 };

    pub const fn quarters(quarters: u8) -> DiskCurve {
        DiskCurve { quarters }
    }

    pub fn exponent(self) -> f64 {
        f64::from(self.quarters) / 4.0
    }

    /// True if the loss does not grow beyond two streams.
    #[inline]
    pub fn is_kept(self) -> bool {
        self.quarters == 0
    }

    /// The batch with `streams` on the disk; at least 1 byte unless `batch` is 0.
    #[inline]
    pub fn batch(self, batch: Bytes, streams: u32) -> Bytes {
        if self.is_kept() || streams < 2 || batch.0 == 0 {
            return batch;
        }
        Bytes(floored_u64(batch.0 as f64 / self.power(streams)).max(1))
    }

    fn power(self, streams: u32) -> f64 {
        let n = f64::from(streams);
        let rest = [1.0, n.sqrt().sqrt(), n.sqrt(), n.sqrt() * n.sqrt().sqrt()];
        (0..self.quarters / 4).fold(rest[usize::from(self.quarters % 4)], |power, _| power * n)
    }
}

/// [`DiskCurve::KEPT`] adds nothing, so that older runs keep their trace hash.
impl Digest for DiskCurve {
    fn digest(&self, h: &mut Hasher) {
        if !self.is_kept() {
            h.word(u64::from(self.quarters))
        }
    }
}

impl Wire for DiskCurve {
    const SCHEMA: u64 = rewind::schema("DiskCurve", &[<u8 as Wire>::SCHEMA]);
    fn encode(&self, out: &mut Vec<u8>) {
        self.quarters.encode(out)
    }
    fn decode(from: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(DiskCurve { quarters: u8::decode(from)? })
    }
}

rewind::by_value!(for DiskCurve);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_shrinks_as_a_power_of_the_streams() {
        let left =
            |quarters, streams| DiskCurve::quarters(quarters).batch(Bytes(1_000_000), streams).0;
        assert_eq!([1, 2, 16].map(|n| left(0, n)), [1_000_000; 3]);
        assert_eq!([1, 16, 81].map(|n| left(1, n)), [1_000_000, 500_000, 333_333]);
        assert_eq!([1, 4, 16].map(|n| left(2, n)), [1_000_000, 500_000, 250_000]);
        assert_eq!([1, 16].map(|n| left(3, n)), [1_000_000, 125_000]);
        assert_eq!([1, 2, 10].map(|n| left(4, n)), [1_000_000, 500_000, 100_000]);
        assert_eq!(left(5, 16), 31_250);
        assert_eq!(left(200, 1000), 1, "never nothing");
    }
}
