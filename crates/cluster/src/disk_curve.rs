//! How the rate of a disk falls with the number of streams that share it.
use rewind::{Digest, Hasher, Reader, Wire, WireError};
use units::{Bytes, floored_u64};

/// What a disk moves of one stream before it turns to the next, where n streams share it:
///
/// ```text
///     b(n) = batch / n^g        R(n) = rate · b(n) / (b(n) + rate · seek),  n ≥ 2;  R(1) = rate
/// ```
///
/// g = 0: read-ahead and elevator keep the batch, so the loss does not grow with n. g = 1: one
/// budget of read-ahead is shared by all, so R falls towards nothing as 1/n. In between lies what
/// was measured of many sequential readers of one SATA disk under CFQ: 13 MB/s at 17–32 readers,
/// 24–28 MB/s at 32 where slices adapt to their number. Measured totals do not tell which g is
/// right (several fit the same), and conclusions about rules that withhold streams turn on it: so
/// it is named, shown, and swept.
///
/// g counts in quarters: n^g is then made of square roots, which are the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct DiskCurve {
    quarters: u8,
}

impl DiskCurve {
    /// g = 0.
    pub const KEPT: DiskCurve = DiskCurve { quarters: 0 };

    /// g = `quarters` / 4.
    pub const fn quarters(quarters: u8) -> DiskCurve {
        DiskCurve { quarters }
    }

    pub fn exponent(self) -> f64 {
        f64::from(self.quarters) / 4.0
    }

    /// Whether more streams than two lose no more than two.
    #[inline]
    pub fn is_kept(self) -> bool {
        self.quarters == 0
    }

    /// What is left of a batch where `streams` share the disk, at least a byte of one that is not
    /// empty.
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

/// The curve that was always there adds nothing, so that runs which use no other keep the trace
/// hash they had before there were any.
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
