use rewind::Scalar;
use std::ops::{Add, AddAssign, Mul, Sub};

/// A point in simulated time, or a duration \[ns\].
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Debug,
    Default,
    Scalar,
    serde::Serialize,
    serde::Deserialize,
)]
pub struct Nanos(pub u64);

impl Nanos {
    pub const ZERO: Nanos = Nanos(0);
    pub const MAX: Nanos = Nanos(u64::MAX);

    pub const fn micros(n: u64) -> Nanos {
        Nanos(n * 1_000)
    }
    pub const fn millis(n: u64) -> Nanos {
        Nanos(n * 1_000_000)
    }
    pub const fn secs(n: u64) -> Nanos {
        Nanos(n * 1_000_000_000)
    }
    /// For output only: models decide on integers.
    pub fn as_secs(self) -> f64 {
        self.0 as f64 / 1e9
    }
    /// Rounded to the nearest nanosecond. Panics for negative numbers and NaN.
    pub fn from_secs(seconds: f64) -> Nanos {
        assert!(seconds >= 0.0, "a negative time: {seconds} s");
        Nanos(crate::rounded_u64(seconds * 1e9))
    }
    pub fn saturating_sub(self, other: Nanos) -> Nanos {
        Nanos(self.0.saturating_sub(other.0))
    }
}

impl Add for Nanos {
    type Output = Nanos;
    #[inline(always)]
    fn add(self, other: Nanos) -> Nanos {
        Nanos(self.0 + other.0)
    }
}

impl AddAssign for Nanos {
    fn add_assign(&mut self, other: Nanos) {
        *self = *self + other
    }
}

impl Sub for Nanos {
    type Output = Nanos;
    fn sub(self, other: Nanos) -> Nanos {
        Nanos(self.0.checked_sub(other.0).expect("a negative time"))
    }
}

impl Mul<u64> for Nanos {
    type Output = Nanos;
    fn mul(self, n: u64) -> Nanos {
        Nanos(self.0 * n)
    }
}
