use crate::{Bytes, Nanos};
use rewind::Scalar;

/// A rate [bytes/s].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Scalar)]
pub struct BytesPerSec(pub u64);

/// What a serial resource still owes: the part of a nanosecond that its last transfers were
/// rounded down by [bytes · 10⁻⁹ s at the resource's rate, always less than the rate].
///
/// A link that passes a million packets of 666.67 ns would end 0.3 ms early or late if each were
/// rounded alone; with the remainder carried, the sum is exact to 1 ns however it is cut. One
/// `Carry` belongs to one resource of one rate; start a new one when the rate changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Scalar)]
pub struct Carry(pub u64);

const NANOS: u128 = 1_000_000_000;

/// Of what is too long or too large for any run.
fn fits(number: u128) -> u64 {
    u64::try_from(number).expect("less than 584 years, and less than 18 EB")
}

impl BytesPerSec {
    /// `n` · 10⁶ bytes/s.
    pub const fn mb(n: u64) -> BytesPerSec {
        BytesPerSec(n * 1_000_000)
    }
    /// `n` · 10⁹ bit/s.
    pub const fn gbit(n: u64) -> BytesPerSec {
        BytesPerSec(n * 125_000_000)
    }
    /// How long `bytes` take, rounded up to whole nanoseconds.
    pub fn time_for(self, bytes: Bytes) -> Nanos {
        Nanos(fits((bytes.0 as u128 * NANOS).div_ceil(self.0 as u128)))
    }
    /// How long `bytes` take on a serial resource, rounded down; what is cut off is charged to the
    /// next transfer through `carry`.
    pub fn time_carried(self, bytes: Bytes, carry: &mut Carry) -> Nanos {
        let work = bytes.0 as u128 * NANOS + carry.0 as u128;
        carry.0 = fits(work % self.0 as u128);
        Nanos(fits(work / self.0 as u128))
    }
    /// What passes in `time`, rounded down to whole bytes.
    pub fn bytes_in(self, time: Nanos) -> Bytes {
        Bytes(fits(self.0 as u128 * time.0 as u128 / NANOS))
    }
}
