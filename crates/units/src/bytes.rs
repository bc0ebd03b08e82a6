use rewind::Scalar;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// \[bytes\]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Scalar)]
pub struct Bytes(pub u64);

impl Bytes {
    pub const fn mb(n: u64) -> Bytes {
        Bytes(n * 1_000_000)
    }
    pub const fn mib(n: u64) -> Bytes {
        Bytes(n << 20)
    }
    pub fn saturating_sub(self, other: Bytes) -> Bytes {
        Bytes(self.0.saturating_sub(other.0))
    }
}

impl Add for Bytes {
    type Output = Bytes;
    fn add(self, other: Bytes) -> Bytes {
        Bytes(self.0 + other.0)
    }
}

impl AddAssign for Bytes {
    fn add_assign(&mut self, other: Bytes) {
        self.0 += other.0
    }
}

impl Sub for Bytes {
    type Output = Bytes;
    fn sub(self, other: Bytes) -> Bytes {
        Bytes(self.0.checked_sub(other.0).expect("a negative amount of data"))
    }
}

impl SubAssign for Bytes {
    fn sub_assign(&mut self, other: Bytes) {
        *self = *self - other
    }
}

impl Sum for Bytes {
    fn sum<I: Iterator<Item = Bytes>>(all: I) -> Bytes {
        Bytes(all.map(|b| b.0).sum())
    }
}
