use crate::{Bytes, Nanos};
use rewind::Scalar;

/// \[bytes/s\]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Scalar)]
pub struct BytesPerSec(pub u64);

/// Rounding remainder of a serial resource [bytes · 10⁻⁹ s at the resource's rate, below the rate].
///
/// Rounded separately, a million packets of 666.67 ns would be off by 0.3 ms; with the carry, the
/// sum is exact to 1 ns. A `Carry` belongs to one resource with one rate: reset it if the rate
/// changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Scalar)]
pub struct Carry(pub u64);

const NANOS: u128 = 1_000_000_000;

/// Panics for values too large for any run.
fn fits(number: u128) -> u64 {
    u64::try_from(number).expect("less than 584 years, and less than 18 EB")
}

impl BytesPerSec {
    pub const fn mb(n: u64) -> BytesPerSec {
        BytesPerSec(n * 1_000_000)
    }
    pub const fn gbit(n: u64) -> BytesPerSec {
        BytesPerSec(n * 125_000_000)
    }
    /// Rounded up.
    pub fn time_for(self, bytes: Bytes) -> Nanos {
        Nanos(fits((bytes.0 as u128 * NANOS).div_ceil(self.0 as u128)))
    }
    /// On a serial resource, rounded down; `carry` charges the remainder to the next transfer.
    pub fn time_carried(self, bytes: Bytes, carry: &mut Carry) -> Nanos {
        let work = bytes.0 as u128 * NANOS + carry.0 as u128;
        carry.0 = fits(work % self.0 as u128);
        Nanos(fits(work / self.0 as u128))
    }
    /// Rounded down.
    pub fn bytes_in(self, time: Nanos) -> Bytes {
        Bytes(fits(self.0 as u128 * time.0 as u128 / NANOS))
    }
}
