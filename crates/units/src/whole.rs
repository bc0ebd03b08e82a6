//! Integer conversions. A value that does not fit panics or saturates, and is never truncated.

/// Nearest integer; 0 for negative numbers and NaN, saturates above `u64::MAX`.
pub fn rounded_u64(number: f64) -> u64 {
    floored_u64(number.round())
}

/// Floor; 0 for negative numbers and NaN, saturates above `u64::MAX`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "for floats `as` does what is said above"
)]
pub fn floored_u64(number: f64) -> u64 {
    number as u64
}

/// A count or index. Panics above 2³² − 1: lists that can be longer need 64-bit ids.
#[track_caller]
pub fn u32_of(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32")
}

/// Panics if `number` does not fit: the caller guarantees the range.
#[track_caller]
#[inline]
pub fn narrow<To>(number: impl TryInto<To>) -> To {
    match number.try_into() {
        Ok(number) => number,
        Err(_) => panic!("a number that does not fit"),
    }
}

/// Panics if the index does not fit the address space.
#[track_caller]
pub fn usize_of(place: u64) -> usize {
    usize::try_from(place).expect("a place in memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_range() {
        let numbers = [-1.0, f64::NAN, 0.4, 0.5, 2.5, 1e300, f64::INFINITY];
        assert_eq!(numbers.map(rounded_u64), [0, 0, 0, 1, 3, u64::MAX, u64::MAX]);
        assert_eq!(numbers.map(floored_u64), [0, 0, 0, 0, 2, u64::MAX, u64::MAX])
    }

    #[test]
    #[should_panic(expected = "fewer than 2^32")]
    #[cfg(target_pointer_width = "64")]
    fn what_does_not_fit_is_not_cut_off() {
        assert_eq!((u32_of(7), usize_of(7)), (7, 7));
        u32_of(1 << 32);
    }
}
