use crate::{Bytes, Nanos};
use rewind::Scalar;

/// A rate [bytes/s].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Scalar)]
pub struct BytesPerSec(pub u64);

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
        Nanos((bytes.0 as u128 * 1_000_000_000).div_ceil(self.0 as u128) as u64)
    }
}
